import { type Header, refusalOf, remainingOf } from "../../core/armLimits.ts";
import { classify } from "../../core/azureErrors.ts";
import { provisioningOf } from "../../core/decide.ts";
import type { Failure, Json, JsonObject, Operation, Result } from "../../core/types.ts";
import type { Arm, ArmAnswer, ArmRequest, Azure, MayGoOn, PollAnswer } from "../../ports.ts";
import { isJsonObject } from "../../wire/json.ts";
import type { ArmState } from "../arm/armState.ts";
import { handle } from "../arm/handle.ts";
import type { ArmReply } from "../arm/protocol.ts";

type Answered = Extract<ArmReply, { kind: "answer" }>;

/** As the adapter does: a path that steps out of itself, or names a host, is refused before it is sent. */
const isBadPath = (path: string): boolean => !/^\/[^/]/.test(path) || /(^|\/)(\.|%2e){1,2}(\/|$)/i.test(path);
const badPath: Failure = { kind: "badConfiguration", code: "BadPath", message: "the path is not one of a resource" };
const noAnswer: Failure = { kind: "transient", code: "NoAnswer", message: "the connection was cut" };
const headerOf =
  ({ headers }: Answered): Header =>
  (name) =>
    headers[name];
/** The simulator says when to come back in seconds, never as a date. */
const failure = (reply: Answered): Failure => refusalOf(reply.status, reply.body, headerOf(reply), 0);
/** What stands beside the body of an answer. */
const told = (reply: Answered): Pick<ArmAnswer, "remaining" | "requestId"> => {
  const [requestId, remaining] = [reply.headers["x-ms-request-id"], remainingOf(headerOf(reply))];
  return { ...(requestId !== undefined && { requestId }), ...(remaining !== undefined && { remaining }) };
};

const secondsOf = (reply: Answered): number => Number(reply.headers["retry-after"] ?? "1");
const runningOf = (reply: Answered, operation: Operation): PollAnswer => ({
  kind: "running",
  operation,
  retryAfterSeconds: secondsOf(reply),
  ...(reply.headers["retry-after"] === undefined && { guessed: true }),
});
const done = new Set(["succeeded", "failed", "canceled"]);

/** How Azure's answer says that it works on. */
const operationOf = (method: ArmRequest["method"], reply: Answered): Operation | undefined => {
  if (method === "GET") return undefined;
  const times = { startedMs: 0, notBeforeMs: secondsOf(reply) * 1_000 };
  const { "azure-asyncoperation": asyncOperation, location } = reply.headers;
  if (asyncOperation !== undefined) return { verb: method, style: "asyncOperation", url: asyncOperation, ...times };
  if (reply.status === 202 && location !== undefined)
    return { verb: method, style: "location", url: location, ...times };
  const working = isJsonObject(reply.body) && !done.has(provisioningOf(reply.body).toLowerCase());
  return working || reply.status === 202 ? { verb: method, style: "resource", ...times } : undefined;
};

const judgeBody = (body: Json | undefined, reply: Answered, operation: Operation): PollAnswer => {
  const status = isJsonObject(body) && typeof body["status"] === "string" ? body["status"].toLowerCase() : "succeeded";
  if (status === "succeeded") return { kind: "succeeded", body: body ?? null };
  if (status === "failed" || status === "canceled") return { kind: "failed", failure: classify(200, body) };
  return runningOf(reply, operation);
};

const judgeResource = (reply: Answered, operation: Operation): PollAnswer => {
  if (reply.status === 404)
    return operation.verb === "DELETE" ? { kind: "succeeded", body: null } : { kind: "unknown" };
  const state = isJsonObject(reply.body) ? provisioningOf(reply.body).toLowerCase() : "succeeded";
  if (operation.verb === "DELETE" || !done.has(state)) return runningOf(reply, operation);
  return state === "succeeded"
    ? { kind: "succeeded", body: reply.body ?? null }
    : { kind: "failed", failure: classify(200, reply.body) };
};

/** Statuses that say something about the poll and nothing about the operation. */
const ofThePoll = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500;

const judgePoll = (reply: Answered, operation: Operation): Result<PollAnswer> => {
  if (operation.style === "resource" && (reply.status === 404 || reply.status < 400))
    return { ok: true, value: judgeResource(reply, operation) };
  if (reply.status === 404 || reply.status === 410) return { ok: true, value: { kind: "unknown" } };
  if (reply.status >= 400)
    return ofThePoll(reply.status)
      ? { ok: false, error: failure(reply) }
      : { ok: true, value: { kind: "failed", failure: failure(reply) } };
  if (operation.style === "asyncOperation") return { ok: true, value: judgeBody(reply.body, reply, operation) };
  return {
    ok: true,
    value: reply.status === 202 ? runningOf(reply, operation) : { kind: "succeeded", body: reply.body ?? null },
  };
};

/** Azure in memory: the simulator's state machine without HTTP, on the world's clock. The token is the client id. */
export const memoryAzure = (state: ArmState, nowMs: () => number): Azure => ({
  connect: ({ clientId }) => Promise.resolve({ ok: true, value: armOf(state, nowMs, clientId) }),
});

const armOf = (state: ArmState, nowMs: () => number, token: string): Arm => {
  let serial = 0;
  const ask = (
    method: string,
    url: string,
    request?: Pick<ArmRequest, "body" | "ifMatch" | "ifNoneMatch">,
  ): ArmReply => {
    serial += 1;
    const headers = {
      authorization: `Bearer ${token}`,
      "x-ms-correlation-request-id": `memory-${nowMs()}-${serial}`,
      ...(request?.ifMatch !== undefined && { "if-match": request.ifMatch }),
      ...(request?.ifNoneMatch !== undefined && { "if-none-match": request.ifNoneMatch }),
    };
    const body = request?.body === undefined ? {} : { body: JSON.stringify(request.body) };
    return handle(state, { method, url, headers, ...body }, nowMs());
  };
  const urlOf = ({ path, apiVersion, query }: Pick<ArmRequest, "path" | "apiVersion" | "query">): string =>
    `https://management.azure.com${path}?${new URLSearchParams({ ...query, "api-version": apiVersion }).toString()}`;

  const send = (request: ArmRequest): Result<ArmAnswer> => {
    if (isBadPath(request.path)) return { ok: false, error: badPath };
    const reply = ask(request.method, urlOf(request), request);
    if (reply.kind === "dropped") return { ok: false, error: noAnswer };
    if (reply.status >= 400) return { ok: false, error: failure(reply) };
    const operation = operationOf(request.method, reply);
    const { etag, "x-ms-correlation-request-id": correlationId = "" } = reply.headers;
    return {
      ok: true,
      value: {
        status: reply.status,
        body: reply.body ?? null,
        correlationId,
        ...told(reply),
        ...(etag !== undefined && { etag }),
        ...(operation !== undefined && { operation }),
      },
    };
  };
  return {
    send: (request) => Promise.resolve(send(request)),
    poll: (operation, target) => {
      const reply = ask("GET", operation.url ?? urlOf(target));
      if (reply.kind === "dropped") return Promise.resolve({ ok: false, error: noAnswer });
      const answer = judgePoll(reply, operation);
      const { remaining } = told(reply);
      const value =
        answer.ok && remaining !== undefined && reply.status < 400 ? { ...answer.value, remaining } : undefined;
      return Promise.resolve(value === undefined ? answer : { ok: true, value });
    },
    list: (request, mayGoOn) => listed(ask, urlOf(request), mayGoOn),
  };
};

const listed = async (
  ask: (method: string, url: string) => ArmReply,
  first: string,
  mayGoOn?: MayGoOn,
): Promise<Result<readonly JsonObject[]>> => {
  const items: JsonObject[] = [];
  for (let url: string | undefined = first; url !== undefined; ) {
    const reply = ask("GET", url);
    if (reply.kind === "dropped") return { ok: false, error: noAnswer };
    if (reply.status >= 400) return { ok: false, error: failure(reply) };
    const page: JsonObject = isJsonObject(reply.body) ? reply.body : {};
    items.push(...(Array.isArray(page["value"]) ? page["value"].filter(isJsonObject) : []));
    url = typeof page["nextLink"] === "string" ? page["nextLink"] : undefined;
    const stop = url === undefined ? undefined : await mayGoOn?.();
    if (stop !== undefined) return { ok: false, error: stop };
  }
  return { ok: true, value: items };
};
