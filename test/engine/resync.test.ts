import { describe, expect, it } from "vitest";
import { labels } from "../../src/core/annotations.ts";
import { readIndex } from "../../src/engine/indexRow.ts";
import { resync } from "../../src/engine/resync.ts";
import type { Kube } from "../../src/ports.ts";
import { key, settledCluster } from "../support/defaultCluster.ts";
import { hour, minute, pass, resyncTick } from "../support/timers.ts";
import { clusterUid, createWorld, type World } from "../support/world.ts";

const indexOf = async (world: World) => {
  const index = await readIndex(clusterUid, world.deps);
  if (!index.ok) throw new Error(index.error.code);
  return index.value;
};
/** Messages that wait now, with their due times. */
const waiting = (world: World): readonly { readonly cause: string; readonly name: string; readonly inMs: number }[] =>
  world.queue.reconcile.peek(world.clock.nowMs(), 0, Number.POSITIVE_INFINITY).map(({ body, scheduledForMs }) => {
    const { cause, name } = body as { cause: string; name: string };
    return { cause, name, inMs: (scheduledForMs ?? world.clock.nowMs()) - world.clock.nowMs() };
  });

/** Deps whose management cluster lists these objects, or fails. */
const listing = (world: World, listMetadata: Kube["listMetadata"]): World["deps"] => ({
  ...world.deps,
  clusters: {
    connect: async (cluster) => {
      const connected = await world.deps.clusters.connect(cluster);
      return connected.ok ? { ok: true, value: { ...connected.value, listMetadata } } : connected;
    },
  },
});

const many =
  (count: number): Kube["listMetadata"] =>
  (kind) =>
    Promise.resolve({
      ok: true,
      value: Array.from({ length: count }, (_, at) => ({
        apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
        kind,
        metadata: {
          namespace: "default",
          name: `c${at}`,
          uid: `u${at}`,
          generation: 1,
          resourceVersion: "1",
          annotations: {},
          labels: at % 2 === 0 ? { [labels.watchFilter]: "blue" } : {},
          ownerReferences: [],
          finalizers: [],
        },
      })),
    });

describe("the resync", () => {
  it("enqueues what is overdue by two minutes, from the index, without a read of the object", async () => {
    const world = await settledCluster();
    const index = await indexOf(world);
    expect(index.rows).toHaveLength(1);
    const dueMs = index.rows[0]!.dueMs;
    await world.deps.tables.commit("shared", clusterUid, [{ kind: "upsert", row: "listed", values: { atMs: dueMs } }]);
    world.clock.advanceTo(dueMs + 2 * minute - 1);
    expect(await resyncTick(world)).toMatchObject([{ overdue: 0 }]);
    world.clock.advanceTo(dueMs + 2 * minute);
    const from = world.calls.length;
    expect(await resyncTick(world)).toMatchObject([{ overdue: 1 }]);
    expect(world.calls.slice(from).filter(({ port }) => port === "kube" || port === "arm")).toEqual([]);
    await pass(world, minute);
    expect((await indexOf(world)).rows[0]!.dueMs).toBeGreaterThan(dueMs + hour);
  });

  it("keeps the index that a lost row leaves, and learns what it lacks", async () => {
    const world = await settledCluster();
    world.tables.clear();
    expect(await resyncTick(world)).toMatchObject([{ listed: 1 }]);
    expect((await indexOf(world)).rows).toMatchObject([{ address: key }]);
    const writes = world.writes().length;
    await pass(world, hour);
    expect(world.writes()).toHaveLength(writes);
    // Its turn tells the index of its resources again.
    expect((await indexOf(world)).rows[0]?.resources).toHaveLength(11);
  });

  it("mends damaged rows when it lists", async () => {
    const world = await settledCluster();
    const [row] = world.tables.rows("index");
    const { partition } = row!;
    const damaged = { ...row!.values, name: "../../secrets", dueMs: 0 };
    await world.deps.tables.commit("index", partition, [
      { kind: "upsert", row: row!.row, values: damaged },
      { kind: "upsert", row: "nothing", values: {} },
      { kind: "upsert", row: "another", values: { ...row!.values } },
    ]);
    expect(await indexOf(world)).toMatchObject({ rows: [], damaged: [{}, {}, {}] });
    await pass(world, hour);
    await resyncTick(world);
    expect(await indexOf(world)).toMatchObject({ rows: [{ address: key }], damaged: [] });
    expect(world.tables.rows("index")).toHaveLength(1);
  });

  it("spreads thousands of objects over the hour, each once, and indexes them in few transactions", async () => {
    const world = createWorld();
    const deps = listing(world, many(3_000));
    const from = world.calls.length;
    const [report] = await resync(world.clock.nowMs(), deps);
    expect(report).toMatchObject({ listed: 3_000 });
    const { rows } = await indexOf(world);
    expect(rows).toHaveLength(3_000);
    const commits = world.calls.slice(from).filter(({ name }) => name === "tables commit index");
    expect(commits.length).toBeLessThanOrEqual(48);
    const messages = waiting(world);
    expect(new Set(messages.map(({ name }) => name)).size).toBe(3_000);
    expect(messages).toHaveLength(3_000);
    const quarters = [0, 1, 2, 3].map(
      (quarter) => messages.filter(({ inMs }) => Math.floor(inMs / (15 * minute)) === quarter).length,
    );
    for (const count of quarters) expect(count).toBeGreaterThan(600);
    // The next ticks do not list again, nor does an instance that runs the same tick.
    expect(await resync(world.clock.nowMs(), deps)).not.toHaveProperty("0.listed");
    world.clock.advanceTo(world.clock.nowMs() + minute);
    await resync(world.clock.nowMs(), deps);
    expect(waiting(world)).toHaveLength(3_000);
  });

  it("leaves out what another installation reconciles", async () => {
    const made = createWorld();
    const deps = { ...listing(made, many(10)), settings: { ...made.deps.settings, watchFilter: "blue" } };
    expect(await resync(made.clock.nowMs(), deps)).toMatchObject([{ listed: 5 }]);
  });

  it.each([
    { when: "cannot be reached", error: { kind: "transient", code: "NoAnswer", message: "no" } as const },
    { when: "refuses", error: { kind: "auth", code: "Forbidden", message: "no", status: 403 } as const },
  ])(
    "of a cluster that $when still enqueues what is overdue, holds up no other, and lists at the next tick",
    async ({ error }) => {
      const world = await settledCluster();
      const [row] = (await indexOf(world)).rows;
      world.clock.advanceTo(row!.dueMs + 5 * minute);
      const deps = listing(world, () => Promise.resolve({ ok: false, error }));
      const both: World["deps"] = { ...deps, settings: { ...deps.settings, clusters: ["unknown", clusterUid] } };
      const [other, own] = await resync(world.clock.nowMs(), both);
      expect(other).toMatchObject({ cluster: "unknown", failure: "UnknownCluster" });
      expect(own).toMatchObject({ overdue: 1, failure: error.code });
      await pass(world, minute);
      world.clock.advanceTo(world.clock.nowMs() + 5 * minute);
      expect(await resyncTick(world)).toMatchObject([{ listed: 1 }]);
    },
  );

  it("takes a kind that the API server does not serve for one without objects", async () => {
    const world = await settledCluster();
    await pass(world, hour);
    const error = { kind: "dependency", code: "KindOrNamespaceNotFound", message: "no", status: 404 } as const;
    expect(
      await resync(
        world.clock.nowMs(),
        listing(world, () => Promise.resolve({ ok: false, error })),
      ),
    ).toMatchObject([{ listed: 0 }]);
    await pass(world, hour);
    expect(world.tables.rows("orphans")).toEqual([]);
  });

  it("sends nothing for a kind that this release does not know", async () => {
    const world = await settledCluster();
    const kinds = new Map([...world.deps.kinds].filter(([kind]) => kind !== "AzureCluster"));
    await pass(world, 25 * hour);
    const before = waiting(world).length;
    expect(await resync(world.clock.nowMs() + 50 * hour, { ...world.deps, kinds })).toMatchObject([{ overdue: 0 }]);
    expect(waiting(world)).toHaveLength(before);
  });

  it("asks a damaged table nothing but the next time", async () => {
    const world = await settledCluster();
    world.faults.tables = (call) => (call === "read" ? { kind: "down" } : undefined);
    const [report] = await resyncTick(world);
    expect(report?.failure).toBeDefined();
    expect(report).not.toHaveProperty("listed");
    delete world.faults.tables;
  });
});
