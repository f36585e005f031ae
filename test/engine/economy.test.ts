import { describe, expect, it } from "vitest";
import { doorbell, resync as resyncMessage } from "../../src/core/chain/messages.ts";
import { newsOf, versionsOf } from "../../src/core/inputs.ts";
import { project } from "../../src/core/projection.ts";
import type { Outgoing } from "../../src/core/workItem.ts";
import { resync } from "../../src/engine/resync.ts";
import { annotate, key, settledCluster } from "../support/defaultCluster.ts";
import { clusterUid, type World } from "../support/world.ts";

const address = { cluster: clusterUid, ...key };
const names = (world: World): readonly string[] => world.calls.map(({ name }) => name);

/** Sends a message and answers the calls that its handling takes. */
const callsFor = async (world: World, { item, messageId }: Outgoing): Promise<readonly string[]> => {
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  world.calls.length = 0;
  await world.step();
  return names(world);
};

describe("a settled object costs next to nothing", () => {
  it("a doorbell that says what was seen: one read of a table", async () => {
    const world = await settledCluster();
    const known = world.objects.all().map(project);
    const self = project(world.objects.find(key)!);
    const again = doorbell({
      cause: "change",
      address,
      news: newsOf(self, known),
      versions: [...versionsOf(self, known), "another"],
      nowMs: world.clock.nowMs(),
    });
    expect(await callsFor(world, again)).toEqual(["tables get state"]);
  });

  it("a resync of an object that is not due: one read of a table", async () => {
    const world = await settledCluster();
    const nowMs = world.clock.nowMs();
    const early = resyncMessage({ address, uid: "", scheduledMs: nowMs, dueMs: nowMs, nowMs, listed: false });
    expect(await callsFor(world, early)).toEqual(["tables get state"]);
  });

  it("one from the hourly listing: no call to Azure, no write to the API server", async () => {
    const world = await settledCluster();
    const nowMs = world.clock.nowMs();
    const listed = resyncMessage({ address, uid: "", scheduledMs: nowMs, dueMs: nowMs, nowMs, listed: true });
    const calls = await callsFor(world, listed);
    expect(calls.filter((name) => name.startsWith("arm ") || name.startsWith("kube apply"))).toEqual([]);
    expect(calls).toContain("kube get");
  });

  it("a day with the resync timer running: one read a resource, and nothing written", async () => {
    const world = await settledCluster();
    const resourceVersion = world.objects.find(key)?.metadata.resourceVersion;
    world.calls.length = 0;
    for (let n = 0; n < 24; n += 1) {
      await resync(world.clock.nowMs(), world.deps);
      await world.run(60 * 60_000);
      world.clock.advanceTo(world.clock.nowMs() + 60_000);
    }
    const outside = names(world).filter((name) => name.startsWith("arm ") || name.startsWith("kube apply"));
    expect(outside.filter((name) => name !== "arm GET")).toEqual([]);
    expect(outside.length).toBeLessThanOrEqual(11);
    expect(world.objects.find(key)?.metadata.resourceVersion).toBe(resourceVersion);
  });

  it("a turn that finds nothing to do makes no status patch, not even an empty one", async () => {
    const world = await settledCluster();
    world.calls.length = 0;
    annotate(world, "capstan.azure/retry", "1");
    await world.run();
    expect(names(world)).toContain("kube get");
    expect(names(world).filter((name) => name.startsWith("kube apply"))).toEqual([]);
    world.calls.length = 0;
    annotate(world, "cluster.x-k8s.io/paused", "");
    await world.run();
    annotate(world, "capstan.azure/retry", "2");
    await world.run();
    expect(names(world).filter((name) => name.startsWith("kube apply"))).toEqual([
      "kube apply status",
      "kube apply metadata",
    ]);
    expect(names(world).filter((name) => name.startsWith("arm ") || name === "kube secret")).toEqual([]);
  });
});
