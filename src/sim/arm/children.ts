import type { Resource, World } from "./armState.ts";
import { recordChange } from "./changes.ts";
import { busy, groupReady, type Headers, precondition, referencesResolve } from "./checks.ts";
import { complete, newEtag, stampEtag, stampState, withoutVolatile } from "./complete.ts";
import { detach } from "./detach.ts";
import { clone, type Json, type JsonObject, listAt, propertiesOf, same, sameText, textAt } from "./json.ts";
import { justDeleted, notFound } from "./notFound.ts";
import { operationHeaders, runningOn, start } from "./operations.ts";
import { durationOf } from "./options.ts";
import { type Answer, firstRefusal, refuse } from "./protocol.ts";
import { keyOf, nameOf } from "./resourceTarget.ts";
import { find, referencesTo, save } from "./store.ts";
import { type ChildRules, deleteStyle, putStyle, type TypeRules } from "./typeRules.ts";
import { etagHeader, viewOfChild } from "./view.ts";

/** A child that lives in its parent's body, addressed by its own URL. */
export interface ChildTarget {
  readonly world: World;
  readonly rules: TypeRules;
  readonly child: ChildRules;
  readonly parentId: string;
  readonly id: string;
  readonly query: URLSearchParams;
}

const namesIn = (parent: Resource, collection: string): JsonObject[] => listAt(parent.body, "properties", collection);

const current = (target: ChildTarget, parent: Resource): JsonObject | undefined =>
  namesIn(parent, target.child.collection).find((item) => sameText(textAt(item, "name"), nameOf(target.id)));

const childId = (target: ChildTarget, parent: Resource): string =>
  `${parent.id}/${target.child.collection}/${textAt(current(target, parent), "name") || nameOf(target.id)}`;

const childNotFound = (id: string): Answer => refuse(404, "NotFound", `Resource ${id} not found.`, { details: [] });

/** GET of one child. */
export const getChild = (target: ChildTarget, parent: Resource): Answer => {
  const body = viewOfChild(target.world, parent, target.child.collection, childId(target, parent));
  return body === undefined ? childNotFound(target.id) : { status: 200, headers: etagHeader(parent), body };
};

const withChild = (target: ChildTarget, parent: Resource, sent: JsonObject): JsonObject => {
  const body = clone(parent.body);
  const before = current(target, parent);
  const item: JsonObject = { ...clone(sent), name: before?.["name"] ?? nameOf(target.id) };
  const items: Json[] = listAt(body, "properties", target.child.collection);
  const at = before === undefined ? -1 : namesIn(parent, target.child.collection).indexOf(before);
  propertiesOf(body)[target.child.collection] = at < 0 ? [...items, item] : items.with(at, item);
  return body;
};

const childState = (target: ChildTarget, parent: Resource, state: string): void => {
  const item = current(target, parent);
  if (item !== undefined) propertiesOf(item)["provisioningState"] = state;
};

const renew = (world: World, rules: TypeRules, parent: Resource): void => {
  parent.etag = newEtag(world, rules);
  stampEtag(rules, parent.body, parent.etag);
};

const operate = (
  target: ChildTarget,
  parent: Resource,
  verb: "put" | "delete",
  duration: number,
  done: (world: World) => void,
) => {
  const { world, rules } = target;
  const type = `${rules.type}/${target.child.collection}`;
  const style = putStyle(world, rules);
  const operation = start(world, {
    verb: verb === "delete" ? "action" : "put",
    resource: keyOf(target.id),
    subscription: parent.id.split("/")[2] ?? "",
    namespace: type.split("/")[0]!,
    location: textAt(parent.body, "location"),
    duration,
    retryAfterSeconds:
      target.child.retryAfterSeconds ??
      (verb === "delete" ? deleteStyle(world, rules).retryAfterSeconds : style.retryAfterSeconds),
    failure: world.failure,
    result: () => viewOfChild(world, parent, target.child.collection, target.id),
    finish: (nowMs, failure) => {
      if (world.state.resources.get(parent.key) !== parent) return;
      const last = parent.operation === operation.id;
      if (last) parent.operation = undefined;
      if (textAt(parent.body, "properties", "provisioningState") === "Deleting") return;
      if (failure === undefined) {
        if (last) stampState(rules, parent.body, "Succeeded");
        else childState(target, parent, "Succeeded");
        done({ ...world, nowMs });
      } else {
        childState(target, parent, failure.status);
        propertiesOf(parent.body)["provisioningState"] = failure.status;
      }
      renew(world, rules, parent);
      save(world.state, parent);
    },
  });
  parent.operation = operation.id;
  return operation;
};

/** Items that are apart wait for their parent and for themselves, not for each other. */
const childBusy = (target: ChildTarget, parent: Resource): Answer | undefined => {
  const running = runningOn(target.world.state, parent.operation);
  const another = running !== undefined && running.resource !== parent.key && running.resource !== keyOf(target.id);
  return target.child.apart === true && another ? undefined : busy(target.world, parent);
};

const ready = (target: ChildTarget, parent: Resource, headers: Headers): Answer | undefined =>
  firstRefusal(
    () =>
      target.child.writable ? undefined : refuse(405, "MethodNotAllowed", `${target.id} is written with its parent.`),
    () => precondition(headers, current(target, parent) === undefined ? undefined : parent.etag),
    () => childBusy(target, parent),
  );

const noParent = ({ rules, child, parentId }: ChildTarget): Answer =>
  refuse(
    404,
    "ParentResourceNotFound",
    `Failed to perform 'write' on resource(s) of type '${rules.type.split("/").slice(1).join("/")}/${child.collection}', because the parent resource '${parentId}' could not be found.`,
  );

/** Stores the parent with its changed child; false when nothing changed. */
const storeChild = (target: ChildTarget, parent: Resource, body: JsonObject, settledAtOnce: boolean): boolean => {
  const { world, rules } = target;
  const before = clone(parent.body);
  const changed = !same(withoutVolatile(before), withoutVolatile(body));
  parent.body = body;
  if (changed) renew(world, rules, parent);
  else stampEtag(rules, parent.body, parent.etag);
  if (runningOn(world.state, parent.operation) === undefined) stampState(rules, parent.body, "Succeeded");
  if (settledAtOnce || !changed) rules.provisioned?.(world, parent);
  else {
    childState(target, parent, putStyle(world, rules).updating);
    propertiesOf(parent.body)["provisioningState"] = "Updating";
  }
  save(world.state, parent);
  if (changed) recordChange(world, parent, "Update", before);
  return changed;
};

const acceptChild = (target: ChildTarget, parent: Resource, id: string, body: JsonObject): Answer => {
  const { world, rules, child } = target;
  const style = putStyle(world, rules);
  const status = current(target, parent) === undefined ? style.created : style.updated;
  const duration = durationOf(world.state.options, `${rules.type}/${child.collection}`, "put");
  const changed = storeChild(target, parent, body, style.atOnce || duration === "sync");
  const shown = viewOfChild(world, parent, child.collection, id) ?? {};
  if (duration === "sync") return { status, headers: etagHeader(parent), body: shown };
  const operation = operate(target, parent, "put", changed ? duration : 0, (later) =>
    rules.provisioned?.(later, parent),
  );
  return { status, headers: operationHeaders(operation, "operation", status), body: shown };
};

/** PUT of one child: the parent is updated with it. */
export const putChild = (target: ChildTarget, sent: JsonObject, headers: Headers): Answer => {
  const { world, rules } = target;
  const noGroup = groupReady(world, target.id, true);
  const parent = find(world.state, target.parentId);
  if (noGroup !== undefined || parent === undefined) return noGroup ?? noParent(target);
  const early = ready(target, parent, headers);
  if (early !== undefined) return early;
  const id = childId(target, parent);
  const draft = complete(world, rules, parent.id, withChild(target, parent, sent), parent, target.query, id);
  const late = firstRefusal(
    () => rules.check?.(draft),
    () => referencesResolve(draft, id),
  );
  return late ?? acceptChild(target, parent, id, draft.body);
};

const takeOut = (target: ChildTarget, parent: Resource, world: World): void => {
  const before = clone(parent.body);
  propertiesOf(parent.body)[target.child.collection] = namesIn(parent, target.child.collection).filter(
    (item) => !sameText(textAt(item, "name"), nameOf(target.id)),
  );
  save(world.state, parent);
  detach(world, target.id);
  target.rules.provisioned?.(world, parent);
  save(world.state, parent);
  recordChange(world, parent, "Update", before);
};

/** DELETE of one child. */
export const deleteChild = (target: ChildTarget, headers: Headers): Answer => {
  const { world, rules, child } = target;
  const noGroup = groupReady(world, target.id, false);
  if (noGroup !== undefined) return noGroup;
  const parent = find(world.state, target.parentId);
  // The gateway looks for the parent first, unless the provider still remembers it.
  if (parent === undefined && !justDeleted(world, target.parentId)) return notFound(world, target.parentId);
  if (parent === undefined || current(target, parent) === undefined) return { status: 204 };
  const id = childId(target, parent);
  const refusal = firstRefusal(
    () => ready(target, parent, headers),
    () =>
      rules.childInUse?.(
        world,
        id,
        referencesTo(world.state, id).filter((reference) => reference.holder !== parent.key),
      ),
  );
  if (refusal !== undefined) return refusal;
  const duration = durationOf(world.state.options, `${rules.type}/${child.collection}`, "delete");
  if (duration === "sync") {
    takeOut(target, parent, world);
    renew(world, rules, parent);
    return { status: 200 };
  }
  childState(target, parent, "Deleting");
  propertiesOf(parent.body)["provisioningState"] = "Updating";
  save(world.state, parent);
  const operation = operate(target, parent, "delete", duration, (later) => takeOut(target, parent, later));
  return { status: 202, headers: operationHeaders(operation, "operation", 202) };
};
