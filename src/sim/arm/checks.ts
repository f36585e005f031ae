import type { Resource, World } from "./armState.ts";
import { isRegion, zonesOf } from "./catalogue/regions.ts";
import { canonicalLocation } from "./complete.ts";
import { listAt, sameText, textAt, textsAt } from "./json.ts";
import { runningOn } from "./operations.ts";
import { type Answer, refuse } from "./protocol.ts";
import { groupIdOf, groupOf, keyOf, nameOf } from "./resourceTarget.ts";
import { find, located, referencesIn } from "./store.ts";
import type { Draft, TypeRules } from "./typeRules.ts";

export type Headers = Readonly<Record<string, string | undefined>>;

const bare = (etag: string): string => etag.trim().replace(/^W\//, "").replaceAll('"', "");

/** If-Match and If-None-Match against the current etag; undefined means there is no resource. */
export const precondition = (headers: Headers, etag: string | undefined): Answer | undefined => {
  const match = headers["if-match"];
  const noneMatch = headers["if-none-match"];
  const fails =
    (match !== undefined && (etag === undefined || (match !== "*" && bare(match) !== bare(etag)))) ||
    (noneMatch !== undefined && etag !== undefined && (noneMatch === "*" || bare(noneMatch) === bare(etag)));
  return fails
    ? refuse(412, "PreconditionFailed", "The condition specified using HTTP conditional header(s) is not met.")
    : undefined;
};

/** Whether another operation still runs on a resource. */
export const busy = (world: World, resource: Resource | undefined): Answer | undefined => {
  const operation = runningOn(world.state, resource?.operation);
  if (operation === undefined || resource === undefined) return undefined;
  if (/^microsoft\.network\//i.test(resource.type))
    return refuse(
      429,
      "AnotherOperationInProgress",
      `Another operation on this or dependent resource is in progress. To retrieve status of the operation use uri: ${operation.url.split("?")[0]}.`,
      { retryAfterSeconds: 2, details: [] },
    );
  return refuse(
    409,
    "OperationNotAllowed",
    `Operation is not allowed because there is an in progress ${operation.verb} operation on resource ${resource.id}.`,
  );
};

/** The resource group exists, and is not on its way out when something is written into it. */
export const groupReady = (world: World, id: string, writing: boolean): Answer | undefined => {
  const groupId = groupIdOf(id);
  if (groupId === undefined) return undefined;
  const group = find(world.state, groupId);
  if (group === undefined)
    return refuse(404, "ResourceGroupNotFound", `Resource group '${groupOf(id)}' could not be found.`);
  if (writing && textAt(group.body, "properties", "provisioningState") === "Deleting")
    return refuse(
      409,
      "ResourceGroupBeingDeleted",
      `The resource group '${nameOf(group.id)}' is in deprovisioning state and cannot perform this operation.`,
    );
  return undefined;
};

const shortType = (type: string): string => type.slice(type.indexOf("/") + 1);

/** Location of a PUT: present, known, and the one that the resource has. */
export const locationAllowed = (draft: Draft): Answer | undefined => {
  const { rules, existing, world, sent, id } = draft;
  const wanted = rules.location ?? "required";
  if (wanted === "none") return undefined;
  const location = textAt(sent, "location");
  if (location === "")
    return wanted === "optional"
      ? undefined
      : refuse(400, "LocationRequired", "The location property is required for this definition.");
  const before = textAt(existing?.body, "location");
  if (before !== "" && canonicalLocation(before) !== canonicalLocation(location))
    return refuse(
      409,
      "InvalidResourceLocation",
      `The resource '${nameOf(id)}' already exists in location '${before}' in resource group '${groupOf(id)}'. A resource with the same name cannot be created in location '${location}'. Please select a new resource name.`,
    );
  const known = wanted === "global" ? sameText(location, "global") : isRegion(location) || sameText(location, "global");
  if (known || (world.state.options.locations === "any" && wanted !== "global")) return undefined;
  return refuse(
    400,
    "LocationNotAvailableForResourceType",
    `The provided location '${location}' is not available for resource type '${rules.type}'.`,
  );
};

/** Zones exist in the region, and do not change. */
export const zonesAllowed = (draft: Draft): Answer | undefined => {
  const zones = textsAt(draft.sent, "zones");
  const location = textAt(draft.body, "location");
  const known = zonesOf(location);
  const unknown = zones.filter((zone) => !known.includes(zone));
  if (unknown.length > 0 && draft.world.state.options.locations !== "any")
    return refuse(
      400,
      "AvailabilityZoneNotSupported",
      `The zone(s) '${unknown.join(",")}' for resource '${draft.rules.type}/${nameOf(draft.id)}' is not supported. The supported zones for location '${location}' are '${known.join(",")}'`,
    );
  if (draft.existing === undefined || draft.rules.zonal !== true) return undefined;
  const before = textsAt(draft.existing.body, "zones").toSorted().join();
  return before === zones.toSorted().join()
    ? undefined
    : refuse(
        400,
        "ResourceAvailabilityZonesCannotBeModified",
        `Resource ${draft.id} has an existing availability zone constraint ${before} and the request has availability zone constraint ${zones.join()}, which do not match. Zones cannot be added/updated/removed once the resource is created.`,
        { details: [] },
      );
};

/** Two children of one list with one name. */
export const childNamesUnique = (draft: Draft): Answer | undefined => {
  for (const child of draft.rules.children ?? []) {
    const names = listAt(draft.body, "properties", child.collection).map((item) => textAt(item, "name").toLowerCase());
    const twice = names.find((name, at) => names.indexOf(name) !== at);
    if (twice !== undefined)
      return refuse(
        400,
        "DuplicateResourceName",
        `Resource ${draft.id} has two child resources with the same name (${twice}).`,
        { details: [] },
      );
    if (names.includes(""))
      return refuse(400, "InvalidRequestFormat", "Cannot parse the request.", {
        details: [{ code: "MissingJsonReferenceId", message: `Value for name is missing in ${child.collection}.` }],
      });
  }
  return undefined;
};

const missing = (rules: TypeRules, target: string, from: string): Answer =>
  rules.missingReference === "NotFound" || !/^microsoft\.network\//i.test(rules.type)
    ? refuse(404, "NotFound", `Resource ${target} not found.`, { details: [] })
    : refuse(
        400,
        "InvalidResourceReference",
        `Resource ${target} referenced by resource ${from} was not found. Please make sure that the referenced resource exists, and that both resources are in the same region.`,
        { details: [] },
      );

/** Networks are regional: a reference leads to the same region, but for peerings and global services. */
const elsewhere = (draft: Draft, target: string, path: string): boolean => {
  if (!/^microsoft\.network\//i.test(draft.rules.type) || /remoteVirtualNetwork$/i.test(path)) return false;
  const here = textAt(draft.body, "location");
  const there = textAt(find(draft.world.state, target.split("/").slice(0, 9).join("/"))?.body, "location");
  return here !== "" && there !== "" && here !== "global" && there !== "global" && here !== there;
};

/** Only references to these providers are looked up; the others may live outside of what is simulated. */
const simulated =
  /\/providers\/(microsoft\.network\/(?!privatelinkservices|publicipprefixes|ddosprotectionplans)|microsoft\.compute\/(availabilitysets|disks|virtualmachinescalesets|proximityplacementgroups|capacityreservationgroups|diskencryptionsets)\/)/i;

const notProvisioned = (target: string, from: string, state: string): Answer =>
  refuse(429, "RetryableError", "A retryable error occurred.", {
    retryAfterSeconds: 2,
    details: [
      {
        code: "ReferencedResourceNotProvisioned",
        message: `Cannot proceed with operation because resource ${target} used by resource ${from} is not in Succeeded state. Resource is in ${state} state.`,
      },
    ],
  });

/** Networks refer to what has settled only; nobody refers to what is on its way out. */
const unsettled = ({ type }: TypeRules): RegExp =>
  /^microsoft\.network\//i.test(type) ? /^(Updating|Creating|Deleting|Failed)$/ : /^Deleting$/;

/** Everything that a draft names exists and has settled; `only` limits this to what is below one child. */
export const referencesResolve = (draft: Draft, only?: string): Answer | undefined => {
  const { world, rules, body, id } = draft;
  if (rules.missingReference === "ignored") return undefined;
  for (const { target, from, path } of referencesIn(id, body)) {
    if (only !== undefined && !`${keyOf(from)}/`.startsWith(`${keyOf(only)}/`)) continue;
    if (!simulated.test(target) || /imageReference|managedDisk|diskEncryptionSet$/.test(path)) continue;
    const found = located(world, target, body);
    if (found === undefined || elsewhere(draft, target, path)) return missing(rules, target, from);
    const state = textAt(found, "properties", "provisioningState");
    if (found === body || keyOf(target).startsWith(`${keyOf(id)}/`)) continue;
    if (unsettled(rules).test(state)) return notProvisioned(target, from, state);
  }
  return undefined;
};

/** The parent of a child resource exists. */
export const parentReady = (world: World, name: { readonly type: string; readonly parent: string | undefined }) =>
  name.parent === undefined || located(world, name.parent) !== undefined
    ? undefined
    : refuse(
        404,
        "ParentResourceNotFound",
        `Failed to perform 'write' on resource(s) of type '${shortType(name.type)}', because the parent resource '${name.parent.slice(name.parent.indexOf("/providers/") + 11)}' could not be found.`,
      );
