import { beforeAll, describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import type { FaultRule } from "../../src/sim/arm/faults.ts";
import type { ArmSimulatorOptions } from "../../src/sim/arm/options.ts";
import { bodyOf, group, ids, key, mutate, resources, settledCluster } from "../support/defaultCluster.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const hour = 60 * 60_000;

const faults: Readonly<Record<string, FaultRule["fault"]>> = {
  "its operation fails": { kind: "failOperation", code: "InternalServerError", message: "half-way" },
  "its operation is cancelled": { kind: "failOperation", status: "Canceled", code: "Canceled", message: "by somebody" },
  "409 busy": { kind: "respond", status: 409, code: "AnotherOperationInProgress", message: "busy" },
  "429": { kind: "respond", status: 429, code: "TooManyRequests", message: "slowly", retryAfterSeconds: 30 },
  "500": { kind: "respond", status: 500, code: "InternalServerError", message: "oops" },
  "503 although it took effect": {
    kind: "respond",
    status: 503,
    code: "ServerBusy",
    message: "oops",
    afterEffect: true,
  },
  "a connection cut before it took effect": { kind: "drop", when: "before" },
  "a connection cut after it took effect": { kind: "drop", when: "after" },
};

let whole: readonly string[] = [];
beforeAll(async () => {
  whole = resources(await settledCluster());
});

const expectWhole = async (world: World): Promise<void> => {
  expect(resources(world)).toEqual(whole);
  expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  for (const id of resources(world))
    expect((bodyOf(world, id)["properties"] as JsonObject)["provisioningState"], id).toBe("Succeeded");
  expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
  const writes = world.writes().length;
  await world.run(2 * hour);
  expect(world.writes().length).toBe(writes);
};

const puts = [
  group,
  ids.vnet,
  ids.controlPlaneSubnet,
  ids.nodeNsg,
  ids.routeTable,
  ids.lb,
  "natGateways",
  "publicIPAddresses",
];

describe("a PUT that goes wrong twice does not change the end", () => {
  it.each(Object.entries(faults))("%s", async (_, fault) => {
    for (const path of puts) {
      const match = { method: "PUT", path: path === group ? new RegExp(`${group}(\\?|$)`, "i") : path, times: 2 };
      const world = createWorld({ faults: [{ match, fault }] });
      applyDefaultCluster(world);
      await world.run(2 * hour);
      expect(world.arm.faults[0]?.seen, path).toBeGreaterThanOrEqual(1);
      await expectWhole(world);
    }
  });
});

describe("reads, polls and deletes that go wrong do not change the end", () => {
  it.each(Object.entries(faults))("%s", async (_, fault) => {
    const world = createWorld({
      latency: "realistic",
      faults: ["GET", "POST", "DELETE"].map((method) => ({ match: { method, nth: 3, times: 4 }, fault })),
    });
    applyDefaultCluster(world);
    await world.run(2 * hour);
    await expectWhole(world);
    world.objects.remove(key);
    await world.run(2 * hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });
});

const forms: readonly (readonly [string, ArmSimulatorOptions])[] = [
  ["takes its real time", { latency: "realistic" }],
  ["answers at once", { latency: "sync" }],
  ["fills in nothing", { defaults: "none" }],
  ["shows one prefix singly", { subnetPrefixes: "single" }],
  ["shows one prefix as a list", { subnetPrefixes: "list" }],
  ["shows one prefix both ways", { subnetPrefixes: "both" }],
  ["shows what is made only later", { consistency: { hiddenAfterPutMs: 20_000, visibleAfterDeleteMs: 20_000 } }],
  ["forgets operations at once", { operationLifetimeMs: 0, latency: "realistic" }],
  ["gives no Retry-After", { retryAfterSeconds: "none" }],
  ["throttles writes", { throttling: { writes: { capacity: 2, perSecond: 0.05 } } }],
];

describe("whatever form Azure takes", () => {
  it.each(forms)(
    "one that %s: one PUT a resource, no write afterwards, nothing left after deletion",
    async (_, options) => {
      const world = createWorld(options);
      applyDefaultCluster(world);
      await world.run(2 * hour);
      await expectWhole(world);
      const accepted = world.writes().filter(({ status }) => status < 300);
      expect(new Set(accepted.map(({ path }) => path)).size).toBe(accepted.length);
      world.objects.remove(key);
      await world.run(2 * hour);
      expect(world.objects.find(key)).toBeUndefined();
      expect(resources(world)).toEqual([]);
    },
  );
});

describe("a resource that Azure left in a failed state", () => {
  it("is written again, with what others have in it", async () => {
    const world = await settledCluster();
    mutate(world, ids.nodeNsg, (body) => {
      const { properties } = body as { properties: JsonObject };
      const rule = {
        name: "theirs",
        properties: {
          access: "Allow",
          direction: "Inbound",
          priority: 500,
          protocol: "Tcp",
          sourceAddressPrefix: "Internet",
          sourcePortRange: "*",
          destinationAddressPrefix: "*",
          destinationPortRange: "443",
        },
      };
      const securityRules = [...(properties["securityRules"] as JsonObject[]), rule];
      return { ...body, properties: { ...properties, securityRules, provisioningState: "Failed" } };
    });
    const writes = world.writes().length;
    world.objects.edit(key, (object) => ({
      ...object,
      metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, "capstan.azure/retry": "1" } },
    }));
    await world.run(25 * hour);
    expect(
      world
        .writes()
        .slice(writes)
        .map(({ path }) => path),
    ).toEqual([ids.nodeNsg]);
    const { properties } = bodyOf(world, ids.nodeNsg) as { properties: JsonObject };
    expect(properties["provisioningState"]).toBe("Succeeded");
    expect(properties["securityRules"]).toMatchObject([{ name: "theirs" }]);
  });
});
