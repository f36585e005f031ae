import { describe, expect, it } from "vitest";
import { decodeChainRow } from "../../src/core/chain/rowCodec.ts";
import type { Failure } from "../../src/core/types.ts";
import { parseWorkItem } from "../../src/core/workItem.ts";
import { objectRow } from "../../src/engine/ledger.ts";
import { resync } from "../../src/engine/resync.ts";
import { key, settledCluster } from "../support/defaultCluster.ts";
import {
  applyManyClusters,
  applySmallClusters,
  readyOf,
  seedSharedNetwork,
  sharedNetwork,
} from "../support/manyClusters.ts";
import { createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;
const away: Failure = { kind: "transient", code: "NoAnswer", message: "the API server does not answer" };

/** Objects whose chain is not alive: neither a live lease nor exactly one message of the row's own turn. */
const brokenChains = (world: World, names: readonly string[]): readonly string[] => {
  const nowMs = world.clock.nowMs();
  const pending = new Map<string, number[]>();
  for (const { body } of world.queue.reconcile.peek(nowMs, 0, 100_000)) {
    const item = parseWorkItem(body);
    if (!item.ok || item.value.cause !== "followUp") continue;
    pending.set(item.value.name, [...(pending.get(item.value.name) ?? []), item.value.turn ?? -1]);
  }
  const rows = new Map(
    world.tables
      .rows("state")
      .filter(({ row }) => row === objectRow)
      .map(({ partition, values }) => [partition.split("~").at(-1) ?? "", decodeChainRow(values)] as const),
  );
  return names.filter((name) => {
    const row = rows.get(name);
    if (row === undefined || !row.ok) return true;
    const { lease, turn } = row.value;
    return lease.endMs <= nowMs && (pending.get(name) ?? []).filter((one) => one === turn).length !== 1;
  });
};

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
