import { describe, expect, it } from "vitest";
import { pack } from "../../src/adapters/packedValues.ts";
import type { JsonObject, ResourceId } from "../../src/core/types.ts";
import { fitting, toldTroubles, toldWrites } from "../../src/engine/explained.ts";
import { dropOldHistory, keepHistory } from "../../src/engine/history.ts";
import { decodeHistory, type HistoryEntry } from "../../src/engine/historyRow.ts";
import { partitionOf } from "../../src/engine/ledger.ts";
import { activeFaults, type FaultRule } from "../../src/sim/arm/faults.ts";
import { ids, key, mutate, settledCluster, withSource, withTag } from "../support/defaultCluster.ts";
import { lookAgain, ready, runBy } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const partition = partitionOf(clusterUid, key);

/** Newest last. */
const historyOf = (world: World): readonly HistoryEntry[] =>
  world.tables
    .rows("history")
    .filter((row) => row.partition === partition)
    .toSorted((one, other) => (one.row < other.row ? 1 : -1))
    .map(decodeHistory);
const last = (world: World): HistoryEntry | undefined => historyOf(world).at(-1);
const addFault = (world: World, ...rules: readonly FaultRule[]): void =>
  void world.arm.faults.push(...activeFaults(rules));

describe("history", () => {
  it("has one row for each turn that wrote, and none for one that did not", async () => {
    const world = await settledCluster();
    const rows = historyOf(world);
    expect(rows.length).toBeGreaterThan(2);
    expect(rows.every(({ wrote, troubles, holds }) => wrote + troubles.length + holds.length > 0)).toBe(true);
    const written = rows.flatMap(({ writes }) => writes.map(({ id }) => id));
    expect(new Set(written)).toEqual(new Set(world.writes().map(({ path }) => path)));
    expect(written).toHaveLength(world.writes().length);
    await lookAgain(world);
    await world.run(2 * day);
    expect(historyOf(world).length).toBe(rows.length);
  });

  it("keeps Azure's ids of each request, its outcome, and where each value came from", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
    await world.run();
    expect(last(world)).toMatchObject({
      kind: "turn",
      cause: "change",
      generation: 3,
      wrote: 1,
      code: "",
      writes: [
        {
          id: ids.nodeNsg,
          method: "PUT",
          changes: [{ path: expect.stringContaining("web"), from: null, to: expect.anything(), effect: "inPlace" }],
          requests: [{ status: expect.any(Number), requestId: expect.any(String), correlationId: expect.any(String) }],
        },
      ],
    });
  });

  it("A22: names the request and the resource that Azure refused, although the turn itself went through", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    addFault(world, {
      match: { method: "PUT", path: "routeTables" },
      fault: { kind: "respond", status: 400, code: "InvalidRoute", message: "the route is wrong" },
    });
    await world.run();
    const row = historyOf(world).find(({ troubles }) => troubles.length > 0);
    expect(row).toMatchObject({
      code: "",
      troubles: [
        { id: ids.routeTable, method: "PUT", status: 400, code: "InvalidRoute", message: "the route is wrong" },
      ],
    });
    expect(row?.writes).toContainEqual(
      expect.objectContaining({ id: ids.routeTable, requests: [expect.objectContaining({ code: "InvalidRoute" })] }),
    );
    expect(row?.troubles[0]?.["requestId"]).toEqual(expect.any(String));
  });

  it("has a row for an operation that failed long after its request was accepted", async () => {
    const world = createWorld({ latency: 30_000 });
    applyDefaultCluster(world);
    addFault(world, {
      match: { method: "PUT", path: "loadBalancers" },
      fault: { kind: "failOperation", code: "InternalServerError", message: "an error occurred" },
    });
    await world.run(30 * minute);
    const row = historyOf(world).find(({ troubles }) => troubles.some(({ method }) => method === "POLL"));
    expect(row?.troubles).toMatchObject([{ id: ids.lb, code: "InternalServerError", message: "an error occurred" }]);
  });

  it("A22: says of a fight which field is written for ever, both values, and when it is held", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "ours" } } }));
    await world.run();
    for (let round = 0; round < 12; round += 1) {
      mutate(world, ids.routeTable, (body) => withTag(body, "team", `theirs-${round % 2}`));
      await lookAgain(world);
    }
    const rows = historyOf(world).slice(-12);
    const fought = rows.flatMap(({ writes }) => writes).filter(({ id }) => id === ids.routeTable);
    expect(fought.length).toBeGreaterThan(1);
    for (const write of fought)
      expect(write["changes"]).toEqual([
        { path: "tags.team", from: expect.stringMatching(/^theirs-/), to: "ours", effect: "inPlace" },
      ]);
    const holds = rows.flatMap(({ holds: held }) => held);
    expect(holds.length).toBeGreaterThan(0);
    expect(holds[0]).toMatchObject({ id: ids.routeTable, message: expect.stringContaining("team") });
  });

  it("explains a write also when a defect ended its turn", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const kinds = new Map(
      [...world.deps.kinds].map(([name, kind]) => [
        name,
        {
          ...kind,
          read: (input: Parameters<typeof kind.read>[0]) => ({
            ...kind.read(input),
            plan: (facts: Parameters<ReturnType<typeof kind.read>["plan"]>[0]) => {
              const planned = kind.read(input).plan(facts);
              if (!planned.ok) return planned;
              const report = (): never => {
                throw new Error("no report");
              };
              return { ok: true as const, value: { ...planned.value, report } };
            },
          }),
        },
      ]),
    );
    await runBy(world, { ...world.deps, kinds }, minute);
    expect(historyOf(world)[0]).toMatchObject({
      code: "ReconcileDefect",
      wrote: 0,
    });
    const writes = historyOf(world)[0]?.writes ?? [];
    expect(writes.length).toBeGreaterThan(0);
    for (const write of writes)
      expect(write).toMatchObject({ method: "PUT", requests: [{ requestId: expect.any(String) }] });
  });

  it("never fails a turn: without it everything goes on", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const commit = world.deps.tables.commit.bind(world.deps.tables);
    let tried = 0;
    const deps: World["deps"] = {
      ...world.deps,
      tables: {
        ...world.deps.tables,
        commit: (table, ...rest) => {
          if (table !== "history") return commit(table, ...rest);
          tried += 1;
          if (tried % 2 === 0) throw new Error("a defect of the table client");
          return Promise.resolve({ ok: false, error: { kind: "transient", code: "NoAnswer", message: "" } });
        },
      },
    };
    await runBy(world, deps);
    expect(tried).toBeGreaterThan(2);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.tables.rows("history")).toEqual([]);
  });
});

const entry = (atMs: number, writes: readonly JsonObject[] = []): HistoryEntry => ({
  kind: "turn",
  atMs,
  turn: 1,
  cause: "change",
  generation: 1,
  result: "settled",
  wrote: 1,
  polled: 0,
  code: "",
  message: "",
  writes,
  troubles: [],
  holds: [],
});

describe("history ages", () => {
  it("rows of 30 days go with the hourly resync, newer ones stay", async () => {
    const world = await settledCluster();
    const rows = historyOf(world).length;
    await dropOldHistory(clusterUid, world.clock.nowMs() + 29 * day, world.deps);
    expect(historyOf(world)).toHaveLength(rows);
    await dropOldHistory(clusterUid, world.clock.nowMs() + 38 * day, world.deps);
    expect(world.tables.rows("history")).toEqual([]);
  });

  it("the resync itself does so", async () => {
    const world = await settledCluster();
    const { resync } = await import("../../src/engine/resync.ts");
    world.clock.advanceTo(world.clock.nowMs() + 40 * day);
    await resync(world.clock.nowMs(), world.deps);
    expect(world.tables.rows("history")).toEqual([]);
  });

  it("of one object 500 rows are kept, whatever became of it", async () => {
    const world = createWorld();
    for (let index = 0; index < 700; index += 1)
      await keepHistory(partition, entry(1e12 + index), `n${index}`, world.deps);
    await dropOldHistory(clusterUid, 1e12 + 1_000, world.deps);
    const left = historyOf(world).map(({ atMs }) => atMs);
    expect(left).toHaveLength(500);
    expect(left[0]).toBe(1e12 + 200);
    expect(left.at(-1)).toBe(1e12 + 699);
  });
});

describe("what an object shows of work that takes long", () => {
  it("A33: what is done shows while an operation runs; nothing waits for its end to be told", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/loadBalancers": { put: 20 * minute } } } });
    applyDefaultCluster(world);
    await world.run(5 * minute);
    const conditions = conditionsOf(world.objects.find(key));
    expect(conditions["LoadBalancersReady"]).toMatchObject({ status: "False" });
    for (const type of ["VNetReady", "SecurityGroupsReady", "RouteTablesReady", "SubnetsReady"])
      expect(conditions[type], type).toMatchObject({ status: "True" });
    // Upstream: all of it is thrown away until the operation ends, and then everything seems to be of that minute.
    expect(world.writes().some(({ path }) => path === ids.lb)).toBe(true);
    const startMs = world.clock.nowMs() - 5 * minute;
    await world.run(60 * minute);
    const sinceMs = (type: string): number =>
      Date.parse((conditionsOf(world.objects.find(key))[type] as { lastTransitionTime?: string }).lastTransitionTime!);
    expect(sinceMs("LoadBalancersReady") - startMs).toBeGreaterThanOrEqual(20 * minute);
    for (const type of ["VNetReady", "SecurityGroupsReady", "RouteTablesReady", "SubnetsReady"])
      expect(sinceMs(type) - startMs, type).toBeLessThan(5 * minute);
    const shown = world.objects.find(key)?.status["failureDomains"];
    expect(shown).toBeDefined();
  });

  it("A79: a deletion that cannot go on says since when, and goes on saying so", async () => {
    const world = await settledCluster();
    addFault(world, {
      match: { method: "DELETE", times: 1_000 },
      fault: { kind: "respond", status: 409, code: "ScopeLocked", message: "a lock forbids it" },
    });
    world.objects.remove(key);
    await world.run(10 * minute);
    const shown = (): JsonObject => (conditionsOf(world.objects.find(key))["Ready"] ?? {}) as JsonObject;
    const first = shown();
    expect(first["message"]).toContain("lock");
    await world.run(3 * 60 * minute);
    expect(shown()["lastTransitionTime"]).toBe(first["lastTransitionTime"]);
    // Upstream: no age at all; a clock that starts anew at each try would show less than an hour.
    const { lastTransitionTime } = shown() as { lastTransitionTime?: string };
    expect(world.clock.nowMs() - Date.parse(lastTransitionTime!)).toBeGreaterThan(2 * 60 * minute);
    expect(shown()["message"]).toContain("lock");
    const rows = historyOf(world).filter(({ troubles }) => troubles.length > 0);
    expect(rows.at(-1)?.troubles[0]).toMatchObject({ code: "ScopeLocked", method: "DELETE" });
  });

  it("A48: what is taken out of the spec shows as deleted, with what asked for it", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const subnets = [
      { name: "control-plane-subnet", role: "control-plane" },
      { name: "node-subnet", role: "node" },
      { name: "node-2", role: "node", cidrBlocks: ["10.7.0.0/16"], securityGroup: { name: "second-nsg" } },
    ];
    const withSubnets = (count: number): void =>
      void world.objects.edit(key, (object) => ({
        ...object,
        spec: { ...object.spec, networkSpec: { vnet: { name: "c1-vnet" }, subnets: subnets.slice(0, count) } },
      }));
    withSubnets(3);
    await world.run(60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    withSubnets(2);
    await world.run(60 * minute);
    const gone = historyOf(world)
      .flatMap(({ writes }) => writes)
      .filter(({ method }) => method === "DELETE");
    expect(gone.map(({ id }) => id)).toContain(`${ids.vnet}/subnets/node-2`);
    for (const write of gone)
      expect(write).toMatchObject({ cause: expect.any(String), requests: [expect.any(Object)] });
  });
});

describe("the size of a row", () => {
  /** Each character takes two UTF-16 units and four bytes, and hardly any of it can be compressed. */
  const emoji = (length: number, seed: number): string =>
    Array.from({ length }, (_, at) => String.fromCodePoint(0x1f300 + ((seed * 7_919 + at * at * 104_729) % 700))).join(
      "",
    );

  it("stays below what the table takes, whatever is to be told; no character is cut in half", () => {
    const changes = Array.from({ length: 60 }, (_, index) => ({
      path: emoji(400, index),
      from: emoji(600, index * 3),
      to: { deep: [emoji(600, index * 5)] },
      effect: "inPlace" as const,
    }));
    const id = ids.routeTable as ResourceId;
    const wrote = Array.from({ length: 4 }, () => ({ id, method: "PUT", cause: "change", creating: false, changes }));
    const failure = { kind: "conflict", code: emoji(300, 1), message: emoji(1_200, 2) } as const;
    const exchanges = Array.from(
      { length: 100 },
      () => ({ method: "PUT", path: ids.routeTable, status: 409, failure }) as const,
    );
    const writes = fitting(toldWrites(wrote.slice(0, 1), exchanges.slice(0, 3), "change"), 200_000);
    expect(writes.length).toBeGreaterThan(0);
    expect(fitting(toldWrites(wrote, exchanges, "change"), 200_000).length).toBeLessThan(4);
    const troubles = fitting(toldTroubles(exchanges), 30_000);
    expect(troubles.length).toBeGreaterThan(0);
    expect(pack({ writes, troubles, holds: [] }).ok).toBe(true);
    expect(JSON.stringify({ writes, troubles }).isWellFormed()).toBe(true);
    expect(JSON.stringify({ writes, troubles })).not.toMatch(/\\ud[89a-f]/i);
  });

  it("a message of a turn is told up to 4,096 units, of which the last is not half a character", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const message = `${"x".repeat(4_094)}${emoji(100, 3)}`;
    world.faults.kube = (call) => (call === "read" ? { kind: "transient", code: "ServerTimeout", message } : undefined);
    await world.run(minute);
    const told = last(world)?.message ?? "";
    expect(told).toBe(`${"x".repeat(4_094)}…`);
  });
});
