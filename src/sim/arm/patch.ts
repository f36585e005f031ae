import type { Resource, World } from "./armState.ts";
import { recordChange } from "./changes.ts";
import { busy, groupReady, type Headers, precondition } from "./checks.ts";
import { complete, newEtag, stampEtag, stampState } from "./complete.ts";
import { clone, isObject, type JsonObject, mergePatch } from "./json.ts";
import { type Answer, firstRefusal } from "./protocol.ts";
import { accept } from "./put.ts";
import { save } from "./store.ts";
import { putStyle, type TypeRules } from "./typeRules.ts";
import { etagHeader, viewOf } from "./view.ts";

const patchTags = (world: World, rules: TypeRules, resource: Resource, sent: JsonObject): Answer => {
  const before = clone(resource.body);
  const tags = sent["tags"];
  if (isObject(tags)) resource.body["tags"] = clone(tags);
  resource.etag = newEtag(world, rules);
  stampEtag(rules, resource.body, resource.etag);
  save(world.state, resource);
  recordChange(world, resource, "Update", before);
  return { status: 200, headers: etagHeader(resource), body: viewOf(world, resource) };
};

/** PATCH: tags only for network and AKS, a merge patch for the rest. */
export const patchResource = (
  world: World,
  rules: TypeRules,
  resource: Resource,
  sent: JsonObject,
  headers: Headers,
  query: URLSearchParams,
): Answer => {
  const refusal = firstRefusal(
    () => groupReady(world, resource.id, true),
    () => precondition(headers, resource.etag),
    () => busy(world, resource),
  );
  if (refusal !== undefined) return refusal;
  if (rules.patch === "tags") return patchTags(world, rules, resource, sent);
  const merged = mergePatch(resource.body, sent);
  const draft = complete(world, rules, resource.id, isObject(merged) ? merged : {}, resource, query);
  const late = rules.check?.(draft);
  if (late !== undefined) return late;
  if (putStyle(world, rules).how !== "sync") stampState(rules, draft.body, "Updating");
  return accept(draft);
};
