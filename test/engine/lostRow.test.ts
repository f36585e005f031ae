import { describe, expect, it } from "vitest";
import { newRow } from "../../src/core/chain/chainRow.ts";
import { encodeChainRow } from "../../src/core/chain/rowCodec.ts";
import { objectRow, partitionOf } from "../../src/engine/ledger.ts";
import type { TableRow } from "../../src/ports.ts";
import { settledCluster } from "../support/defaultCluster.ts";
import { lookAgain, ready } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const key = { kind: "AzureCluster", namespace: "default", name: "c1" };
const partition = partitionOf(clusterUid, key);

const objectRowOf = (world: World): TableRow | undefined =>
  world.tables.rows("state").find(({ row }) => row === objectRow);

/** Somebody, or a defect, spoils the row. */
const spoil = (world: World, values: TableRow["values"]): Promise<unknown> =>
  world.tables.commit("state", partition, [{ kind: "upsert", row: objectRow, values }]);

const damages = [
  { what: "nothing is left of it", values: {} },
  { what: "a count is a text", values: { ...encodeChainRow(newRow("i")), turn: "seven" } },
  { what: "its outbox is cut off", values: { ...encodeChainRow(newRow("i")), outbox: '{"item":' } },
  {
    what: "its outbox names no object",
    values: { ...encodeChainRow(newRow("i")), outbox: '{"messageId":"m","dueMs":1,"item":{"v":1}}' },
  },
  { what: "its lease ends in a year", values: { turn: -1, leaseEndMs: 32_000_000_000_000, leaseNonce: "n" } },
];

describe("an object row that cannot be read", () => {
  it.each(damages)("is as good as lost: $what", async ({ values }) => {
    const world = await settledCluster();
    const writes = world.writes().length;
    await spoil(world, values);
    await lookAgain(world);
    expect(objectRowOf(world)?.values).toMatchObject({
      v: 1,
      turn: expect.any(Number),
      uid: expect.stringMatching(/./),
    });
    expect(world.writes().length).toBe(writes);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
    expect(world.queue.reconcile.counts(world.clock.nowMs())).toMatchObject({ active: 0, deadLetter: 0 });
  });

  it.each(damages)("in the middle of a creation: $what", async ({ values }) => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run(3_000);
    await spoil(world, values);
    await world.run(30 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(new Set(world.writes().map(({ path }) => path)).size).toBe(world.writes().length);
  });

  it("is not taken while it shows a live lease: its message waits until that has ended", async () => {
    const world = await settledCluster();
    const leaseEndMs = world.clock.nowMs() + 50_000;
    await spoil(world, { turn: -1, leaseNonce: "somebody", leaseEndMs });
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    const writes = world.writes().length;
    await world.run(45_000);
    expect(objectRowOf(world)?.values["leaseNonce"]).toBe("somebody");
    expect(world.writes().length).toBe(writes);
    await world.run(5 * minute);
    expect(objectRowOf(world)?.values["leaseNonce"]).not.toBe("somebody");
    expect(world.writes().length).toBeGreaterThan(writes);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("an object row of a newer release", () => {
  const future = { v: 2, hue: "red" };

  it("is left alone and waited for, slowly; the object says so, and nothing is lost", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await spoil(world, future);
    // A roll-out: the next try may meet the newer release, so nothing is said yet.
    await world.run(20_000);
    expect(conditionsOf(world.objects.find(key))["Ready"]).toBeUndefined();
    await world.run(10 * minute);
    expect(ready(world)).toMatchObject({ status: "False", reason: "RowFromTheFuture" });
    expect(world.requests()).toEqual([]);
    expect(objectRowOf(world)?.values).toEqual(future);
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
    world.calls.length = 0;
    await world.run(60 * minute);
    const tries = world.calls.filter(({ name }) => name === "tables get state").length;
    expect(tries).toBeGreaterThan(5);
    expect(tries).toBeLessThan(30);
    // Whoever reads it, or a person who takes it away, finds everything still announced.
    await world.tables.commit("state", partition, [{ kind: "delete", row: objectRow }]);
    await world.run(60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("also when only the message that it owes is from the future", async () => {
    const world = await settledCluster();
    const outbox = JSON.stringify({ messageId: "m", dueMs: 1, item: { v: 2 } });
    const values = { ...encodeChainRow(newRow("i")), outbox };
    await spoil(world, values);
    await lookAgain(world);
    expect(objectRowOf(world)?.values).toEqual(values);
    expect(ready(world)).toMatchObject({ reason: "RowFromTheFuture" });
  });
});
