import { describe, expect, it } from "vitest";
import type { Failure } from "../../src/core/types.ts";
import { resync } from "../../src/engine/resync.ts";
import { brokenChains } from "../support/brokenChains.ts";
import { key, settledCluster } from "../support/defaultCluster.ts";
import {
  applyManyClusters,
  applySmallClusters,
  readyOf,
  seedSharedNetwork,
  sharedNetwork,
} from "../support/manyClusters.ts";
import { createWorld } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const away: Failure = { kind: "transient", code: "NoAnswer", message: "the API server does not answer" };

describe("the API server is away for three minutes while 300 objects are at work", () => {
  it("nothing is dead-lettered, every chain stays alive, and all come to their end", async () => {
    const types = { "Microsoft.Resources/resourceGroups": "sync" } as const;
    const world = createWorld({ latency: { types, default: 4 * minute }, retryAfterSeconds: 30 });
    const names = applySmallClusters(world, 300);
    await world.run(minute);
    const startMs = world.clock.nowMs();
    world.faults.kube = () => away;
    for (let n = 0; n < 6; n += 1) {
      await world.run(minute / 2);
      world.clock.advanceTo(startMs + ((n + 1) * minute) / 2);
      expect(brokenChains(world, names)).toEqual([]);
    }
    delete world.faults.kube;
    const { deadLetter } = world.queue.reconcile.counts(world.clock.nowMs());
    expect(deadLetter).toBe(0);
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
    await world.run(2 * minute);
    expect(brokenChains(world, names)).toEqual([]);
    await world.run(2 * hour);
    expect(names.filter((name) => readyOf(world, name) !== "True")).toEqual([]);
  }, 300_000);
});

describe("all tables are deleted", () => {
  it("one resync rebuilds the ledger, and nothing is written to Azure, not even where defaults of ours stand", async () => {
    const world = await settledCluster();
    const ledger = (): readonly string[] =>
      world.tables
        .rows("state")
        .flatMap(({ values }) => (typeof values["id"] === "string" ? [values["id"]] : []))
        .toSorted();
    const before = ledger();
    const writes = world.writes().length;
    const { resourceVersion } = world.objects.find(key)!.metadata;
    world.tables.clear();
    // The hourly listing spreads its objects over the hour.
    for (let n = 0; n < 13; n += 1) {
      await resync(world.clock.nowMs(), world.deps);
      await world.run(5 * minute);
    }
    expect(before.length).toBeGreaterThan(10);
    expect(ledger()).toEqual(before);
    expect(world.writes().length).toBe(writes);
    expect(world.objects.find(key)!.metadata.resourceVersion).toBe(resourceVersion);
    expect(world.requests().filter(({ status }) => status >= 400 && status !== 404)).toEqual([]);
  });
});

describe("several clusters in one network of somebody else", () => {
  it("A86: parallel writes are refused by Azure, taken up again, and all converge with few writes", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/virtualNetworks/subnets": 10_000 } } });
    seedSharedNetwork(world);
    const names = applyManyClusters(world, 4, (n) => [
      { name: `c${n}-control-plane`, role: "control-plane", cidrBlocks: [`10.${n}.0.0/24`] },
      { name: `c${n}-node`, role: "node", cidrBlocks: [`10.${n}.1.0/24`] },
    ]);
    await world.run(2 * hour);
    expect(names.filter((name) => readyOf(world, name) !== "True")).toEqual([]);
    const subnets = world.writes().filter(({ path }) => path.startsWith(`${sharedNetwork}/subnets/`));
    const accepted = subnets.filter(({ status }) => status < 300);
    expect(accepted.length).toBe(8);
    const refused = world.arm.requests.filter(
      ({ path, method, status }) => path.startsWith(sharedNetwork) && method === "PUT" && status >= 400,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect([...new Set(refused.map(({ errorCode }) => errorCode))]).toEqual(["AnotherOperationInProgress"]);
    // Eight writes of ten seconds; each of the others in turn tries again after 5, 10, 20 and 30 s.
    expect(refused.length).toBeLessThanOrEqual(4 * 8);
    expect(world.requests().some(({ method, path }) => method === "PUT" && path === sharedNetwork)).toBe(false);
  });
});
