import type { ResourceId } from "./types.ts";

/** The parts of an ARM id. For an extension resource: those after its last `providers`. */
export interface IdParts {
  readonly subscription: string | undefined;
  readonly resourceGroup: string | undefined;
  /** `Microsoft.Network`; `Microsoft.Resources` for resource groups. */
  readonly provider: string;
  /** One type a level: `["virtualNetworks", "subnets"]`. */
  readonly types: readonly string[];
  readonly names: readonly string[];
}

/** A name that holds a slash would name another resource: refused as a defect of whoever validated the spec. */
const step = (word: string): string => {
  if (word === "" || /[/?#]/.test(word)) throw new RangeError(`"${word}" cannot be part of a resource id`);
  return word;
};

// The one cast of this file: an id is a string that was put together here or parsed here.
const asId = (text: string): ResourceId => text as ResourceId;

/** Id of a resource group. */
export const resourceGroupId = (subscription: string, resourceGroup: string): ResourceId =>
  asId(`/subscriptions/${step(subscription)}/resourceGroups/${step(resourceGroup)}`);

const typedPath = (type: string, names: readonly string[]): string => {
  const [provider, ...types] = type.split("/");
  if (types.length === 0 || types.length !== names.length)
    throw new RangeError(`${type} takes ${types.length} names, not ${names.length}`);
  return `/providers/${provider}${types.map((word, index) => `/${step(word)}/${step(names[index] ?? "")}`).join("")}`;
};

/**
 * Id of a resource: `resourceId(sub, "rg", "Microsoft.Network/virtualNetworks/subnets", "vnet", "subnet")`. Without a
 * resource group the resource belongs to the subscription.
 */
export const resourceId = (
  subscription: string,
  resourceGroup: string | undefined,
  type: string,
  ...names: readonly string[]
): ResourceId => {
  const scope =
    resourceGroup === undefined ? `/subscriptions/${step(subscription)}` : resourceGroupId(subscription, resourceGroup);
  return asId(scope + typedPath(type, names));
};

/** Id of an extension resource, such as a role assignment, at the scope of another resource. */
export const extensionId = (scope: ResourceId, type: string, name: string): ResourceId =>
  asId(scope + typedPath(type, [name]));

/** Id of a child: `childId(vnet, "subnets", "control-plane")`. */
export const childId = (parent: ResourceId, childType: string, name: string): ResourceId =>
  asId(`${parent}/${step(childType)}/${step(name)}`);

/** The form of an id for maps and comparisons: Azure ignores the case of ids. */
export const idKey = (id: string): string => id.toLowerCase();

/** Whether two ids name the same resource. */
export const sameId = (a: string, b: string): boolean => idKey(a) === idKey(b);

const pairs = (words: readonly string[]): Pick<IdParts, "types" | "names"> | undefined =>
  words.length < 2 || words.length % 2 !== 0
    ? undefined
    : { types: words.filter((_, index) => index % 2 === 0), names: words.filter((_, index) => index % 2 === 1) };

/** The word after another one, ignoring case. */
const after = (words: readonly string[], word: string): string | undefined => {
  const index = words.findIndex((candidate, at) => at % 2 === 0 && candidate.toLowerCase() === word);
  return index < 0 ? undefined : words[index + 1];
};

/** Takes an ARM id apart; undefined when the text is none. A subscription alone is no resource. */
export const parseId = (id: string): IdParts | undefined => {
  const [lead, ...words] = id.split("/");
  if (lead !== "" || words.length === 0 || words.includes("")) return undefined;
  const subscription = after(words, "subscriptions");
  const resourceGroup = after(words, "resourcegroups");
  const last = words.findLastIndex((word) => word.toLowerCase() === "providers");
  if (last >= 0) {
    const [provider, ...rest] = words.slice(last + 1);
    const typed = pairs(rest);
    return provider === undefined || typed === undefined
      ? undefined
      : { subscription, resourceGroup, provider, ...typed };
  }
  return words.length === 4 && resourceGroup !== undefined
    ? {
        subscription,
        resourceGroup,
        provider: "Microsoft.Resources",
        types: ["resourceGroups"],
        names: [resourceGroup],
      }
    : undefined;
};

/** The full type of a resource: `Microsoft.Network/virtualNetworks/subnets`. */
export const typeOf = (id: string): string | undefined => {
  const parts = parseId(id);
  return parts === undefined ? undefined : [parts.provider, ...parts.types].join("/");
};

/** Id of the resource group that holds a resource; of a group: itself. */
export const resourceGroupOf = (id: string): ResourceId | undefined => {
  const parts = parseId(id);
  return parts?.subscription === undefined || parts.resourceGroup === undefined
    ? undefined
    : asId(id.split("/").slice(0, 5).join("/"));
};

/**
 * What must exist for a resource to exist: of a child its parent, of an extension resource its scope, of any other its
 * resource group. Undefined for resource groups and resources of a subscription.
 */
export const parentOf = (id: string): ResourceId | undefined => {
  const parts = parseId(id);
  if (parts === undefined || parts.types.length === 0) return undefined;
  const words = id.split("/");
  const group = resourceGroupOf(id);
  if (parts.types.length > 1) return asId(words.slice(0, -2).join("/"));
  const scope = words.slice(0, -4).join("/");
  if (parts.provider === "Microsoft.Resources" && group === id) return undefined;
  return parseId(scope) === undefined ? undefined : asId(scope);
};
