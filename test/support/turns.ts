import { replay } from "../../src/core/chain/messages.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { key } from "./defaultCluster.ts";
import { clusterUid, conditionsOf, type World } from "./world.ts";

/** What tests of a turn's rules do to a world and read in it. */

export const ready = (world: World) => conditionsOf(world.objects.find(key))["Ready"];

/** Asks for a look at everything in Azure, and lets ten minutes pass. */
export const lookAgain = async (world: World): Promise<void> => {
  const request = `look-${world.calls.length}`;
  const { item, messageId } = replay({
    address: { cluster: clusterUid, ...key },
    uid: "",
    request,
    nowMs: world.clock.nowMs(),
  });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await world.run(10 * 60_000);
};

/** A resource row as it is stored. */
export interface StoredRow {
  readonly id: string;
  readonly known: string;
  readonly applied: readonly { readonly path: readonly string[]; readonly value: Json; readonly mark: string }[];
  readonly intent?: JsonObject;
  readonly writes: readonly JsonObject[];
}
/** The row of one resource. */
export const rowOf = (world: World, id: string): StoredRow | undefined =>
  world.tables
    .rows("state")
    .map(({ packed }) => packed["row"] as unknown as StoredRow | undefined)
    .find((row) => row?.id === id);

/** Like `world.run`, by a function app of other deps. */
export const runBy = async (world: World, deps: World["deps"], horizonMs = 10 * 60_000): Promise<void> => {
  const endMs = world.clock.nowMs() + horizonMs;
  for (;;) {
    if (await world.step(deps)) continue;
    const next = world.queue.nextDueMs();
    if (next === undefined || next > endMs) return;
    world.clock.advanceTo(next);
  }
};
