import type { Resource, World } from "./armState.ts";
import { flexibleInstanceView, instancesOf } from "./compute/scaleSets.ts";
import { type Json, type JsonObject, listAt, sameText, textAt } from "./json.ts";
import type { Answer } from "./protocol.ts";
import { keyOf, type ResourceTarget } from "./resourceTarget.ts";
import { embeddedIn } from "./rules.ts";
import { find, seen } from "./store.ts";
import { summaryOf, viewOf } from "./view.ts";

/** One page of a list, with the link to the next. */
export const page = (world: World, url: URL, items: readonly Json[]): Answer => {
  const size = world.state.options.pageSize ?? 100;
  const from = Number(url.searchParams.get("$skiptoken") ?? 0) || 0;
  const endpoint = world.state.options.endpoint ?? "https://management.azure.com";
  const next = new URL(url.pathname + url.search, endpoint);
  next.searchParams.set("$skiptoken", String(from + size));
  const more = from + size < items.length;
  return { status: 200, body: { value: items.slice(from, from + size), ...(more ? { nextLink: next.href } : {}) } };
};

const clause = (filter: string, name: string): string | undefined =>
  new RegExp(`(?:^|[\\s(])${name}\\s+eq\\s+'((?:[^']|'')*)'`, "i").exec(filter)?.[1]?.replaceAll("''", "'");

/** Reads the few filters that Resource Manager and its providers know; a part that is not understood lets all pass. */
export const filterOf = (url: URL): ((body: JsonObject) => boolean) => {
  const filter = url.searchParams.get("$filter") ?? "";
  const wanted = (name: string) => clause(filter, name);
  const tagName = wanted("tagName");
  const tagValue = wanted("tagValue");
  const type = wanted("resourceType");
  const name = wanted("name");
  const location = wanted("location");
  const set = wanted("'?virtualMachineScaleSet/id'?");
  const principal = wanted("principalId") ?? /assignedTo\('([^']+)'\)/i.exec(filter)?.[1];
  return (body) =>
    (tagName === undefined || tagMatches(body, tagName, tagValue)) &&
    (type === undefined || sameText(textAt(body, "type"), type)) &&
    (name === undefined || sameText(textAt(body, "name"), name)) &&
    (location === undefined || sameText(textAt(body, "location"), location)) &&
    (set === undefined || keyOf(textAt(body, "properties", "virtualMachineScaleSet", "id")) === keyOf(set)) &&
    (principal === undefined || sameText(textAt(body, "properties", "principalId"), principal));
};

/** Tag names are equal in any case, tag values are not. */
const tagMatches = (body: JsonObject, name: string, value: string | undefined): boolean => {
  const tags = body["tags"];
  if (typeof tags !== "object" || tags === null || Array.isArray(tags)) return false;
  return Object.entries(tags).some(([tag, text]) => sameText(tag, name) && (value === undefined || text === value));
};

const visible = (world: World): readonly Resource[] => {
  const ghosts = [...world.state.ghosts.values()].filter(
    ({ untilMs, resource }) => untilMs > world.nowMs && find(world.state, resource.id) === undefined,
  );
  return [
    ...[...world.state.resources.values()].filter(({ visibleFromMs }) => visibleFromMs <= world.nowMs),
    ...ghosts.map(({ resource }) => resource),
  ];
};

/** All resource groups of a subscription. */
export const listGroups = (world: World, url: URL, subscription: string): Answer => {
  const passes = filterOf(url);
  const prefix = keyOf(`/subscriptions/${subscription}/resourceGroups/`);
  const groups = visible(world).filter(
    ({ key, type }) => sameText(type, "Microsoft.Resources/resourceGroups") && key.startsWith(prefix),
  );
  return page(world, url, groups.map((group) => viewOf(world, group)).filter(passes));
};

/** Everything with a location below a scope, as a short listing. */
export const listResources = (world: World, url: URL, scope: string): Answer => {
  const passes = filterOf(url);
  const prefix = `${keyOf(scope)}/`;
  const found = visible(world).filter(
    ({ key, body, type }) =>
      key.startsWith(prefix) &&
      textAt(body, "location") !== "" &&
      !sameText(type, "Microsoft.Resources/resourceGroups"),
  );
  return page(
    world,
    url,
    found
      .map((resource) => resource.body)
      .filter(passes)
      .map(summaryOf),
  );
};

type Collection = Extract<ResourceTarget, { readonly kind: "collection" }>;

const embedded = (world: World, target: Collection): readonly JsonObject[] | undefined => {
  const place = embeddedIn(`${target.type}/${target.last}`);
  const parent = place === undefined ? undefined : seen(world, target.id);
  if (place === undefined || parent === undefined) return undefined;
  return listAt(viewOf(world, parent), "properties", place.child.collection);
};

const expandOf = (url: URL): string => url.searchParams.get("$expand") ?? "";

const flexible = (world: World, target: Collection, expand: string): readonly JsonObject[] | undefined => {
  if (!sameText(`${target.type}/${target.last}`, "Microsoft.Compute/virtualMachineScaleSets/virtualMachines"))
    return undefined;
  const set = find(world.state, target.id);
  if (!sameText(textAt(set?.body, "properties", "orchestrationMode"), "Flexible") || set === undefined)
    return undefined;
  return instancesOf(world, set).map((instance) => flexibleInstanceView(viewOf(world, instance, expand)));
};

/** GET of a collection: by parent, by resource group, by subscription, or by scope. */
export const listCollection = (world: World, url: URL, target: Collection): Answer => {
  const passes = filterOf(url);
  const inline = embedded(world, target) ?? flexible(world, target, expandOf(url));
  if (inline !== undefined) return page(world, url, inline.filter(passes));
  const type = `${target.type}/${target.last}`;
  const prefix = `${keyOf(target.names.length > 0 ? target.id : target.scope)}/`;
  const all = /^ALL|recordsets$/i.test(target.last);
  const found = visible(world).filter(
    (resource) =>
      resource.key.startsWith(prefix) &&
      (sameText(resource.type, type) || (all && !/virtualNetworkLinks$/i.test(resource.type))),
  );
  const expand = expandOf(url);
  return page(world, url, found.map((resource) => viewOf(world, resource, expand)).filter(passes));
};
