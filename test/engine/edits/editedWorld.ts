import { checkObject } from "../../../src/api/check/checkObject.ts";
import type { Json, JsonObject, KubeObject } from "../../../src/core/types.ts";
import { isJsonObject } from "../../../src/wire/json.ts";
import { patched } from "../../support/admission/admissionServer.ts";
import { group, key, seed, subscription } from "../../support/defaultCluster.ts";
import { lookAgain } from "../../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../../support/world.ts";

const hour = 60 * 60_000;

/** Networks and groups of others that edits name. */
export const others: readonly JsonObject[] = [
  { id: `${subscription}/resourceGroups/hub-rg`, location: "eastus" },
  ...["hub", "hub2"].map((name, index) => ({
    id: `${subscription}/resourceGroups/hub-rg/providers/Microsoft.Network/virtualNetworks/${name}`,
    location: "eastus",
    properties: { addressSpace: { addressPrefixes: [`172.${20 + index}.0.0/16`] } },
  })),
  { id: `${subscription}/resourceGroups/dns`, location: "eastus" },
  ...["asg", "asg2"].map((name) => ({
    id: `${subscription}/resourceGroups/hub-rg/providers/Microsoft.Network/applicationSecurityGroups/${name}`,
    location: "eastus",
  })),
];

const specOf = (world: World): JsonObject => world.objects.find(key)?.spec ?? {};
const edit = (world: World, patch: JsonObject): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: patched(object.spec, patch) }));

/** A cluster that stands, made with this patch over the default spec. */
export const standingCluster = async (from: JsonObject = {}): Promise<World> => {
  const world = createWorld();
  seed(world, ...others);
  applyDefaultCluster(world);
  edit(world, from);
  await world.run(hour);
  const ready = conditionsOf(world.objects.find(key))["Ready"];
  if (ready?.status !== "True") throw new Error(`the cluster does not stand: ${ready?.reason} ${ready?.message}`);
  return world;
};

const asObject = ({ metadata, ...rest }: KubeObject, spec: JsonObject): JsonObject => ({
  ...rest,
  metadata: { name: metadata.name, namespace: metadata.namespace },
  spec,
});

/** What the API server would say to the edit of a cluster as it stands. */
export const refusalsOf = (world: World, patch: JsonObject) => {
  const object = world.objects.find(key);
  if (object === undefined) throw new Error("no cluster");
  const before = asObject(object, object.spec);
  return checkObject("AzureCluster", asObject(object, patched(specOf(world), patch)), { before });
};

/** What Azure itself writes, and children that have writes of their own. */
const notOurs =
  /^(etag|id|type|properties\.(provisioningState|resourceGuid|subnets|virtualNetworkPeerings|ipAddress|inboundNatRules|networkInterfaces|defaultSecurityRules)\b.*|.*\.etag|.*\]\.properties\.backendAddressPools)$/;

const keyOf = (item: Json, index: number): string =>
  isJsonObject(item) && typeof item["name"] === "string" ? item["name"] : String(index);
const entriesOf = (value: Json): readonly (readonly [string, Json])[] => {
  if (Array.isArray(value))
    return (value as readonly Json[]).map((item, at) => [`[${keyOf(item, at)}]`, item] as const);
  return isJsonObject(value) ? Object.entries(value).map(([name, child]) => [`.${name}`, child] as const) : [];
};
const isNamed = (item: Json): boolean => isJsonObject(item) && "name" in item;
/** Both are lists of named things, of which one may be empty. */
const areNamed = (a: Json, b: Json): boolean => {
  if (!Array.isArray(a) || !Array.isArray(b)) return false;
  const items = [...a, ...b] as readonly Json[];
  return items.length > 0 && items.every(isNamed);
};
const goesDeeper = (a: Json, b: Json): boolean => (isJsonObject(a) && isJsonObject(b)) || areNamed(a, b);
/** Paths at which two bodies differ; what is only in one stands there whole, and so do lists without names. */
const differences = (before: Json | undefined, after: Json | undefined, path = ""): readonly string[] => {
  if (before === undefined || after === undefined || !goesDeeper(before, after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path.replace(/^\./, "")];
  const [old, now] = [new Map(entriesOf(before)), new Map(entriesOf(after))];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((step) =>
    differences(old.get(step), now.get(step), `${path}${step}`),
  );
};

const idOf = (path: string): string =>
  path.split("?")[0]!.replace(/\/providers\/Microsoft\.Resources\/tags\/default$/i, "");
/** `loadBalancers/c1`: what stands behind the provider, or the group itself. */
const shortId = (id: string): string => {
  const [place = "", inside] = id.split(/\/providers\/Microsoft\.Network\//i);
  const home = place.toLowerCase() === group.toLowerCase() ? "" : `${place.split("/").at(-1)}: `;
  return inside === undefined ? `resourceGroups/${place.split("/").at(-1)}` : `${home}${inside}`;
};

type Bodies = ReadonlyMap<string, JsonObject>;
const childrenOf = (body: JsonObject): readonly (readonly [string, JsonObject])[] => {
  type Child = JsonObject & { readonly id: string };
  const { subnets = [], virtualNetworkPeerings = [] } = (body["properties"] ?? {}) as {
    readonly subnets?: readonly Child[];
    readonly virtualNetworkPeerings?: readonly Child[];
  };
  return [...subnets, ...virtualNetworkPeerings].map((child) => [child.id.toLowerCase(), child] as const);
};
const bodiesOf = (world: World): Bodies => {
  const all = [...world.arm.resources].map(([id, { body }]) => [id, structuredClone(body) as JsonObject] as const);
  return new Map(all.flatMap(([id, body]) => [[id, body] as const, ...childrenOf(body)]));
};

/** Who uses it, which Azure shows at addresses and subnets. */
const usedBy = /^properties\.ipConfigurations?\b/;
const isOurs = (id: string, path: string): boolean =>
  !notOurs.test(path) && !(usedBy.test(path) && /\/(subnets|publicIPAddresses)\/[^/]+$/i.test(id));

const effectOf = (method: string, id: string, before: Bodies, after: Bodies): string => {
  const [old, now] = [before.get(id.toLowerCase()), after.get(id.toLowerCase())];
  if (method === "DELETE") return `DELETE ${shortId(id)}`;
  if (old === undefined) return `${method} ${shortId(id)} (new)`;
  const paths = differences(old, now).filter((path) => isOurs(id, path));
  return `${method} ${shortId(id)}: ${paths.toSorted().join(", ")}`;
};

/** Lets the cluster be edited, and tells every write that follows, in words. */
export const writesAfter = async (world: World, patch: JsonObject): Promise<readonly string[]> => {
  const [before, sent] = [bodiesOf(world), world.writes().length];
  edit(world, patch);
  await world.run(hour);
  const after = bodiesOf(world);
  return world
    .writes()
    .slice(sent)
    .map(({ method, path }) => effectOf(method, idOf(path), before, after));
};

/** Writes of any kind when everything is looked at again: to Azure, and to the object. */
export const writesOfAnotherLook = async (world: World) => {
  const [sent, version] = [world.writes().length, world.objects.find(key)?.metadata.resourceVersion];
  await lookAgain(world);
  return {
    azure: world
      .writes()
      .slice(sent)
      .map(({ method, path }) => `${method} ${shortId(idOf(path))}`),
    object: world.objects.find(key)?.metadata.resourceVersion === version ? "unchanged" : "written",
  };
};
