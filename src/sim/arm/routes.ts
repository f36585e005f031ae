import { postAction } from "./actions.ts";
import type { World } from "./armState.ts";
import { catalogueAnswer } from "./catalogue/catalogue.ts";
import { groupReady, type Headers, parentReady } from "./checks.ts";
import { deleteChild, getChild, putChild } from "./children.ts";
import { instanceView } from "./compute/virtualMachines.ts";
import type { JsonObject } from "./json.ts";
import { listCollection, listGroups, listResources } from "./lists.ts";
import { notFound } from "./notFound.ts";
import { poll } from "./operations.ts";
import { patchResource } from "./patch.ts";
import { type Answer, firstRefusal, refuse } from "./protocol.ts";
import { putResource } from "./put.ts";
import { deleteResource } from "./remove.ts";
import { resourceGraph } from "./resourceGraph.ts";
import { resourceGroup } from "./resourceGroups.ts";
import type { ResourceTarget } from "./resourceTarget.ts";
import { embeddedIn, typeRules } from "./rules.ts";
import { find, seen } from "./store.ts";
import { provider, providerRegistered, subscriptionGet, subscriptionKnown, subscriptionList } from "./subscriptions.ts";
import { tagsAtScope } from "./tagsAtScope.ts";
import { etagHeader, viewOf } from "./view.ts";

/** A request that has passed the front door. */
export interface RoutedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly sent: JsonObject;
}

type Of<K extends ResourceTarget["kind"]> = Extract<ResourceTarget, { readonly kind: K }>;

const getResource = (world: World, request: RoutedRequest, target: Of<"resource">): Answer => {
  const resource = seen(world, target.id);
  if (resource === undefined)
    return firstRefusal(() => groupReady(world, target.id, false)) ?? notFound(world, target.id);
  if (request.method === "HEAD") return { status: 204 };
  const body = viewOf(world, resource, request.url.searchParams.get("$expand") ?? "");
  return { status: 200, headers: etagHeader(resource), body };
};

const storedResource = (world: World, request: RoutedRequest, target: Of<"resource">): Answer => {
  const { method, sent, headers, url } = request;
  const rules = typeRules(target.type);
  const query = url.searchParams;
  switch (method) {
    case "GET":
    case "HEAD":
      return getResource(world, request, target);
    case "PUT":
      return putResource({ world, rules, name: target, existing: find(world.state, target.id), sent, headers, query });
    case "DELETE":
      return deleteResource(world, rules, target, headers);
    case "PATCH": {
      const resource = find(world.state, target.id);
      return resource === undefined
        ? getResource(world, { ...request, method: "GET" }, target)
        : patchResource(world, rules, resource, sent, headers, query);
    }
    default:
      return refuse(405, "MethodNotAllowed", `${method} is not supported for ${target.type}.`);
  }
};

const embeddedResource = (
  world: World,
  request: RoutedRequest,
  target: Of<"resource">,
  place: NonNullable<ReturnType<typeof embeddedIn>>,
): Answer => {
  const parentId = target.parent ?? "";
  const child = {
    world,
    rules: place.parent,
    child: place.child,
    parentId,
    id: target.id,
    query: request.url.searchParams,
  };
  switch (request.method) {
    case "GET": {
      const parent = seen(world, parentId);
      return parent === undefined
        ? (groupReady(world, target.id, false) ?? notFound(world, parentId))
        : getChild(child, parent);
    }
    case "PUT":
      return putChild(child, request.sent, request.headers);
    case "DELETE":
      return deleteChild(child, request.headers);
    default:
      return refuse(405, "MethodNotAllowed", `${request.method} is not supported for ${target.type}.`);
  }
};

const resource = (world: World, request: RoutedRequest, target: Of<"resource">): Answer => {
  const writes = request.method !== "GET" && request.method !== "HEAD";
  const unregistered = writes ? providerRegistered(world.state, target.subscription, target.namespace) : undefined;
  if (unregistered !== undefined) return unregistered;
  const place = embeddedIn(target.type);
  return place === undefined ? storedResource(world, request, target) : embeddedResource(world, request, target, place);
};

const collection = (world: World, request: RoutedRequest, target: Of<"collection">): Answer => {
  const { method, url, sent } = request;
  const own = target.names.length > 0 ? find(world.state, target.id) : undefined;
  if (method === "POST") {
    const unregistered = providerRegistered(world.state, target.subscription, target.namespace);
    if (unregistered !== undefined) return unregistered;
    return own === undefined ? notFound(world, target.id) : postAction(world, own, target.last, sent);
  }
  if (method !== "GET") return refuse(405, "MethodNotAllowed", `${method} is not supported for a list.`);
  if (own !== undefined && /^instanceView$/i.test(target.last)) return { status: 200, body: instanceView(own) };
  const refusal = firstRefusal(
    () => groupReady(world, target.scope, false),
    () => (target.names.length === 0 ? undefined : parentReady(world, { type: target.type, parent: target.id })),
  );
  return refusal ?? listCollection(world, url, target);
};

const subscriptionOfTarget = (target: ResourceTarget): string => ("subscription" in target ? target.subscription : "");

const listOfSubscription = (world: World, url: URL, { subscription, list }: Of<"subscriptionList">): Answer => {
  if (list === "resourcegroups") return listGroups(world, url, subscription);
  return list === "resources"
    ? listResources(world, url, `/subscriptions/${subscription}`)
    : refuse(404, "InvalidResourceType", `There is no list ${list}.`);
};

/** Finds out what a path names and lets the right part answer. */
export const route = (world: World, request: RoutedRequest, target: ResourceTarget): Answer => {
  const { method, url, sent } = request;
  const unknown = subscriptionKnown(world.state, subscriptionOfTarget(target));
  if (unknown !== undefined) return unknown;
  const looked = method === "GET" ? catalogueAnswer(world, url) : undefined;
  if (looked !== undefined) return looked;
  switch (target.kind) {
    case "subscriptions":
      return subscriptionList(world, url);
    case "subscription":
      return subscriptionGet(target.subscription);
    case "provider":
      return provider(world, method, target);
    case "resourceGroup":
      return resourceGroup(world, method, target.id, sent);
    case "groupResources":
      return groupReady(world, target.scope, false) ?? listResources(world, url, target.scope);
    case "subscriptionList":
      return listOfSubscription(world, url, target);
    case "operation":
      return poll(world, { ...target, result: target.result || url.searchParams.get("monitor") === "true" });
    case "tags":
      return tagsAtScope(world, method, target, sent);
    case "resource":
      return resource(world, request, target);
    case "collection":
      return collection(world, request, target);
    case "tenant":
      return /^\/providers\/microsoft\.resourcegraph\/resources$/i.test(target.path) && method === "POST"
        ? resourceGraph(world, sent)
        : refuse(404, "InvalidResourceType", `${target.path} is not simulated.`);
    case "unknown":
      return refuse(404, "InvalidResourceType", `${target.path} is not a path of Resource Manager.`);
  }
};
