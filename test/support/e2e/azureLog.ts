import { textAt, valueAt } from "../../../src/api/json.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import type { LoggedRequest } from "../../../src/sim/arm/requestLog.ts";
import { subscription } from "./manifests.ts";
import type { Scene } from "./scene.ts";

const groupPath = (group: string): string => `/subscriptions/${subscription}/resourceGroups/${group}`;
const isBelow = (path: string, group: string): boolean => {
  const [at, top] = [path.toLowerCase(), groupPath(group).toLowerCase()];
  return at === top || at.startsWith(`${top}/`);
};

/** The id of something in a resource group. */
export const idIn = (group: string, rest: string): string => `${groupPath(group)}/providers/Microsoft.Network/${rest}`;

/** How many requests Azure has had. */
export const requestCount = async ({ stack }: Scene): Promise<number> => (await stack.azure.requests()).length;

/** The requests that name a resource group or something in it; `since` leaves so many requests of the whole log out. */
export const requestsOf = async ({ stack }: Scene, group: string, since = 0): Promise<readonly LoggedRequest[]> =>
  (await stack.azure.requests(since)).filter(({ path }) => isBelow(path, group));

export const writesOf = async (scene: Scene, group: string, since = 0): Promise<readonly LoggedRequest[]> =>
  (await requestsOf(scene, group, since)).filter(({ method }) => method !== "GET" && method !== "HEAD");

/** `PUT virtualNetworks/demo-vnet 201`, in order, for a comparison that one can read. */
export const writeLines = async (scene: Scene, group: string, since = 0): Promise<readonly string[]> =>
  (await writesOf(scene, group, since)).map(({ method, path, status }) => `${method} ${shortName(path)} ${status}`);

/** What follows the provider in an id; of a resource group, its name. */
const shortName = (path: string): string =>
  /\/providers\/Microsoft\.[A-Za-z]+\/(.+)$/.exec(path)?.[1] ?? path.split("/").at(-1) ?? path;

/** Subnets stand inside their virtual network. */
const withSubnets = (resource: JsonObject): readonly JsonObject[] => {
  const subnets = valueAt(resource, "properties", "subnets");
  const isNetwork = textAt(resource, "type")?.toLowerCase() === "microsoft.network/virtualnetworks";
  return isNetwork && Array.isArray(subnets) ? [resource, ...(subnets as readonly JsonObject[])] : [resource];
};

/** The id of a resource as Azure shows it. */
const idOf = (resource: JsonObject): string => textAt(resource, "id") ?? "";

/** What exists of a resource group, as Azure shows it. */
export const resourcesOf = async ({ stack }: Scene, group: string): Promise<readonly JsonObject[]> =>
  (await stack.azure.resources(groupPath(group))).filter((one) => isBelow(idOf(one), group)).flatMap(withSubnets);

/** The short names of what exists of a resource group, sorted. */
export const namesOf = async (scene: Scene, group: string): Promise<readonly string[]> =>
  (await resourcesOf(scene, group)).map((one) => shortName(idOf(one))).toSorted();

/** One resource as Azure shows it. Fails when there is none. */
export const resource = async (scene: Scene, group: string, rest: string): Promise<JsonObject> => {
  const id = idIn(group, rest).toLowerCase();
  const found = (await resourcesOf(scene, group)).find((one) => idOf(one).toLowerCase() === id);
  if (found === undefined) throw new Error(`resource group ${group} has no ${rest}`);
  return found;
};
