import { classify } from "../core/azureErrors.ts";
import type { Json, Operation, Result } from "../core/types.ts";
import type { Arm, ArmAnswer, ArmRequest } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import type { ArmHttp, ArmHttpAnswer } from "./armHttp.ts";
import { listArm } from "./armList.ts";
import { operationOf, phaseOf, provisioningState } from "./armOperation.ts";
import { pollArm } from "./armPoll.ts";
import { armUrl } from "./armUrl.ts";

const etagOf = (answer: ArmHttpAnswer): string | undefined => {
  const header = answer.header("etag");
  if (header !== undefined) return header;
  const body: Json | undefined = isJsonObject(answer.body) ? (answer.body["etag"] ?? answer.body["eTag"]) : undefined;
  return typeof body === "string" ? body : undefined;
};

/** A write that Azure answers with a resource it has failed to make, without naming an operation. */
const failedAtOnce = (answer: ArmHttpAnswer): Result<never> | undefined => {
  const state = provisioningState(answer.body);
  if (state === undefined || phaseOf(state) === "running" || phaseOf(state) === "succeeded") return undefined;
  const error = { code: "OperationFailed", message: `Azure answered with a resource that is ${state}` };
  return { ok: false, error: { ...classify(answer.status, { error }), kind: "transient" } };
};

const armAnswer = (answer: ArmHttpAnswer, operation: Operation | undefined): ArmAnswer => {
  const etag = etagOf(answer);
  return {
    status: answer.status,
    body: answer.body,
    ...(etag !== undefined && { etag }),
    ...(operation !== undefined && { operation }),
    correlationId: answer.correlationId,
    ...(answer.requestId !== undefined && { requestId: answer.requestId }),
    ...(answer.remaining !== undefined && { remaining: answer.remaining }),
  };
};

const send = async (http: ArmHttp, request: ArmRequest): Promise<Result<ArmAnswer>> => {
  const { method, body, ifMatch, ifNoneMatch } = request;
  const url = armUrl(http.cloud, request);
  if (!url.ok) return url;
  const answer = await http.send({
    method,
    url: url.value,
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(ifNoneMatch !== undefined && { ifNoneMatch }),
  });
  if (!answer.ok) return answer;
  if (method === "GET") return { ok: true, value: armAnswer(answer.value, undefined) };
  const operation = operationOf(http.cloud, method, answer.value);
  if (!operation.ok) return operation;
  const failed = operation.value === undefined && method !== "DELETE" ? failedAtOnce(answer.value) : undefined;
  return failed ?? { ok: true, value: armAnswer(answer.value, operation.value) };
};

/** The port to Resource Manager with one credential: wire JSON in and out, long-running operations as data. */
export const armOver = (http: ArmHttp): Arm => ({
  send: (request) => send(http, request),
  poll: (operation, target) => pollArm(http, operation, target),
  list: (request, mayGoOn) => listArm(http, request, mayGoOn),
});
