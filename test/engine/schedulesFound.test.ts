import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, key, mutate, resources, settledCluster, withTag } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { lookAgain, runBy } from "../support/turns.ts";
import type { World } from "../support/world.ts";

/** What random schedules have found, each as the shortest story that shows it. */

const gateway = `${group}/providers/Microsoft.Network/natGateways/c1-node-natgw-1`;
const failed = (body: JsonObject): JsonObject => ({
  ...body,
  properties: { ...(body["properties"] as JsonObject), provisioningState: "Canceled" },
});

const tagWith = (world: World, team: string): void =>
  void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team } } }));

describe("a resource that Azure left failed, whose tags differ as well", () => {
  it("is finished and tagged by one request, and what others have tagged stays", async () => {
    const world = await settledCluster();
    mutate(world, gateway, (body) => withTag(failed(body), "other", "1"));
    const before = world.writes().length;
    tagWith(world, "b");
    await world.run();
    const writes = world.writes().slice(before);
    expect(writes.filter(({ path }) => path.startsWith(gateway))).toMatchObject([{ method: "PUT", path: gateway }]);
    expect(bodyOf(world, gateway)).toMatchObject({
      tags: { team: "b", other: "1" },
      properties: { provisioningState: "Succeeded" },
    });
  });
});

describe("tables that are lost under each turn of a message", () => {
  it("do not end the chain: nobody else has taken the object, so the message comes again", async () => {
    const world = await settledCluster();
    let losses = 0;
    const losing = intercept(world.deps, (call, run) => {
      if (call.name === "arm list" && losses < 5) {
        losses += 1;
        world.tables.clear();
      }
      return run();
    });
    world.objects.remove(key);
    await runBy(world, losing, 60 * 60_000);
    expect(losses).toBe(5);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });
});

describe("a value that is put back while Azure's reads are older than our last write", () => {
  it("is written once reads can be trusted, not taken for done", async () => {
    const world = await settledCluster();
    tagWith(world, "a");
    await world.run();
    const shown = new Map<string, unknown>();
    let isOld = false;
    const old = intercept(world.deps, async (call, run) => {
      const before = shown.get(call.path);
      // The one cast: it is what this very request was answered with.
      if (call.name === "arm GET" && isOld && before !== undefined) return before as Awaited<ReturnType<typeof run>>;
      const answer = await run();
      if (call.name === "arm GET" && !isOld) shown.set(call.path, answer);
      return answer;
    });
    tagWith(world, "b");
    await runBy(world, old, 500);
    expect(bodyOf(world, gateway)["tags"]).toMatchObject({ team: "b" });
    isOld = true;
    tagWith(world, "a");
    await runBy(world, old, 10_000);
    isOld = false;
    await runBy(world, old);
    expect(bodyOf(world, gateway)["tags"]).toMatchObject({ team: "a" });
  });
});

describe("tables that fail while the last row of an object goes", () => {
  it("leave no row behind: the message comes again", async () => {
    const world = await settledCluster();
    world.objects.remove(key);
    await world.run(60 * 60_000);
    const startMs = world.clock.nowMs();
    let commits = 0;
    // The lease and the resource rows are written, all that follows in this turn is not answered.
    world.faults.tables = (call) => {
      commits += call === "commit" ? 1 : 0;
      return commits > 2 && world.clock.nowMs() === startMs ? { kind: "down" } : undefined;
    };
    await lookAgain(world);
    delete world.faults.tables;
    expect(commits).toBeGreaterThan(3);
    expect(world.tables.rows("state")).toEqual([]);
  });
});
