import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { bodyOf, group, key, mutate, resources, settledCluster, withTag } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { runBy } from "../support/turns.ts";

/** What random schedules have found, each as the shortest story that shows it. */

const gateway = `${group}/providers/Microsoft.Network/natGateways/c1-node-natgw-1`;
const failed = (body: JsonObject): JsonObject => ({
  ...body,
  properties: { ...(body["properties"] as JsonObject), provisioningState: "Canceled" },
});

describe("a resource that Azure left failed, whose tags differ as well", () => {
  it("is finished and tagged by one request, and what others have tagged stays", async () => {
    const world = await settledCluster();
    mutate(world, gateway, (body) => withTag(failed(body), "other", "1"));
    const before = world.writes().length;
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "b" } } }));
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
