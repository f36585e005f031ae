import type { OperationFailure, Resource, World } from "./armState.ts";
import { recordChange } from "./changes.ts";
import {
  busy,
  childNamesUnique,
  groupReady,
  type Headers,
  locationAllowed,
  parentReady,
  precondition,
  referencesResolve,
  zonesAllowed,
} from "./checks.ts";
import { complete, namedChildren, newEtag, stampEtag, stampState, withoutVolatile } from "./complete.ts";
import { detach } from "./detach.ts";
import { clone, type JsonObject, same, textAt } from "./json.ts";
import { operationHeaders, start } from "./operations.ts";
import { durationOf } from "./options.ts";
import { type Answer, errorBody, firstRefusal, refuse } from "./protocol.ts";
import { keyOf, type ResourceName } from "./resourceTarget.ts";
import { referencesTo, save } from "./store.ts";
import { type Draft, type PutStyle, putStyle, type TypeRules } from "./typeRules.ts";
import { etagHeader, viewForWriter, viewOf } from "./view.ts";

/** Children that a PUT of the parent leaves out. */
const removedChildren = (draft: Draft): readonly string[] => {
  if (draft.existing === undefined) return [];
  const kept = new Set(namedChildren(draft.rules, draft.body).map((child) => keyOf(textAt(child, "id"))));
  return namedChildren(draft.rules, draft.existing.body)
    .map((child) => textAt(child, "id"))
    .filter((id) => !kept.has(keyOf(id)));
};

/** A child that others use cannot be left out; what may be left out leaves no reference behind. */
const childrenFree = (draft: Draft): Answer | undefined => {
  for (const id of removedChildren(draft)) {
    const refusal = draft.rules.childInUse?.(draft.world, id, outside(draft, id));
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};

const outside = (draft: Draft, id: string) =>
  referencesTo(draft.world.state, id).filter((reference) => reference.holder !== keyOf(draft.id));

const unchanged = (draft: Draft): boolean =>
  draft.existing !== undefined &&
  /^(Succeeded|)$/.test(textAt(draft.existing.body, "properties", "provisioningState")) &&
  same(withoutVolatile(draft.existing.body), withoutVolatile(draft.body)) &&
  Object.entries(draft.secrets).every(([name, value]) => same(draft.existing?.secrets[name], value));

const failureOf = (draft: Draft): OperationFailure | undefined => {
  if (draft.world.failure !== undefined) return draft.world.failure;
  const error = draft.rules.fails?.(draft);
  return error === undefined ? undefined : { status: "Failed", error: errorBody(error) };
};

const settled = (world: World, rules: TypeRules, resource: Resource, failure: OperationFailure | undefined): void => {
  stampState(rules, resource.body, failure === undefined ? "Succeeded" : failure.status);
  if (failure === undefined) rules.provisioned?.(world, resource);
  save(world.state, resource);
};

const stored = (draft: Draft): Resource => {
  const { world, existing, id, type } = draft;
  const resource: Resource = existing ?? {
    key: keyOf(id),
    id,
    type,
    body: draft.body,
    etag: "",
    createdAtMs: world.nowMs,
    operation: undefined,
    visibleFromMs: world.nowMs + (world.state.options.consistency?.hiddenAfterPutMs ?? 0),
    secrets: {},
    notes: {},
  };
  resource.body = draft.body;
  Object.assign(resource.secrets, draft.secrets);
  return resource;
};

const renew = (world: World, rules: TypeRules, resource: Resource): void => {
  resource.etag = newEtag(world, rules);
  stampEtag(rules, resource.body, resource.etag);
};

const done = (
  draft: Draft,
  resource: Resource,
  status: number,
  before: JsonObject | undefined,
  failure: OperationFailure | undefined,
): Answer => {
  const { world, rules } = draft;
  settled(world, rules, resource, failure);
  recordChange(world, resource, before === undefined ? "Create" : "Update", before);
  if (failure !== undefined) return refuse(409, textAt(failure.error, "code"), textAt(failure.error, "message"));
  const located = before === undefined && putStyle(world, rules).located === true;
  const body = viewForWriter(world, resource);
  return { status, headers: { ...etagHeader(resource), ...(located ? { location: textAt(body, "id") } : {}) }, body };
};

const untagged = (body: JsonObject): JsonObject => ({ ...body, tags: {} });

const onlyTags = ({ existing, body }: Draft): boolean =>
  existing !== undefined && same(withoutVolatile(untagged(existing.body)), withoutVolatile(untagged(body)));

const styleOf = (draft: Draft): PutStyle => {
  const style = putStyle(draft.world, draft.rules);
  if (style.tagsAtOnce === true && onlyTags(draft)) return { ...style, atOnce: true };
  if (draft.existing === undefined || !("updateRetryAfterSeconds" in style)) return style;
  return { ...style, retryAfterSeconds: style.updateRetryAfterSeconds };
};

/** The PUT is accepted: store it and start what takes time. */
export const accept = (draft: Draft): Answer => {
  const { world, rules, existing } = draft;
  const style = styleOf(draft);
  const status = existing === undefined ? style.created : style.updated;
  if (existing !== undefined && unchanged(draft)) return settledAnswer(draft, existing, status);
  for (const id of removedChildren(draft)) detach(world, id);
  const before = existing === undefined ? undefined : clone(existing.body);
  const resource = stored(draft);
  renew(world, rules, resource);
  const duration = style.how === "sync" ? "sync" : durationOf(world.state.options, rules.type, "put");
  const failure = failureOf(draft);
  if (duration === "sync") return done(draft, resource, status, before, failure);
  if (style.atOnce) settled(world, rules, resource, undefined);
  else stampState(rules, resource.body, before === undefined ? style.creating : style.updating);
  save(world.state, resource);
  recordChange(world, resource, before === undefined ? "Create" : "Update", before);
  const operation = begin(draft, style, resource, duration, failure);
  const body = style.body ? viewForWriter(world, resource) : {};
  return { status, headers: operationHeaders(operation, style.how === "sync" ? "state" : style.how, status), body };
};

const begin = (
  { world, rules }: Draft,
  style: PutStyle,
  resource: Resource,
  duration: number,
  failure: OperationFailure | undefined,
) => {
  const operation = start(world, {
    verb: "put",
    resource: resource.key,
    subscription: resource.id.split("/")[2] ?? "",
    namespace: rules.type.split("/")[0]!,
    location: textAt(resource.body, "location"),
    duration,
    retryAfterSeconds: style.atOnce ? undefined : style.retryAfterSeconds,
    failure,
    result: () => viewOf({ ...world, failure: undefined }, resource),
    finish: (nowMs, ended) => {
      if (world.state.resources.get(resource.key) !== resource) return;
      if (resource.operation === operation.id) resource.operation = undefined;
      if (textAt(resource.body, "properties", "provisioningState") === "Deleting") return;
      if (!style.atOnce) renew(world, rules, resource);
      settled({ ...world, nowMs }, rules, resource, ended);
    },
  });
  resource.operation = operation.id;
  return operation;
};

/** Nothing changed: the etag stays, and the operation that Azure names anyway is done when it is first asked for. */
const settledAnswer = (draft: Draft, existing: Resource, status: number): Answer => {
  const { world, rules } = draft;
  const style = putStyle(world, rules);
  const body = style.body ? viewForWriter(world, existing) : {};
  if (style.how !== "operation" || durationOf(world.state.options, rules.type, "put") === "sync")
    return { status: style.body ? status : 200, headers: etagHeader(existing), body: viewForWriter(world, existing) };
  const operation = start(world, {
    verb: "put",
    resource: existing.key,
    subscription: existing.id.split("/")[2] ?? "",
    namespace: rules.type.split("/")[0]!,
    location: textAt(existing.body, "location"),
    duration: 0,
    retryAfterSeconds: undefined,
    failure: undefined,
    result: () => viewOf(world, existing),
    finish: () => undefined,
  });
  return { status, headers: operationHeaders(operation, "operation", status), body };
};

export interface PutRequest {
  readonly world: World;
  readonly rules: TypeRules;
  readonly name: ResourceName;
  readonly existing: Resource | undefined;
  readonly sent: JsonObject;
  readonly headers: Headers;
  readonly query: URLSearchParams;
}

/** PUT of a resource that is stored under its own id. */
export const putResource = ({ world, rules, name, existing, sent, headers, query }: PutRequest): Answer => {
  const early = firstRefusal(
    () => groupReady(world, name.id, true),
    () => parentReady(world, name),
    () => precondition(headers, existing?.etag),
    () => busy(world, existing),
  );
  if (early !== undefined) return early;
  const draft = complete(world, rules, name.id, sent, existing, query);
  const late = firstRefusal(
    () => locationAllowed(draft),
    () => zonesAllowed(draft),
    () => childNamesUnique(draft),
    () => rules.check?.(draft),
    () => childrenFree(draft),
    () => referencesResolve(draft),
  );
  return late ?? accept(draft);
};
