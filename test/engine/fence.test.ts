import { describe, expect, it } from "vitest";
import { newRow } from "../../src/core/chain/chainRow.ts";
import { encodeChainRow } from "../../src/core/chain/rowCodec.ts";
import { chunks, type Held, saveRows } from "../../src/engine/fence.ts";
import { objectRow } from "../../src/engine/ledger.ts";
import type { TableAction } from "../../src/ports.ts";
import { annotate, group, ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { ready, runBy } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, createWorld, type World } from "../support/world.ts";

const partition = `${clusterUid}~default~AzureCluster~c1`;
const minute = 60_000;

const store = async (world: World, nonce: string, endMs: number, etag?: string): Promise<string> => {
  const values = encodeChainRow({ ...newRow("i"), lease: { nonce, endMs } });
  const action: TableAction =
    etag === undefined ? { kind: "insert", row: objectRow, values } : { kind: "replace", row: objectRow, values, etag };
  const written = await world.deps.tables.commit("state", partition, [action]);
  return written.ok ? (written.value.get(objectRow) ?? "") : "";
};

const heldOf = (etag: string, endMs: number): Held => ({
  address: { cluster: clusterUid, ...key },
  partition,
  nonce: "mine",
  row: { ...newRow("i"), lease: { nonce: "mine", endMs } },
  etag,
});
const rowX: TableAction = { kind: "upsert", row: "resource~x", values: { v: 1 } };
const isThere = (world: World): boolean => world.tables.rows("state").some(({ row }) => row === "resource~x");

describe("a write of a turn", () => {
  it("is refused when another turn has taken the lease, and nothing of it is stored", async () => {
    const world = createWorld();
    const endMs = world.clock.nowMs() + 55_000;
    const etag = await store(world, "mine", endMs);
    await store(world, "theirs", endMs, etag);
    expect(await saveRows(heldOf(etag, endMs), [rowX], world.deps)).toEqual({ kind: "lost" });
    expect(isThere(world)).toBe(false);
  });

  it("is refused when its lease was released by an own commit that it does not know of", async () => {
    const world = createWorld();
    const endMs = world.clock.nowMs() + 55_000;
    const etag = await store(world, "mine", endMs);
    await store(world, "mine", 0, etag);
    expect(await saveRows(heldOf(etag, endMs), [rowX], world.deps, "toTheEnd")).toEqual({ kind: "lost" });
    expect(isThere(world)).toBe(false);
  });

  it("goes through under the own lease although somebody has marked the row", async () => {
    const world = createWorld();
    const endMs = world.clock.nowMs() + 55_000;
    const etag = await store(world, "mine", endMs);
    await store(world, "mine", endMs, etag);
    expect(await saveRows(heldOf(etag, endMs), [rowX], world.deps)).toMatchObject({ kind: "saved" });
    expect(isThere(world)).toBe(true);
  });

  it("says that the row is missing when it is", async () => {
    const world = createWorld();
    const endMs = world.clock.nowMs() + 55_000;
    expect(await saveRows(heldOf("gone", endMs), [rowX], world.deps)).toEqual({ kind: "missing" });
  });
});

describe("a message whose turn lost its lease", () => {
  it("is judged again: when who took it over dies as well, the work is not left to a timer", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.7.0.0/16"));
    let isTaken = false;
    const frozen = intercept(world.deps, async (call, run) => {
      // Before its intents are stored it stands still for longer than its lease; another one takes over and dies.
      if (call.name === "tables commit state" && world.calls.some(({ name }) => name === "kube get") && !isTaken) {
        isTaken = true;
        const row = world.tables.rows("state").find((one) => one.row === objectRow);
        const values = { ...row?.values, leaseNonce: "theirs", leaseEndMs: world.clock.nowMs() - 1 };
        await world.tables.commit("state", partition, [
          { kind: "replace", row: objectRow, values, etag: row?.etag ?? "" },
        ]);
      }
      return run();
    });
    world.calls.length = 0;
    await world.step(frozen);
    expect(isTaken).toBe(true);
    expect(world.logs.some(({ message }) => message === "lease lost")).toBe(true);
    // Of this very message, without any other one.
    expect(JSON.stringify(world.arm.resources.get(ids.nodeNsg.toLowerCase())?.body)).toContain("10.7.0.0/16");
  });
});

describe("a holder that stands still for 70 s", () => {
  it.each(["tables commit state", "arm PUT", "kube apply status"])(
    "before its %s: changes nothing any more",
    async (where) => {
      const world = createWorld();
      applyDefaultCluster(world);
      let isFrozen = false;
      const late: string[] = [];
      const slow = intercept(world.deps, async (call, run) => {
        const wasFrozen = isFrozen;
        if (call.name === where && !isFrozen && world.calls.some(({ name }) => name === "kube apply metadata")) {
          isFrozen = true;
          world.clock.advanceTo(world.clock.nowMs() + 70_000);
          await world.run(10 * minute);
        }
        const answer = await run();
        const outcome = answer as { readonly ok?: boolean };
        if (wasFrozen && call.writes && call.port !== "queue" && outcome.ok === true) late.push(call.name);
        return answer;
      });
      world.calls.length = 0;
      await world.step(slow);
      expect(isFrozen).toBe(true);
      expect(late.filter((name) => name.startsWith("arm ") || name.startsWith("kube "))).toEqual([]);
      await world.run();
      expect(ready(world)).toMatchObject({ status: "True" });
      const creations = world.requests().filter(({ method, status }) => method === "PUT" && status === 201);
      expect(new Set(creations.map(({ path }) => path)).size).toBe(creations.length);
    },
  );
});

describe("clocks of processes", () => {
  it.each([-60_000, 60_000])(
    "wrong by %i ms change nothing: all that is stored is the table service's time",
    async (skewMs) => {
      const ends: unknown[] = [];
      for (const skew of [0, skewMs]) {
        const world = createWorld({ latency: "realistic" });
        applyDefaultCluster(world);
        const skewed = {
          ...world.deps,
          clock: { ...world.deps.clock, monotonicMs: () => world.deps.clock.monotonicMs() + skew },
        };
        for (let n = 0; n < 400 && ready(world)?.status !== "True"; n += 1) {
          const by = n % 2 === 0 ? skewed : world.deps;
          if (!(await world.step(by))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
        }
        const rows = world.tables
          .rows("state")
          .map(({ row, packed, values }) => [row, values["dueMs"], packed["row"] as unknown]);
        ends.push({ rows, requests: world.requests(), nowMs: world.clock.nowMs() });
      }
      expect(JSON.stringify(ends[1])).toBe(JSON.stringify(ends[0]));
    },
  );
});

describe("after a takeover", () => {
  /** A function app has died right after it changed the security group of the nodes. */
  const withDeadTurn = async (): Promise<World> => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.8.0.0/16"));
    let killed = false;
    const never = new Promise<never>(() => {});
    const { promise: died, resolve: die } = Promise.withResolvers<void>();
    const mortal = intercept(world.deps, async (call, run) => {
      if (killed) return never;
      const answer = await run();
      if (call.name !== "arm PUT") return answer;
      killed = true;
      die();
      return never;
    });
    await Promise.race([world.step(mortal), died]);
    expect(killed).toBe(true);
    annotate(world, "capstan.azure/retry", "1");
    world.calls.length = 0;
    return world;
  };
  const armCalls = (world: World) => world.calls.filter(({ port }) => port === "arm");

  it("what the dead turn may have sent is looked at before anything is planned", async () => {
    const world = await withDeadTurn();
    await world.run();
    expect(armCalls(world)[0]).toMatchObject({ name: "arm GET", path: ids.nodeNsg });
    expect(armCalls(world).filter(({ name }) => name === "arm PUT")).toEqual([]);
    expect(JSON.stringify(world.arm.resources.get(ids.nodeNsg.toLowerCase())?.body)).toContain("10.8.0.0/16");
  });

  it("so it is while what comes before it cannot even be read", async () => {
    const world = await withDeadTurn();
    const ofGroup = world.tables.rows("state").find(({ packed }) => JSON.stringify(packed).includes(`"id":"${group}"`));
    await world.deps.tables.commit("state", partition, [{ kind: "delete", row: ofGroup?.row ?? "" }]);
    const error = { kind: "transient", code: "InternalServerError", message: "try again", status: 500 } as const;
    const withoutGroup = intercept(world.deps, async (call, run) =>
      call.name === "arm GET" && call.path === group ? ({ ok: false, error } as never) : run(),
    );
    await runBy(world, withoutGroup);
    expect(armCalls(world).map(({ path }) => path)).toContain(ids.nodeNsg);
    await world.run();
  });
});

describe("a write of many rows", () => {
  const row = (size: number, at: number): TableAction => ({
    kind: "upsert",
    row: `resource~${at}`,
    values: {},
    packed: { row: "x".repeat(size) },
  });
  const sizesOf = (count: number, size: number): readonly number[] =>
    chunks(Array.from({ length: count }, (_, at) => row(size, at))).map((part) => part.length);
  it("goes in transactions of at most 90 rows and 3 MB, at least one row each", () => {
    expect(sizesOf(200, 10)).toEqual([89, 89, 22]);
    expect(sizesOf(7, 700_000)).toEqual([2, 2, 2, 1]);
    expect(sizesOf(2, 3_000_000)).toEqual([1, 1]);
    expect(sizesOf(0, 1)).toEqual([0]);
  });
});
