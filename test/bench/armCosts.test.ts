import { describe, expect, it } from "vitest";
import { applyDefaultCluster, createWorld } from "../support/world.ts";
import { armCosts } from "./armCosts.ts";

const group = "/subscriptions/s/resourceGroups/g";

describe("the costs of Azure", () => {
  it.each([
    { method: "PUT", path: group, is: { reads: 0, writes: 1, polls: 0 } },
    { method: "DELETE", path: group, is: { reads: 0, writes: 1, polls: 0 } },
    { method: "GET", path: group, is: { reads: 1, writes: 0, polls: 0 } },
    { method: "GET", path: "/subscriptions/s/operationresults/abc", is: { reads: 0, writes: 0, polls: 1 } },
    {
      method: "GET",
      path: "/subscriptions/s/providers/Microsoft.Network/locations/eastus/operations/abc",
      is: { reads: 0, writes: 0, polls: 1 },
    },
    {
      method: "GET",
      path: "/subscriptions/s/providers/Microsoft.Network/locations/eastus/operationResults/abc",
      is: { reads: 0, writes: 0, polls: 1 },
    },
  ])("of $method $path", ({ is, ...request }) => expect(armCosts([request])).toEqual(is));

  it("of a creation are all its requests", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await world.run();
    const { reads, writes, polls } = armCosts(world.requests());
    expect(writes).toBe(world.writes().length);
    expect(reads + writes + polls).toBe(world.requests().length);
    expect(polls).toBeGreaterThan(0);
  });
});
