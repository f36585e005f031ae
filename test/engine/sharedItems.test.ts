import { expect, it } from "vitest";
import type { RunnableKind, ServiceFacts } from "../../src/core/runnableKind.ts";
import { seed, subscription } from "../support/defaultCluster.ts";
import { applyTestThing, testKinds } from "../support/testServices/testKind.ts";
import { createWorld, type World } from "../support/world.ts";

/** A member of a cluster whose security groups are shared by all members, as availability sets are. */

const hour = 60 * 60_000;
const group = `${subscription}/resourceGroups/t1`;
const shared = `${group}/providers/Microsoft.Network/networkSecurityGroups/shared`;

const asShared = (service: ServiceFacts): ServiceFacts =>
  service.name === "testSecurityGroups" ? { ...service, shared: { emptyWhen: "properties.subnets" } } : service;
const sharing = (kind: RunnableKind): RunnableKind => ({
  ...kind,
  services: kind.services.map(asShared),
  read: (input) => {
    const reading = kind.read(input);
    return {
      ...reading,
      plan: (facts) => {
        const planned = reading.plan(facts);
        if (!planned.ok) return planned;
        const services = planned.value.services.map((one) => ({ ...one, service: asShared(one.service) }));
        return { ok: true, value: { ...planned.value, services } };
      },
    };
  },
});
const kinds = new Map([...testKinds].map(([name, kind]) => [name, sharing(kind)]));

/** A member in a group of somebody else's, with one shared item that it has made. */
const member = async (): Promise<World> => {
  const world = createWorld({}, kinds);
  seed(world, { id: group, location: "eastus" });
  applyTestThing(world, { testSecurityGroups: { shared: { body: { location: "eastus", properties: {} } } } });
  await world.run(hour);
  expect(world.arm.resources.has(shared.toLowerCase())).toBe(true);
  return world;
};
const key = { kind: "TestThing", namespace: "default", name: "t1" };
const leave = async (world: World): Promise<void> => {
  world.objects.remove(key);
  await world.run(hour);
  expect(world.objects.find(key)).toBeUndefined();
};

it("a shared item goes with the last member that uses it", async () => {
  const world = await member();
  await leave(world);
  expect(world.writes().at(-1)).toMatchObject({ method: "DELETE", path: shared, status: 202 });
});

it("a shared item that others still use stays, and the member does not wait for it", async () => {
  const world = await member();
  const subnets = [
    { name: "theirs", properties: { addressPrefix: "10.0.0.0/24", networkSecurityGroup: { id: shared } } },
  ];
  seed(world, {
    id: `${group}/providers/Microsoft.Network/virtualNetworks/theirs`,
    location: "eastus",
    properties: { addressSpace: { addressPrefixes: ["10.0.0.0/16"] }, subnets },
  });
  await leave(world);
  expect(world.writes().filter(({ method }) => method === "DELETE")).toEqual([]);
  expect(world.arm.resources.has(shared.toLowerCase())).toBe(true);
});

it.each(["GET", "DELETE"] as const)(
  "a member does not wait for a shared item whose %s Azure refuses",
  async (method) => {
    const world = await member();
    const fault = { kind: "respond", status: 409, code: "AnotherOperationInProgress", message: "busy" } as const;
    world.arm.faults.push({ rule: { match: { method, path: shared, times: 1_000 }, fault }, seen: 0 });
    await leave(world);
    expect(world.arm.resources.has(shared.toLowerCase())).toBe(true);
  },
);
