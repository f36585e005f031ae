import { describe, expect, it } from "vitest";
import { drift } from "../../src/core/chain/messages.ts";
import type { JsonObject } from "../../src/core/types.ts";
import { annotate, bodyOf, ids, key, mutate, settledCluster, withSource } from "../support/defaultCluster.ts";
import { clusterUid, conditionsOf, type World } from "../support/world.ts";

const minute = 60_000;
const theirs = (body: JsonObject): JsonObject => {
  const { properties } = body as { properties: { securityRules: { properties: JsonObject }[] } & JsonObject };
  const [rule, ...others] = properties.securityRules;
  const changed = { ...rule, properties: { ...rule?.properties, sourceAddressPrefix: "Internet" } };
  return { ...body, properties: { ...properties, securityRules: [changed, ...others] } };
};
const source = (world: World): unknown => {
  const { properties } = bodyOf(world, ids.nodeNsg) as {
    properties: { securityRules: { properties: JsonObject }[] };
  };
  return properties.securityRules[0]?.properties["sourceAddressPrefix"];
};

/** A cluster with one rule, and a message as the drift timer sends it. */
const prepared = async (): Promise<{ readonly world: World; readonly look: () => Promise<void> }> => {
  const world = await settledCluster();
  world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
  await world.run();
  let scheduledMs = 0;
  const look = async (): Promise<void> => {
    scheduledMs += 1_000;
    const nowMs = world.clock.nowMs();
    const { item, messageId } = drift({
      address: { cluster: clusterUid, ...key },
      uid: "",
      scheduledMs,
      dueMs: nowMs,
      nowMs,
    });
    await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
    await world.run(1_000);
  };
  return { world, look };
};

/** Somebody changes the rule back as soon as we have written it, for so long; answers our writes. */
const fight = async (world: World, look: () => Promise<void>, forMs: number): Promise<number> => {
  const before = world.writes().length;
  const endMs = world.clock.nowMs() + forMs;
  while (world.clock.nowMs() < endMs) {
    if (source(world) === "10.0.0.0/8") mutate(world, ids.nodeNsg, theirs);
    await look();
    await world.run(30_000);
    world.clock.advanceTo(world.clock.nowMs() + 30_000);
  }
  return world.writes().length - before;
};

describe("a fight over one field", () => {
  it("takes at most 8 writes in its first hour, says so, and ends when the other gives in", async () => {
    const { world, look } = await prepared();
    const writes = await fight(world, look, 60 * minute);
    expect(writes).toBeLessThanOrEqual(8);
    expect(writes).toBeGreaterThanOrEqual(4);
    const condition = conditionsOf(world.objects.find(key))["SecurityGroupsReady"];
    expect(condition).toMatchObject({ status: "False", reason: "ReconcileLoop" });
    expect(condition?.message).toContain("sourceAddressPrefix");
    expect(condition?.message).toContain("Internet");
    await world.run(3 * 60 * minute);
    expect(source(world)).toBe("10.0.0.0/8");
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });

  it("a hold is kept by the next turn, which does not take the ledger for the truth", async () => {
    const { world, look } = await prepared();
    await fight(world, look, 20 * minute);
    annotate(world, "capstan.azure/hold", "now");
    await world.run(5_000);
    expect(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]).toMatchObject({ reason: "ReconcileLoop" });
  });

  it("goes on at once when somebody releases it", async () => {
    const { world, look } = await prepared();
    await fight(world, look, 40 * minute);
    expect(source(world)).toBe("Internet");
    annotate(world, "capstan.azure/release", "1");
    await world.run(10_000);
    expect(source(world)).toBe("10.0.0.0/8");
  });

  it("refused writes and failed operations do not count", async () => {
    const { world, look } = await prepared();
    const fault = { kind: "failOperation", code: "InternalServerError", message: "half-way" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "c1-node-nsg", times: 6 }, fault }, seen: 0 });
    mutate(world, ids.nodeNsg, theirs);
    await look();
    const reasons = new Set<string | undefined>();
    world.objects.onChange(() => reasons.add(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]?.reason));
    await world.run(60 * minute);
    expect(source(world)).toBe("10.0.0.0/8");
    expect(reasons).not.toContain("ReconcileLoop");
  });

  it("does not hold up other resources", async () => {
    const { world, look } = await prepared();
    await fight(world, look, 30 * minute);
    mutate(world, ids.lb, (body) => ({ ...body, tags: { ...(body["tags"] as JsonObject), x: "1" } }));
    const vnetTags = { ...(bodyOf(world, ids.routeTable)["tags"] as JsonObject) };
    expect(vnetTags).not.toEqual({});
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await world.run(20_000);
    expect(bodyOf(world, ids.lb)["tags"]).toMatchObject({ team: "blue", x: "1" });
  });
});
