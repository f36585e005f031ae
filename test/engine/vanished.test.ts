import { describe, expect, it } from "vitest";
import { dropOldOrphans } from "../../src/engine/orphans.ts";
import { resync } from "../../src/engine/resync.ts";
import { annotate, ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { ready } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, type World } from "../support/world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const paused = "cluster.x-k8s.io/paused";

describe("an object that is gone", () => {
  const vanish = async (world: World): Promise<void> => {
    world.objects.edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
    world.objects.remove(key);
    await world.run();
  };

  it("leaves its resources as orphans, listed for 90 days", async () => {
    const world = await settledCluster();
    await vanish(world);
    expect(world.writes()).toHaveLength(11);
    const rows = world.tables.rows("orphans");
    expect(rows).toHaveLength(11);
    expect(rows[0]?.values).toMatchObject({ kind: "AzureCluster", namespace: "default", name: "c1", moved: false });
    expect(world.tables.rows("state")).toEqual([]);
    world.clock.advanceTo(world.clock.nowMs() + 89 * day);
    await resync(world.clock.nowMs(), world.deps);
    expect(world.tables.rows("orphans")).toHaveLength(11);
    world.clock.advanceTo(world.clock.nowMs() + 2 * day);
    await dropOldOrphans(clusterUid, world.clock.nowMs(), world.deps);
    expect(world.tables.rows("orphans")).toEqual([]);
  });

  it("was moved when it was last seen paused and free to move", async () => {
    const world = await settledCluster();
    annotate(world, paused, "");
    await world.run();
    await vanish(world);
    expect(world.tables.rows("orphans").map(({ values }) => values["moved"])).toEqual(
      Array.from({ length: 11 }, () => true),
    );
  });

  it("was not moved when it had been taken up again", async () => {
    const world = await settledCluster();
    annotate(world, paused, "");
    await world.run();
    annotate(world, paused, undefined);
    await world.run();
    await vanish(world);
    expect(world.tables.rows("orphans").map(({ values }) => values["moved"])).toContain(false);
  });

  it.each(["AuthorizationFailed", "RequestDisallowedByPolicy"])(
    "another one under its name starts without the old back-offs and with the old resources: %s",
    async (code) => {
      const world = await settledCluster();
      const fault = { kind: "respond", status: 403, code, message: "no" } as const;
      world.arm.faults.push({ rule: { match: { method: "PUT", times: 5 }, fault }, seen: 0 });
      world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
      await world.run(8 * minute);
      expect(ready(world)).toMatchObject({ status: "False" });
      const tries = world.writes().length;
      world.objects.edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
      world.objects.remove(key);
      world.arm.faults = [];
      applyDefaultCluster(world);
      world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
      await world.run(5_000);
      expect(
        world
          .writes()
          .slice(tries)
          .map(({ path }) => path),
      ).toEqual([ids.nodeNsg]);
      expect(ready(world)).toMatchObject({ status: "True" });
    },
  );
});
