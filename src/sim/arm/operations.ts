import type { ArmState, Operation, OperationFailure, World } from "./armState.ts";
import { nextGuid } from "./armState.ts";
import { type JsonObject, objectAt } from "./json.ts";
import type { Duration } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";

const dayMs = 86_400_000;
/** Length of the signature that Azure appends to operation URLs, as recorded in 2026. */
const signature = `&t=639160000000000000&c=${"MIIHpTCCBo2gAwIBAgITfwTYu0qoRwcN0b".repeat(82)}&s=${"Xv3-".repeat(86)}&h=c2ltdWxhdGVkLXNpZ25hdHVyZQ`;

export interface OperationRequest {
  readonly verb: Operation["verb"];
  readonly resource: string;
  readonly subscription: string;
  /** Provider namespace; "" for resource groups, whose operations have a place of their own. */
  readonly namespace: string;
  readonly location: string;
  readonly duration: Exclude<Duration, "sync">;
  readonly retryAfterSeconds: number | undefined;
  readonly finish: Operation["finish"];
  readonly result: Operation["result"];
  readonly failure: OperationFailure | undefined;
}

const endpointOf = (state: ArmState): string => state.options.endpoint ?? "https://management.azure.com";

const retryAfter = (state: ArmState, wanted: number | undefined): number | undefined => {
  const forced = state.options.retryAfterSeconds;
  if (forced === "none") return undefined;
  return forced ?? wanted;
};

const isDns = (resource: string): boolean => /\/microsoft\.network\/privatednszones\//.test(resource);
const isDisk = (resource: string): boolean => /\/microsoft\.compute\/disks\/[^/]+$/.test(resource);

/** Resources whose operations could notify instead of being polled; children could not, subnets excepted. */
const canNotify = (resource: string): boolean =>
  /\/microsoft\.network\/(?!privatednszones)[^/]+\/[^/]+(\/subnets\/[^/]+)?$/.test(resource) ||
  /\/microsoft\.compute\/virtualmachine(scaleset)?s\/[^/]+$/.test(resource);

/** Where Azure keeps an operation: most in a region, those of private DNS in the resource group. */
const placeOf = ({ subscription, namespace, location, resource }: OperationRequest, id: string): string => {
  if (namespace === "") return `/subscriptions/${subscription}/operationresults/${id}`;
  if (isDns(resource))
    return `${resource.slice(0, resource.indexOf("/providers/"))}/providers/${namespace}/privateDnsOperationStatuses/${id}`;
  const operations = isDisk(resource) ? "DiskOperations" : "operations";
  return `/subscriptions/${subscription}/providers/${namespace}/locations/${location || "global"}/${operations}/${id}`;
};

/** The operations of AKS have an api-version of their own, older than any of its resources. */
const versionOf = (world: World, { namespace }: OperationRequest): string =>
  /^microsoft\.containerservice$/i.test(namespace) ? "2016-03-30" : world.apiVersion;

/** Puts an operation on its way. It ends at the first request at or after its time. */
export const start = (world: World, request: OperationRequest): Operation => {
  const { state, nowMs } = world;
  const id = nextGuid(state);
  const place = placeOf(request, id);
  const signed = (state.options.signedUrls ?? true) ? signature : "";
  const operation: Operation = {
    id,
    subscription: request.subscription,
    namespace: request.namespace,
    verb: request.verb,
    resource: request.resource,
    startedAtMs: nowMs,
    readyAtMs: nowMs + request.duration,
    retryAfterSeconds: retryAfter(state, request.retryAfterSeconds),
    url: `${endpointOf(state)}${place}?api-version=${versionOf(world, request)}${signed}`,
    failure: request.failure,
    finish: request.finish,
    result: request.result,
    status: "InProgress",
    endedAtMs: undefined,
  };
  state.operations.set(id, operation);
  state.pending.add(operation);
  return operation;
};

/** The same operation as a Location URL, in the form of its provider. */
export const locationUrl = ({ url, namespace }: Operation): string => {
  if (/^microsoft\.compute$/i.test(namespace)) return url.replace("?", "?monitor=true&");
  const results = /^microsoft\.containerservice$/i.test(namespace) ? "operationresults" : "operationResults";
  return url
    .replace("/privateDnsOperationStatuses/", "/privateDnsOperationResults/")
    .replace(/\/operations\/([^/?]+)/, `/${results}/$1`);
};

const end = (state: ArmState, operation: Operation): void => {
  state.pending.delete(operation);
  operation.status = operation.failure?.status ?? "Succeeded";
  operation.endedAtMs = operation.readyAtMs;
  operation.finish(operation.readyAtMs, operation.failure);
};

/** Ends every operation whose time has come, in the order of their times. */
export const settle = (state: ArmState, nowMs: number): void => {
  const due = [...state.pending].filter((operation) => operation.readyAtMs <= nowMs);
  for (const operation of due.toSorted((left, right) => left.readyAtMs - right.readyAtMs)) end(state, operation);
  const lifetimeMs = state.options.operationLifetimeMs ?? dayMs;
  // In the order of their starts: what started too late to have expired ends the search.
  for (const operation of state.operations.values()) {
    if (operation.startedAtMs + lifetimeMs > nowMs) return;
    if (operation.endedAtMs !== undefined && operation.endedAtMs + lifetimeMs <= nowMs)
      state.operations.delete(operation.id);
  }
};

/** Ends everything that runs, whatever its time. */
export const finishAll = (state: ArmState): void => {
  for (const operation of state.pending) end(state, operation);
};

/** The operation that still runs on a resource. */
export const runningOn = (state: ArmState, operationId: string | undefined): Operation | undefined => {
  const operation = operationId === undefined ? undefined : state.operations.get(operationId);
  return operation?.status === "InProgress" ? operation : undefined;
};

const statusBody = (operation: Operation): JsonObject => {
  const error = operation.status === "InProgress" ? undefined : operation.failure?.error;
  const base: JsonObject = { status: operation.status, ...(error === undefined ? {} : { error }) };
  if (/^microsoft\.network$/i.test(operation.namespace)) return base;
  const output = isDisk(operation.resource) && operation.status === "Succeeded" ? operation.result() : undefined;
  return {
    startTime: new Date(operation.startedAtMs).toISOString(),
    ...(operation.endedAtMs === undefined ? {} : { endTime: new Date(operation.endedAtMs).toISOString() }),
    name: operation.id,
    ...(output === undefined ? {} : { properties: { output } }),
    ...base,
  };
};

const locationAnswer = (operation: Operation, retry: Readonly<Record<string, string>>): Answer => {
  if (operation.status === "InProgress")
    return { status: 202, headers: { location: locationUrl(operation), ...retry } };
  const error = objectAt(operation.failure?.error);
  if (operation.failure !== undefined) return { status: 409, body: { error } };
  const body = operation.result();
  if (body !== undefined) return { status: 200, body };
  return { status: operation.namespace === "" ? 200 : 204 };
};

/** GET of an operation URL. */
export const poll = (world: World, target: { readonly operation: string; readonly result: boolean }): Answer => {
  const operation = world.state.operations.get(target.operation);
  if (operation === undefined)
    return refuse(404, "NotFound", `The operation '${target.operation}' was not found or has expired.`);
  const seconds = operation.status === "InProgress" ? operation.retryAfterSeconds : undefined;
  const retry: Record<string, string> = seconds === undefined ? {} : { "retry-after": String(seconds) };
  if (target.result) return locationAnswer(operation, retry);
  // Private DNS answers as if the write were accepted anew.
  if (operation.status === "InProgress" && isDns(operation.resource))
    return { status: 202, headers: operationHeaders(operation, "operation", 202), body: statusBody(operation) };
  return { status: 200, headers: retry, body: statusBody(operation) };
};

/** Headers with which an accepted write names its operation. */
export const operationHeaders = (
  operation: Operation,
  how: "operation" | "location" | "state",
  status: number,
): Readonly<Record<string, string>> => {
  const retry: Record<string, string> =
    operation.retryAfterSeconds === undefined ? {} : { "retry-after": String(operation.retryAfterSeconds) };
  if (how === "state") return retry;
  if (how === "location") return { location: locationUrl(operation), ...retry };
  return {
    "azure-asyncoperation": operation.url,
    ...(canNotify(operation.resource) ? { "azure-asyncnotification": "Enabled" } : {}),
    ...(status === 202 ? { location: locationUrl(operation) } : {}),
    ...retry,
  };
};
