import { type ArmState, nextGuid, type World } from "./armState.ts";
import { authenticated, authorized, tokenOf } from "./authorization.ts";
import { type Fault, faultAnswer, faultFailure, faultsFor } from "./faults.ts";
import { isObject, type Json, type JsonObject, textAt } from "./json.ts";
import { settle } from "./operations.ts";
import { type Answer, type ArmReply, type ArmRequest, firstRefusal, refuse } from "./protocol.ts";
import { blanked, type LoggedRequest } from "./requestLog.ts";
import { resourceTarget, subscriptionOf } from "./resourceTarget.ts";
import { route } from "./routes.ts";
import { throttle } from "./throttle.ts";

interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly path: string;
  readonly body: Json | undefined;
  readonly readable: boolean;
  readonly token: string | undefined;
  readonly correlationId: string;
  readonly requestId: string;
  readonly faults: readonly Fault[];
}

const parseBody = (text: string | undefined): { readonly body: Json | undefined; readonly readable: boolean } => {
  if (text === undefined || text === "") return { body: undefined, readable: true };
  try {
    return { body: JSON.parse(text) as Json, readable: true };
  } catch {
    return { body: undefined, readable: false };
  }
};

/** Host and scheme do not matter; what is no URL at all is the root. */
const urlOf = (text: string): URL => {
  const base = "https://management.azure.com";
  const path = text.replace(/^\/{2,}/, "/");
  return URL.canParse(path, base) ? new URL(path, base) : new URL(base);
};

const read = (state: ArmState, request: ArmRequest): Incoming => {
  const url = urlOf(request.url);
  const path = url.pathname.replace(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  url.pathname = path;
  const method = request.method.toUpperCase();
  return {
    method,
    url,
    path,
    ...parseBody(request.body),
    token: tokenOf(request.headers["authorization"]),
    correlationId: request.headers["x-ms-correlation-request-id"] ?? nextGuid(state),
    requestId: nextGuid(state),
    faults: faultsFor(state.faults, method, path),
  };
};

const versionForm = /^\d{4}-\d{2}-\d{2}(-preview)?$/i;

const apiVersionGiven = (incoming: Incoming): Answer | undefined => {
  const version = incoming.url.searchParams.get("api-version");
  if (version === null || version === "")
    return refuse(
      400,
      "MissingApiVersionParameter",
      "The api-version query parameter (?api-version=) is required for all requests.",
    );
  return versionForm.test(version)
    ? undefined
    : refuse(
        400,
        "InvalidApiVersionParameter",
        `The api-version '${version}' is invalid. It must be in the format 'YYYY-MM-DD'.`,
      );
};

const bodyReadable = ({ method, body, readable }: Incoming): Answer | undefined =>
  readable && (isObject(body) || ((body === undefined || body === null) && method !== "PUT" && method !== "PATCH"))
    ? undefined
    : refuse(400, "InvalidRequestContent", "The request content was invalid and could not be deserialized.");

const answerOf = (state: ArmState, request: ArmRequest, incoming: Incoming, nowMs: number): Answer => {
  const { method, path, url, token, body } = incoming;
  const early = authenticated(state, token) ?? apiVersionGiven(incoming);
  if (early !== undefined || token === undefined) return early ?? { status: 401 };
  const cost = throttle(state, { method, path, subscription: subscriptionOf(path), identity: token }, nowMs);
  const refusal = firstRefusal(
    () => cost.refusal,
    () => authorized(state, token, method, path),
    () => bodyReadable(incoming),
  );
  const world: World = {
    state,
    nowMs,
    apiVersion: url.searchParams.get("api-version") ?? "",
    correlationId: incoming.correlationId,
    identity: token,
    failure: faultFailure(incoming.faults),
  };
  const sent: JsonObject = isObject(body) ? body : {};
  const answer = refusal ?? route(world, { method, url, headers: request.headers, sent }, resourceTarget(path));
  return { ...answer, headers: { ...cost.headers, ...answer.headers } };
};

const findingsOf = (state: ArmState, { method, path, url, body }: Incoming): readonly unknown[] | undefined => {
  const { validate } = state.options;
  if (validate === undefined || !["PUT", "PATCH", "POST"].includes(method)) return undefined;
  const apiVersion = url.searchParams.get("api-version") ?? undefined;
  return validate({ method, path, apiVersion, body: isObject(body) ? body : undefined });
};

const log = (
  state: ArmState,
  request: ArmRequest,
  incoming: Incoming,
  answer: Answer | undefined,
  nowMs: number,
): void => {
  const { method, path, url, body, correlationId, requestId } = incoming;
  const query = Object.fromEntries([...url.searchParams].filter(([name]) => !/^(api-version|t|c|s|h)$/.test(name)));
  const errorCode = textAt(answer?.body, "error", "code");
  const findings = findingsOf(state, incoming);
  const optional = {
    apiVersion: url.searchParams.get("api-version") ?? undefined,
    query: Object.keys(query).length > 0 ? query : undefined,
    ifMatch: request.headers["if-match"],
    ifNoneMatch: request.headers["if-none-match"],
    body: body === undefined ? undefined : blanked(body),
    errorCode: errorCode === "" || (answer?.status ?? 0) < 400 ? undefined : errorCode,
    findings,
  };
  const entry: LoggedRequest = {
    at: new Date(nowMs).toISOString(),
    method,
    path,
    status: answer?.status ?? 0,
    correlationId,
    requestId,
    ...(Object.fromEntries(
      Object.entries(optional).filter(([, value]) => value !== undefined),
    ) as Partial<LoggedRequest>),
  };
  state.requests.push(entry);
  const keep = state.options.keepRequests ?? 50_000;
  if (state.requests.length > keep) state.requests.splice(0, state.requests.length - keep);
};

const reply = (incoming: Incoming, answer: Answer, delayMs: number): ArmReply => ({
  kind: "answer",
  status: answer.status,
  headers: {
    "cache-control": "no-cache",
    "x-ms-request-id": incoming.requestId,
    "x-ms-correlation-request-id": incoming.correlationId,
    ...(answer.body === undefined ? {} : { "content-type": "application/json; charset=utf-8" }),
    ...answer.headers,
  },
  body: answer.body,
  delayMs,
});

/**
 * Handles one request at a time of the caller's choosing; the only way in. Never throws for anything a client sends.
 * Operations whose time has come end first, so a poll at or after it sees the end.
 */
export const handle = (state: ArmState, request: ArmRequest, nowMs: number): ArmReply => {
  settle(state, nowMs);
  const incoming = read(state, request);
  const delayMs = incoming.faults.reduce((sum, fault) => sum + (fault.kind === "delay" ? fault.ms : 0), 0);
  const respond = incoming.faults.find((fault) => fault.kind === "respond");
  const cut = incoming.faults.find((fault) => fault.kind === "drop");
  const instead = respond === undefined ? undefined : faultAnswer(respond);
  const untouched = cut?.when === "before" || (respond !== undefined && respond.afterEffect !== true);
  const effect = untouched ? undefined : answerOf(state, request, incoming, nowMs);
  const answer = instead ?? effect;
  log(state, request, incoming, cut === undefined ? answer : undefined, nowMs);
  return cut !== undefined || answer === undefined ? { kind: "dropped", delayMs } : reply(incoming, answer, delayMs);
};
