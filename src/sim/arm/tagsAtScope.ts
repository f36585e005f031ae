import type { Resource, World } from "./armState.ts";
import { recordChange } from "./changes.ts";
import { groupReady } from "./checks.ts";
import { newEtag, stampEtag } from "./complete.ts";
import { clone, type JsonObject, objectAt, sameText, textAt } from "./json.ts";
import { type Answer, firstRefusal, refuse } from "./protocol.ts";
import { newResource } from "./resource.ts";
import { keyOf } from "./resourceTarget.ts";
import { typeRules } from "./rules.ts";
import { find, save, seen } from "./store.ts";

/** Azure allows fifty tags on a resource. */
const most = 50;

const without = (tags: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(tags).filter(([tag]) => !sameText(tag, name)));

/** Tag names are equal in any case; the new spelling wins. */
const merged = (tags: JsonObject, added: JsonObject): JsonObject =>
  Object.entries(added).reduce<JsonObject>((all, [name, value]) => ({ ...without(all, name), [name]: value }), tags);

const removed = (tags: JsonObject, gone: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(tags).filter(
      ([tag, value]) =>
        !Object.entries(gone).some(([name, was]) => sameText(tag, name) && (was === "" || was === value)),
    ),
  );

const patched = (tags: JsonObject, operation: string, given: JsonObject): JsonObject | undefined => {
  switch (operation.toLowerCase()) {
    case "merge":
      return merged(tags, given);
    case "replace":
      return given;
    case "delete":
      return removed(tags, given);
    default:
      return undefined;
  }
};

const shown = (id: string, resource: Resource): Answer => ({
  status: 200,
  body: {
    id,
    name: "default",
    type: "Microsoft.Resources/tags",
    properties: { tags: clone(objectAt(resource.body, "tags")) },
  },
});

/** Subscriptions carry tags too; they are kept as a resource of their own. */
const holderOf = (world: World, scope: string): Resource | undefined => {
  const subscription = /^\/subscriptions\/[^/]+$/i.test(scope);
  const resource = subscription ? find(world.state, scope) : seen(world, scope);
  if (resource !== undefined || !subscription) return resource;
  const created = newResource(world, scope, "Microsoft.Resources/subscriptions", {});
  save(world.state, created);
  return created;
};

const write = (world: World, id: string, resource: Resource, tags: JsonObject | undefined): Answer => {
  if (tags === undefined)
    return refuse(400, "InvalidTagPatchOperation", "The operation must be one of Merge, Replace and Delete.");
  if (Object.keys(tags).length > most) return refuse(400, "TooManyTags", `The resource can have at most ${most} tags.`);
  const before = clone(resource.body);
  resource.body["tags"] = clone(tags);
  const rules = typeRules(resource.type);
  resource.etag = newEtag(world, rules);
  stampEtag(rules, resource.body, resource.etag);
  save(world.state, resource);
  recordChange(world, resource, "Update", before);
  return shown(id, resource);
};

/** `{scope}/providers/Microsoft.Resources/tags/default`. */
export const tagsAtScope = (
  world: World,
  method: string,
  target: { readonly scope: string; readonly id: string },
  sent: JsonObject,
): Answer => {
  const group =
    keyOf(target.scope).split("/").length === 5 ? undefined : groupReady(world, target.scope, method !== "GET");
  const resource = holderOf(world, target.scope);
  const refusal = firstRefusal(
    () => group,
    () =>
      resource === undefined
        ? refuse(404, "ResourceNotFound", `The Resource '${target.scope}' was not found.`)
        : undefined,
  );
  if (refusal !== undefined || resource === undefined) return refusal ?? { status: 404 };
  const given = objectAt(sent, "properties", "tags");
  switch (method) {
    case "GET":
      return shown(target.id, resource);
    case "PUT":
      return write(world, target.id, resource, given);
    case "PATCH":
      return write(
        world,
        target.id,
        resource,
        patched(objectAt(resource.body, "tags"), textAt(sent, "operation"), given),
      );
    case "DELETE":
      write(world, target.id, resource, {});
      return { status: 200 };
    default:
      return refuse(405, "MethodNotAllowed", `${method} is not supported for tags.`);
  }
};
