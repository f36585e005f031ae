import fc from "fast-check";
import type { Json, JsonObject, KubeObject } from "../../src/core/types.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { isJsonList } from "../../src/wire/json.ts";
import { another, at, put } from "./bodyPaths.ts";
import { bodyOf, ids, mutate, subscription } from "./defaultCluster.ts";
import { withTeam } from "./fights.ts";
import { rowOf } from "./turns.ts";
import type { World } from "./world.ts";

/** Any fight over anything of the quickstart cluster: what somebody else does, to which field, and how often. */

const minute = 60_000;
const network = `${subscription}/resourceGroups/c1/providers/Microsoft.Network`;

/** Resources of the cluster that can be fought over. */
export const battlefields = {
  ...ids,
  group: `${subscription}/resourceGroups/c1`,
  controlPlaneNsg: `${network}/networkSecurityGroups/c1-controlplane-nsg`,
  gateway: `${network}/natGateways/c1-node-natgw-1`,
  publicIp: `${network}/publicIPAddresses/pip-c1-node-natgw-1`,
} as const;
/** One that nobody fights over, and that waits for nothing but the group. */
export const atPeace = `${network}/publicIPAddresses/pip-c1-apiserver`;
type Place = keyof typeof battlefields;

const deeds = ["restores", "nonces", "alternates", "deletesItem", "deletesResource"] as const;

/** One of those who will not have it as the spec says. */
export interface Opponent {
  readonly place: Place;
  /** Which of our fields, as a number that is taken modulo their number. */
  readonly field: number;
  readonly deed: (typeof deeds)[number];
  readonly everyMs: number;
}

export const opponent: fc.Arbitrary<Opponent> = fc.record({
  place: fc.constantFrom(...(Object.keys(battlefields) as Place[])),
  field: fc.nat({ max: 40 }),
  deed: fc.constantFrom(...deeds),
  everyMs: fc.constantFrom(10_000, 17_000, 45_000, minute, 3 * minute, 7 * minute, 20 * minute),
});

/** Steps that nobody can change in Azure, or that say whose the resource is: no fight, but another matter. */
const isNoField = (path: readonly string[]): boolean =>
  path.some((step) => step.includes("_cluster_") || step === "fqdn") ||
  ["location", "name", "id", "zones"].includes(path.at(-1) ?? "");

/** Our fields of a resource, by the ledger. */
export const fieldsOf = (world: World, id: string): readonly (readonly string[])[] =>
  (rowOf(world, id)?.applied ?? [])
    .map(({ path }) => path)
    .filter((path) => !isNoField(path) && at(bodyOf(world, id), path) !== undefined);

const fieldOf = (world: World, { place, field }: Opponent): readonly string[] => {
  const fields = fieldsOf(world, battlefields[place]);
  return fields[field % Math.max(1, fields.length)] ?? [];
};

/** The item of a list that a field stands in, or the field itself. */
const itemOf = (world: World, id: string, path: readonly string[]): readonly string[] => {
  const item = path.findIndex((_, index) => isJsonList(at(bodyOf(world, id), path.slice(0, index)) ?? null));
  return item < 0 ? path : path.slice(0, item + 1);
};

const changes = (world: World, id: string, path: readonly string[], to: Json | undefined): void =>
  mutate(world, id, (body) => put(body, path, to) as JsonObject);

/** What an opponent does each time: nothing where its will is done already. */
export const opponentAct = (world: World, one: Opponent): ((round: number) => void) => {
  const id = battlefields[one.place];
  const path = fieldOf(world, one);
  const ours = at(bodyOf(world, id), path);
  return (round) => {
    if (path.length === 0 || Object.keys(bodyOf(world, id)).length === 0) return;
    const shown = at(bodyOf(world, id), path);
    switch (one.deed) {
      case "deletesResource":
        if (one.place !== "group") removeResource(world.arm, id, world.clock.nowMs());
        return;
      case "deletesItem":
        if (shown !== undefined) changes(world, id, itemOf(world, id, path), undefined);
        return;
      case "restores":
        if (shown === ours) changes(world, id, path, another(ours ?? "", 0));
        return;
      case "alternates":
        if (shown !== undefined) changes(world, id, path, another(ours ?? "", round % 2));
        return;
      case "nonces":
        if (shown !== undefined) changes(world, id, path, another(ours ?? "", round));
    }
  };
};

/** Writes to one resource and to its tags, not to its children. */
export const ownWritesTo = (world: World, id: string): number => {
  const paths = [id, `${id}/providers/Microsoft.Resources/tags/default`].map((path) => path.toLowerCase());
  return world.writes().filter(({ path }) => paths.includes(path.toLowerCase())).length;
};

/** A person changes something of each resource, by the spec. */
export const personsChange = (object: KubeObject): KubeObject => {
  const networkSpec = object.spec["networkSpec"] as JsonObject;
  const subnets = (networkSpec["subnets"] as readonly JsonObject[]).map((subnet) => ({
    ...subnet,
    serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["eastus"] }],
  }));
  const { spec, ...rest } = withTeam(object, "red");
  return { ...rest, spec: { ...spec, networkSpec: { ...networkSpec, subnets } } };
};

/** Whether Azure shows of a resource what the person wanted of it. */
export const showsPersonsChange = (world: World, id: string): boolean => {
  const body = bodyOf(world, id);
  if (!/\/subnets\//i.test(id)) return at(body, ["tags", "team"]) === "red";
  const inNetwork = at(bodyOf(world, ids.vnet), ["properties", "subnets", id.split("/").at(-1) ?? ""]);
  return JSON.stringify(inNetwork).includes("Microsoft.Storage");
};
