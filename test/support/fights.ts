import { drift } from "../../src/core/chain/messages.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { bodyOf, ids, key, mutate, settledCluster, withSource } from "./defaultCluster.ts";
import { runBy } from "./turns.ts";
import { clusterUid, conditionsOf, type World } from "./world.ts";

/** A settled cluster with one security rule of the user, and others who will not have it so. */

export const minute = 60_000;
export const hour = 60 * minute;

export interface Arena {
  readonly world: World;
  /** The function app that handles the messages; by default the world's. */
  readonly deps: Deps;
}

export const arena = async (
  prepare: (world: World) => void = () => undefined,
  options: Parameters<typeof settledCluster>[0] = {},
): Promise<Arena> => {
  const world = await settledCluster(options);
  world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
  prepare(world);
  await world.run();
  return { world, deps: world.deps };
};

/** A message as the drift timer sends it, handled with all that follows from it at once. */
export const look = async ({ world, deps }: Arena): Promise<void> => {
  const nowMs = world.clock.nowMs();
  const { item, messageId } = drift({
    address: { cluster: clusterUid, ...key },
    uid: "",
    scheduledMs: nowMs,
    dueMs: nowMs,
    nowMs,
  });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await runBy(world, deps, 1_000);
};

/** Lets an hour pass in which somebody acts every so often and the drift timer looks each time. */
export const hourOf = async (
  at: Arena,
  act: (world: World, round: number) => void,
  everyMs = minute,
): Promise<void> => {
  const { world, deps } = at;
  const endMs = world.clock.nowMs() + hour;
  for (let round = 0; world.clock.nowMs() + everyMs < endMs; round += 1) {
    const nextMs = world.clock.nowMs() + everyMs;
    act(world, round);
    await look(at);
    await runBy(world, deps, nextMs - world.clock.nowMs() - 1);
    world.clock.advanceTo(nextMs);
  }
};

/** Writes to Azure that one resource got, its tags included. */
export const writesTo = (world: World, id: string): number =>
  world.writes().filter(({ path }) => path.toLowerCase().startsWith(id.toLowerCase())).length;

export const conditionOf = (world: World, type: string) => conditionsOf(world.objects.find(key))[type];

const rulesOf = (body: JsonObject): readonly { readonly properties: JsonObject }[] =>
  (body as { properties: { securityRules: { properties: JsonObject }[] } }).properties.securityRules;

/** Where the user's rule admits traffic from, in Azure; undefined without the rule. */
export const source = (world: World): unknown =>
  rulesOf(bodyOf(world, ids.nodeNsg))[0]?.properties["sourceAddressPrefix"];

const withRules = (body: JsonObject, securityRules: JsonObject["securityRules"]): JsonObject => ({
  ...body,
  properties: { ...(body["properties"] as JsonObject), securityRules: securityRules ?? [] },
});

/** Somebody sets another source, if it is not theirs already. */
export const setSource = (world: World, value: string): void => {
  if (source(world) === value) return;
  mutate(world, ids.nodeNsg, (body) => {
    const [rule, ...others] = rulesOf(body);
    const changed = { ...rule, properties: { ...rule?.properties, sourceAddressPrefix: value } };
    return withRules(body, [changed, ...others] as JsonObject["securityRules"]);
  });
};

/** Somebody deletes all rules. */
export const deleteRules = (world: World): void => {
  if (source(world) !== undefined) mutate(world, ids.nodeNsg, (body) => withRules(body, []));
};

/** A user sets the source in the spec, under a field manager. */
export const askFor = (world: World, value: string, manager?: string): void =>
  void world.objects.edit(key, (object) => withSource(object, value), manager);

export const withTeam = (object: KubeObject, team: string | undefined): KubeObject => {
  const { additionalTags: _, ...spec } = object.spec;
  return { ...object, spec: team === undefined ? spec : { ...spec, additionalTags: { team } } };
};

/** A function app whose plan for the nodes' security group differs from turn to turn: one rule's port, or another field, is `next()`. */
export const unsteady = (
  deps: Deps,
  next: () => string,
  field: "destinationPortRange" | "description" = "destinationPortRange",
): Deps => {
  const change = (body: JsonObject): JsonObject => {
    const [rule, ...others] = rulesOf(body);
    const changed = { ...rule, properties: { ...rule?.properties, [field]: next() } };
    return withRules(body, [changed, ...others] as JsonObject["securityRules"]);
  };
  const kind = deps.kinds.get("AzureCluster")!;
  const read: typeof kind.read = (input) => {
    const reading = kind.read(input);
    const plan: typeof reading.plan = (facts) => {
      const planned = reading.plan(facts);
      if (!planned.ok) return planned;
      const services = planned.value.services.map(({ service, desired }) => ({
        service,
        desired: desired.map((one) => (one.id.endsWith("c1-node-nsg") ? { ...one, body: change(one.body) } : one)),
      }));
      return { ok: true, value: { ...planned.value, services } };
    };
    return { ...reading, plan };
  };
  return { ...deps, kinds: new Map([...deps.kinds, ["AzureCluster", { ...kind, read }]]) };
};
