import type { Resource, World } from "./armState.ts";
import { recordChange } from "./changes.ts";
import { busy, groupReady, type Headers, precondition } from "./checks.ts";
import { stampState } from "./complete.ts";
import { propertiesOf, textAt } from "./json.ts";
import { operationHeaders, runningOn, start } from "./operations.ts";
import { durationOf } from "./options.ts";
import { type Answer, firstRefusal, refuse } from "./protocol.ts";
import type { ResourceName } from "./resourceTarget.ts";
import { drop, find, save } from "./store.ts";
import { deleteStyle, type TypeRules } from "./typeRules.ts";
import { viewOf } from "./view.ts";

const gone = (world: World, rules: TypeRules, resource: Resource): void => {
  drop(world, resource);
  rules.removed?.(world, resource);
  recordChange(world, resource, "Delete", undefined);
};

/** A second DELETE joins the first one. */
const joined = (world: World, rules: TypeRules, resource: Resource): Answer | undefined => {
  const operation = runningOn(world.state, resource.operation);
  if (operation?.verb !== "delete") return undefined;
  const { how } = deleteStyle(world, rules);
  return { status: 202, headers: operationHeaders(operation, how === "sync" ? "state" : how, 202) };
};

const startDelete = (world: World, rules: TypeRules, resource: Resource, duration: number): Answer => {
  const style = deleteStyle(world, rules);
  stampState(rules, resource.body, "Deleting");
  save(world.state, resource);
  const operation = start(world, {
    verb: "delete",
    resource: resource.key,
    subscription: resource.id.split("/")[2] ?? "",
    namespace: rules.type.split("/")[0]!,
    location: textAt(resource.body, "location"),
    duration,
    retryAfterSeconds: style.retryAfterSeconds,
    failure: world.failure,
    result: () => undefined,
    finish: (nowMs, failure) => {
      if (world.state.resources.get(resource.key) !== resource) return;
      resource.operation = undefined;
      if (failure === undefined) return gone({ ...world, nowMs }, rules, resource);
      if (rules.hasState !== false) propertiesOf(resource.body)["provisioningState"] = failure.status;
      save(world.state, resource);
    },
  });
  resource.operation = operation.id;
  return { status: 202, headers: operationHeaders(operation, style.how === "sync" ? "state" : style.how, 202) };
};

/** DELETE of a resource that is stored under its own id. */
export const deleteResource = (world: World, rules: TypeRules, name: ResourceName, headers: Headers): Answer => {
  const resource = find(world.state, name.id);
  const noGroup = groupReady(world, name.id, false);
  if (noGroup !== undefined) return noGroup;
  if (resource === undefined) return { status: 204 };
  const again = joined(world, rules, resource);
  if (again !== undefined) return again;
  // A machine can be deleted while it is still being made.
  const interruptible = /^microsoft\.(compute|containerservice)\//i.test(rules.type);
  const refusal = firstRefusal(
    () => precondition(headers, resource.etag),
    () => rules.inUse?.(world, resource),
    () => (interruptible ? undefined : busy(world, resource)),
  );
  if (refusal !== undefined) return refusal;
  const style = deleteStyle(world, rules);
  const duration = style.how === "sync" ? "sync" : durationOf(world.state.options, rules.type, "delete");
  if (duration !== "sync") return startDelete(world, rules, resource, duration);
  if (world.failure !== undefined)
    return refuse(409, textAt(world.failure.error, "code"), textAt(world.failure.error, "message"));
  const body = viewOf(world, resource);
  gone(world, rules, resource);
  return { status: style.done, ...(style.body ? { body } : {}) };
};
