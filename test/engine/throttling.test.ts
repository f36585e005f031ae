import { describe, expect, it } from "vitest";
import { drift } from "../../src/core/chain/messages.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { resync } from "../../src/engine/resync.ts";
import { createThrottle } from "../../src/engine/throttle/throttle.ts";
import { activeFaults } from "../../src/sim/arm/faults.ts";
import { azureThrottling } from "../../src/sim/arm/throttle.ts";
import { type Sent, unhonoured, watched } from "../support/azureTraffic.ts";
import { ids, key, mutate, settledCluster, withTag } from "../support/defaultCluster.ts";
import { applySmallClusters } from "../support/manyClusters.ts";
import { lookAgain, ready } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;

/** Two function apps that take messages in turn, each with what it knows of Azure's limits itself. */
const byTwo = async (world: World, sent: Sent[]): Promise<void> => {
  const apps: readonly Deps[] = ["one", "other"].map((name) =>
    watched({ ...world.deps, throttle: createThrottle() }, name, sent),
  );
  const endMs = world.clock.nowMs() + hour;
  for (let n = 0; ; n += 1) {
    if (await world.step(apps[n % 2])) continue;
    const next = world.queue.nextDueMs();
    if (next === undefined || next > endMs) return;
    world.clock.advanceTo(next);
  }
};

const clusters = (world: World, count: number): readonly string[] => {
  const names = Array.from({ length: count }, (_, n) => `c${n}`);
  for (const name of names) applyDefaultCluster(world, name);
  return names;
};
const readyOf = (world: World, name: string): string | undefined =>
  conditionsOf(world.objects.find({ ...key, name }))["Ready"]?.status;

describe("many objects in one subscription", () => {
  it("300 objects over 250 read and 200 write tokens: all ready, as fast as the tokens come, and nothing is refused", async () => {
    const world = createWorld({ throttling: azureThrottling });
    const names = applySmallClusters(world, 300);
    await world.run(hour);
    expect(names.filter((name) => readyOf(world, name) !== "True")).toEqual([]);
    expect(world.requests().filter(({ status }) => status === 429)).toEqual([]);
    const times = world.arm.requests.map(({ at }) => Date.parse(at));
    expect((Math.max(...times) - Math.min(...times)) / 60_000).toBeLessThan(10);
    const writes = world.writes();
    expect(writes.length).toBe(new Set(writes.map(({ path }) => path)).size);
    // Its group, its address and its load balancer.
    expect(writes.length).toBe(3 * names.length);
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
  }, 300_000);

  it("two function apps that do not know of each other are refused now and then, and honour every refusal", async () => {
    const world = createWorld({ throttling: { writes: { capacity: 30, perSecond: 1 } } });
    const names = clusters(world, 10);
    const sent: Sent[] = [];
    await byTwo(world, sent);
    expect(names.filter((name) => readyOf(world, name) !== "True")).toEqual([]);
    expect(sent.filter(({ refusedForMs }) => refusedForMs !== undefined).length).toBeGreaterThan(0);
    expect(unhonoured(sent, 10_000)).toEqual([]);
  }, 60_000);

  it("a long refusal is known to the other one too: it sends nothing of that kind once it has looked", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const refusal = { kind: "respond", status: 429, code: "SubscriptionRequestsThrottled", message: "x" } as const;
    world.arm.faults.push(
      ...activeFaults([{ match: { method: "PUT", nth: 3 }, fault: { ...refusal, retryAfterSeconds: 600 } }]),
    );
    const sent: Sent[] = [];
    await byTwo(world, sent);
    expect(sent.filter(({ refusedForMs }) => refusedForMs === 600_000)).toHaveLength(1);
    expect(unhonoured(sent, 10_000)).toEqual([]);
    expect(world.tables.rows("shared")).toMatchObject([{ values: { verb: "writes", provider: "" } }]);
    expect(readyOf(world, "c1")).toBe("True");
  });

  it("without the shared table everything goes on, with refusals more", async () => {
    const world = createWorld({ throttling: { writes: { capacity: 20, perSecond: 1 } } });
    const deps: Deps = {
      ...world.deps,
      tables: {
        ...world.deps.tables,
        list: (table, partition) =>
          table === "shared" ? Promise.resolve({ ok: false, error: gone }) : world.deps.tables.list(table, partition),
      },
    };
    applyDefaultCluster(world);
    const endMs = world.clock.nowMs() + hour;
    for (;;) {
      if (await world.step(deps)) continue;
      const next = world.queue.nextDueMs();
      if (next === undefined || next > endMs) break;
      world.clock.advanceTo(next);
    }
    expect(readyOf(world, "c1")).toBe("True");
  });
});

const gone = { kind: "transient", code: "NoAnswer", message: "tables do not answer" } as const;

describe("below a fifth of the tokens", () => {
  /** A settled cluster whose subscription has so few writes left that a person's last write left none for others. */
  const scarce = async (): Promise<World> => {
    const world = await settledCluster({ throttling: azureThrottling });
    for (const [name, entry] of world.arm.buckets)
      if (name.endsWith("~writes")) Object.assign(entry, { tokens: 10, atMs: world.clock.nowMs() });
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "a" } } }));
    // Only the first message: time stands still.
    for (let n = 0; n < 3; n += 1) await world.step();
    return world;
  };

  it("a person's change is written at once; drift waits, shows as progress with its cause, and goes on by itself", async () => {
    const world = await scarce();
    const before = world.writes().length;
    expect(before).toBeGreaterThan(11);
    mutate(world, ids.nodeNsg, (body) => withTag(body, "team", undefined));
    const { item, messageId } = drift({
      address: { cluster: clusterUid, ...key },
      uid: "",
      nowMs: world.clock.nowMs(),
      dueMs: world.clock.nowMs(),
      scheduledMs: 1,
    });
    await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
    await world.step();
    expect(world.writes().length).toBe(before);
    const held = Object.values(conditionsOf(world.objects.find(key))).filter(({ message }) =>
      message?.includes("HeldBack"),
    );
    expect(held).toMatchObject([{ status: "False", reason: "Creating" }, {}]);
    expect(JSON.stringify(held)).toContain("Info");
    await world.run(60_000);
    expect(world.writes().length).toBe(before + 1);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.requests().filter(({ status }) => status === 429)).toEqual([]);
  });

  it("a deletion goes on at once", async () => {
    const world = await scarce();
    const startMs = world.clock.nowMs();
    world.objects.remove(key);
    await world.run(10 * 60_000);
    expect(world.objects.find(key)).toBeUndefined();
    expect(world.clock.nowMs() - startMs).toBeLessThan(60_000);
  });
});

describe("while operations run", () => {
  it.each([
    // Each operation had its own turn, once a second: 57 a minute for each object.
    { told: "a second", retryAfterSeconds: 1, first: 26, later: 7 },
    { told: "ten seconds", retryAfterSeconds: 10, first: 8, later: 6 },
  ])(
    "Azure says $told: what is due at nearly one time is asked in one turn, and what lasts less often",
    async ({ retryAfterSeconds, first, later }) => {
      const types = { "Microsoft.Resources/resourceGroups": "sync" } as const;
      const world = createWorld({ latency: { types, default: 4 * 60_000 }, retryAfterSeconds });
      const count = clusters(world, 3).length;
      const turns = [];
      for (let n = 0; n < 3; n += 1) turns.push((await world.run(60_000)) / count);
      expect(turns[0]).toBeLessThanOrEqual(first);
      expect(Math.max(...turns.slice(1))).toBeLessThanOrEqual(later);
    },
  );
});

describe("refused polls and looks", () => {
  it("a poll that is refused keeps its operation, and waits as long as Azure says", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/virtualNetworks": 20_000 } } });
    applyDefaultCluster(world);
    const refusal = {
      kind: "respond",
      status: 429,
      code: "TooManyRequests",
      message: "x",
      retryAfterSeconds: 90,
    } as const;
    world.arm.faults.push(
      ...activeFaults([{ match: { method: "GET", path: "/operations/", nth: 1 }, fault: refusal }]),
    );
    const sent: Sent[] = [];
    const deps = watched(world.deps, "one", sent);
    const endMs = world.clock.nowMs() + hour;
    for (;;) {
      if (await world.step(deps)) continue;
      const next = world.queue.nextDueMs();
      if (next === undefined || next > endMs) break;
      world.clock.advanceTo(next);
    }
    expect(sent.filter(({ refusedForMs }) => refusedForMs === 90_000)).toHaveLength(1);
    expect(
      unhonoured(
        sent.filter(({ path }) => path === ids.vnet),
        0,
      ),
    ).toEqual([]);
    expect(world.writes().filter(({ path }) => path === ids.vnet)).toHaveLength(1);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("A24: what is ready stays ready while Azure has no time to be asked; it does not become throttled", async () => {
    const world = await settledCluster();
    const { resourceVersion } = world.objects.find(key)!.metadata;
    const refusal = { kind: "respond", status: 429, code: "SubscriptionRequestsThrottled", message: "x" } as const;
    const fault = { ...refusal, retryAfterSeconds: 300 };
    world.arm.faults.push(...activeFaults([{ match: { method: "GET" }, fault }]));
    for (let n = 0; n < 6; n += 1) {
      await lookAgain(world);
      expect(ready(world)).toMatchObject({ status: "True" });
    }
    world.arm.faults.length = 0;
    await world.run(2 * hour);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(resourceVersion);
  });
});

describe("what is not asked of Azure at all", () => {
  const dayOfResyncs = async (world: World): Promise<void> => {
    for (let n = 0; n < 24; n += 1) {
      await resync(world.clock.nowMs(), world.deps);
      await world.run(hour);
      world.clock.advanceTo(world.clock.nowMs() + 60_000);
    }
  };

  it("A09: an unchanged public IP is not written again, by no resync and no look", async () => {
    const world = await settledCluster();
    const before = world.writes().filter(({ path }) => path.includes("/publicIPAddresses/")).length;
    expect(before).toBeGreaterThan(0);
    await dayOfResyncs(world);
    await lookAgain(world);
    const today = world.writes().filter(({ path }) => path.includes("/publicIPAddresses/")).length;
    // CAPZ: one PUT for each of them every ten minutes.
    expect(today).toBe(before);
  });

  it("A24: a day of resyncs writes nothing", async () => {
    const world = await settledCluster();
    const before = world.writes().length;
    await dayOfResyncs(world);
    expect(world.writes().length - before).toBe(0);
  });

  it("A25: a new generation that asks nothing new of Azure sends nothing again", async () => {
    const world = await settledCluster();
    const before = world.writes().length;
    const { generation } = world.objects.find(key)!.metadata;
    // The spec says in words what was the default: the generation rises, the plan stays.
    world.objects.edit(key, (object) => ({
      ...object,
      spec: { ...object.spec, azureEnvironment: "AzurePublicCloud" },
    }));
    await world.run(hour);
    expect(world.objects.find(key)!.metadata.generation).toBe(generation + 1);
    expect(world.writes().length).toBe(before);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
