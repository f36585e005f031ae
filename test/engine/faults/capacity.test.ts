import { describe, expect, it } from "vitest";
import { replay } from "../../../src/core/chain/messages.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { applyTestThing, testKinds } from "../../support/testServices/testKind.ts";
import type { Wishes } from "../../support/testServices/wish.ts";
import { clusterUid, conditionsOf, createWorld } from "../../support/world.ts";

const minute = 60_000;
const slow = { latency: { types: { "Microsoft.Compute/virtualMachineScaleSets": 20 * minute } } };
const pool = (capacity: number): Wishes => ({
  testScaleSets: {
    vmss: {
      body: {
        sku: { name: "Standard_D2s_v3", capacity },
        properties: { orchestrationMode: "Uniform", virtualMachineProfile: {} },
      },
    },
  },
});

describe("a scale set that grows", () => {
  it("A10: from 3 to 50 is asked for once, however often it is looked at before the machines are there", async () => {
    const world = createWorld(slow, testKinds);
    const key = applyTestThing(world, pool(3));
    await world.run(60 * minute);
    const before = world.requests().length;
    applyTestThing(world, pool(50));
    // A pass every 15 s while Azure shows the new goal and few machines.
    for (let pass = 0; pass < 60; pass += 1) {
      const address = { cluster: clusterUid, ...key };
      const { item, messageId } = replay({ address, uid: "", request: `pass-${pass}`, nowMs: world.clock.nowMs() });
      await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
      const untilMs = world.clock.nowMs() + 15_000;
      await world.run(15_000);
      world.clock.advanceTo(untilMs);
    }
    const sizes = (): readonly string[] =>
      world
        .requests()
        .slice(before)
        .filter(({ method, path }) => method !== "GET" && path.endsWith("/vmss"))
        .map(({ method }) => method);
    // Upstream: a PATCH a pass, more than a thousand in all.
    expect(sizes()).toEqual(["PATCH"]);
    await world.run(60 * minute);
    expect(sizes()).toEqual(["PATCH"]);
    const set = [...world.arm.resources].find(([id]) => id.endsWith("/vmss"))?.[1].body as JsonObject;
    expect(set["sku"]).toMatchObject({ capacity: 50 });
    expect(conditionsOf(world.objects.find(key))["TestReady"]).toMatchObject({ status: "True" });
  });
});
