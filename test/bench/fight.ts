import { drift } from "../../src/core/chain/messages.ts";
import type { Json, JsonObject, ObjectKey } from "../../src/core/types.ts";
import { mutateResource } from "../../src/sim/arm/otherWriter.ts";
import { applyDefaultCluster, clusterUid, createWorld, type World } from "../support/world.ts";
import { subnetsWith } from "./defaultCluster.ts";
import type { Values } from "./figures.ts";

const hourMs = 3_600_000;
/** How often the other writer looks whether we undid its change, and how soon drift tells us of it. */
const everyMs = 20_000;
const [ours, theirs] = ["10.0.0.0/8", "Internet"];

const securityGroup = (world: World): string => {
  const id = [...world.arm.resources.keys()].find((key) => key.endsWith("/networksecuritygroups/node-nsg"));
  if (id === undefined) throw new Error("the cluster has no security group node-nsg");
  return id;
};

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The body with another source in every rule that has ours. */
const undone = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(undone);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name,
      name === "sourceAddressPrefix" && item === ours ? theirs : undone(item),
    ]),
  );
};

const tellOfDrift = async (world: World, key: ObjectKey): Promise<void> => {
  const nowMs = world.clock.nowMs();
  const address = { cluster: clusterUid, ...key };
  const { item, messageId } = drift({ address, uid: "", scheduledMs: nowMs, dueMs: nowMs, nowMs });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
};

const settledWorld = async (): Promise<{ readonly world: World; readonly key: ObjectKey }> => {
  const world = createWorld();
  const key = applyDefaultCluster(world);
  await world.run();
  const networkSpec = { vnet: { name: "c1-vnet" }, subnets: subnetsWith(ours) };
  world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, networkSpec } }));
  await world.run();
  return { world, key };
};

/** Writes of the first hour in which another writer undoes each of ours on one field; in memory, on a virtual clock. */
export const fight = async (): Promise<Values> => {
  const { world, key } = await settledWorld();
  const id = securityGroup(world);
  const before = world.writes().length;
  const endMs = world.clock.nowMs() + hourMs;
  while (world.clock.nowMs() < endMs) {
    const stepEndMs = world.clock.nowMs() + everyMs;
    mutateResource(world.arm, id, (body) => undone(body) as typeof body, world.clock.nowMs());
    await tellOfDrift(world, key);
    await world.run(everyMs);
    world.clock.advanceTo(stepEndMs);
  }
  const writes = world.writes().length - before;
  if (writes < 2) throw new Error(`no fight took place: ${writes} writes`);
  return { fightFirstHourWrites: writes };
};
