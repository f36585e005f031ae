import { classify } from "../core/azureErrors.ts";
import type { Failure, Json, Operation, Result } from "../core/types.ts";
import type { ArmAnswer, ArmRequest, PollAnswer } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import type { ArmHttp, ArmHttpAnswer } from "./armHttp.ts";
import { phaseOf, provisioningState, waitSeconds } from "./armOperation.ts";
import { armUrl, trustedUrl } from "./armUrl.ts";

export type PollTarget = Pick<ArmRequest, "path" | "apiVersion">;

/** Between polls of an operation about which Azure does not say when to come back. */
const pollSeconds = 5;

/** Statuses that say something about the poll and nothing about the operation. */
const ofThePoll = (status: number): boolean =>
  [401, 403, 408, 429].includes(status) || status >= 500 || (status >= 300 && status < 400);

const succeeded = (body: Json): PollAnswer => ({ kind: "succeeded", body });
const failedWith = (failure: Failure): PollAnswer => ({ kind: "failed", failure });
const unknown: PollAnswer = { kind: "unknown" };

const running = (operation: Operation, answer: ArmHttpAnswer): PollAnswer => {
  const retryAfterSeconds = waitSeconds(answer, pollSeconds);
  const guessed = answer.retryAfter.retryAfter === undefined ? ({ guessed: true } as const) : {};
  return {
    kind: "running",
    operation: { ...operation, notBeforeMs: retryAfterSeconds * 1000 },
    retryAfterSeconds,
    ...guessed,
  };
};

/** How an operation ended that did not succeed: by its error, or by its mere status when Azure gives none. */
const ended = (phase: "failed" | "canceled", body: Json): PollAnswer => {
  const told = isJsonObject(body) && isJsonObject(body["error"]) ? body["error"] : undefined;
  if (told !== undefined) return failedWith(classify(200, { error: told }));
  const code = phase === "canceled" ? "Canceled" : "OperationFailed";
  const message = `the operation ended as ${phase}, and Azure does not say why`;
  return failedWith({ ...classify(200, { error: { code, message } }), kind: "transient" });
};

const byPhase = (state: string, operation: Operation, answer: ArmHttpAnswer): PollAnswer => {
  const phase = phaseOf(state);
  if (phase === "running") return running(operation, answer);
  return phase === "succeeded" ? succeeded(answer.body) : ended(phase, answer.body);
};

const statusOf = (body: Json): string | undefined => {
  const status = isJsonObject(body) ? body["status"] : undefined;
  return typeof status === "string" ? status : provisioningState(body);
};

/** The body tells. */
const judgeAsync = (operation: Operation, answer: ArmHttpAnswer): PollAnswer => {
  const status = statusOf(answer.body);
  if (status !== undefined) return byPhase(status, operation, answer);
  return answer.status === 202 ? running(operation, answer) : succeeded(answer.body);
};

/** The status code tells; some providers answer 200 with a resource that is still at work. */
const judgeLocation = (operation: Operation, answer: ArmHttpAnswer): PollAnswer => {
  if (answer.status === 202) return running(operation, answer);
  const state = provisioningState(answer.body);
  return state === undefined ? succeeded(answer.body) : byPhase(state, operation, answer);
};

/** The resource tells: a deleted one by being absent. */
const judgeResource = (operation: Operation, answer: ArmHttpAnswer): PollAnswer => {
  const state = provisioningState(answer.body);
  if (operation.verb !== "DELETE") {
    return state === undefined ? succeeded(answer.body) : byPhase(state, operation, answer);
  }
  // A resource keeps the state of its last write until the deletion shows.
  return state !== undefined && phaseOf(state) === "failed"
    ? byPhase(state, operation, answer)
    : running(operation, answer);
};

/** A refused poll: about the poll itself, about an operation that Azure forgot, or how the operation ended. */
const judgeRefusal = (operation: Operation, failure: Failure): Result<PollAnswer> => {
  const { status } = failure;
  if (status === undefined || ofThePoll(status)) return { ok: false, error: failure };
  if (status === 404 || status === 410) {
    const gone = operation.style === "resource" && operation.verb === "DELETE";
    return { ok: true, value: gone ? succeeded(null) : unknown };
  }
  return { ok: true, value: failedWith(failure) };
};

/** Providers may move the place to poll with each answer. */
const moved = (http: ArmHttp, operation: Operation, answer: ArmHttpAnswer): Result<Operation> => {
  const name = operation.style === "asyncOperation" ? "azure-asyncoperation" : "location";
  const link = operation.style === "resource" ? undefined : answer.header(name);
  if (link === undefined) return { ok: true, value: operation };
  const url = trustedUrl(http.cloud, link);
  return url.ok ? { ok: true, value: { ...operation, url: url.value } } : url;
};

const judge = { asyncOperation: judgeAsync, location: judgeLocation, resource: judgeResource } as const;

/** One look at an operation. The URL is used as Azure gave it: its api-version is not that of the resource. */
export const pollArm = async (
  http: ArmHttp,
  operation: Operation,
  target: PollTarget,
): Promise<Result<PollAnswer & Pick<ArmAnswer, "remaining">>> => {
  const { style, url: place } = operation;
  if (style !== "resource" && place === undefined) return { ok: true, value: unknown };
  const url = style === "resource" || place === undefined ? armUrl(http.cloud, target) : trustedUrl(http.cloud, place);
  if (!url.ok) return url;
  const answer = await http.send({ method: "GET", url: url.value });
  if (!answer.ok) return judgeRefusal(operation, answer.error);
  const { remaining } = answer.value;
  const next = moved(http, operation, answer.value);
  if (!next.ok) return next;
  return {
    ok: true,
    value: { ...judge[style](next.value, answer.value), ...(remaining !== undefined && { remaining }) },
  };
};
