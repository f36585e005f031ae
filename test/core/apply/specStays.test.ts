import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/types.ts";
import { ids, key, mutate, settledCluster } from "../../support/defaultCluster.ts";
import { lookAgain } from "../../support/turns.ts";

/** What a user wrote stays what the user wrote: observed values and defaults go into bodies and status, never into a spec. */
describe("the spec of a cluster", () => {
  it("A05: keeps its subnets without ids, ranges and names of ours, so that no topology controller has to take them back", async () => {
    const world = await settledCluster();
    expect(world.objects.find(key)?.spec["networkSpec"]).toEqual({
      subnets: [
        { name: "control-plane-subnet", role: "control-plane" },
        { name: "node-subnet", role: "node" },
      ],
      vnet: { name: "c1-vnet" },
    });
  });
  it("A06: gets nothing that was read back, and a look at Azure wakes nobody", async () => {
    const world = await settledCluster();
    mutate(world, ids.nodeSubnet, (body) => {
      const { networkSecurityGroup, ...properties } = body["properties"] as JsonObject;
      const { id } = networkSecurityGroup as { readonly id: string };
      return { ...body, properties: { ...properties, networkSecurityGroup: { id: id.toUpperCase() } } };
    });
    const before = world.objects.find(key)?.metadata;
    const writes = world.writes().length;
    await lookAgain(world);
    expect(world.writes()).toHaveLength(writes);
    expect(world.objects.find(key)?.metadata).toEqual(before);
  });
  it("A09: makes no write for anything that is unchanged, at three looks", async () => {
    const world = await settledCluster();
    const writes = world.writes().length;
    for (let round = 0; round < 3; round += 1) await lookAgain(world);
    expect(world.writes()).toHaveLength(writes);
  });
});
