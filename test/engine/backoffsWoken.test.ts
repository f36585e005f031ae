import { describe, expect, it } from "vitest";
import { annotate, group, ids, key, settledCluster, withSource } from "../support/defaultCluster.ts";
import { ready } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;

const respond = (status: number, code: string, message = "no") => ({ kind: "respond", status, code, message }) as const;
const refuse = (world: World, method: string, path: string | RegExp, fault: ReturnType<typeof respond>, times = 999) =>
  void world.arm.faults.push({ rule: { match: { method, path, times }, fault }, seen: 0 });
const timesOf = (world: World, method: string, path: string): readonly number[] =>
  world.arm.requests.filter((one) => one.method === method && one.path.includes(path)).map(({ at }) => Date.parse(at));
const groupPath = new RegExp(`${group}(\\?|$)`, "i");

describe("what waits for another resource", () => {
  it("is tried as soon as one of the same object has come to its end, not when its time comes", async () => {
    const world = createWorld({ latency: "realistic" });
    // A minute by itself; addresses and network take seconds.
    refuse(world, "PUT", "routeTables", respond(400, "NicReservedForAnotherVm"), 1);
    applyDefaultCluster(world);
    await world.run(10 * minute);
    const [one, two] = timesOf(world, "PUT", "routeTables");
    expect(two! - one!).toBeLessThan(30_000);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it.each([
    { code: "NicReservedForAnotherVm", status: 400, tries: 2 },
    { code: "AuthorizationFailed", status: 403, tries: 2 },
    { code: "ScopeLocked", status: 409, tries: 1 },
    { code: "AnotherOperationInProgress", status: 409, tries: 1 },
    { code: "QuotaExceeded", status: 409, tries: 1 },
  ])("$code is woken at once by another object that changes: $tries tries", async ({ code, status, tries }) => {
    const world = await settledCluster();
    refuse(world, "PUT", ids.nodeNsg, respond(status, code));
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(1_000);
    expect(timesOf(world, "PUT", ids.nodeNsg)).toHaveLength(2);
    world.objects.edit({ kind: "AzureClusterIdentity", namespace: "default", name: "sp" }, (it) => ({
      ...it,
      spec: { ...it.spec, allowedNamespaces: { list: ["default"] } },
    }));
    await world.run(1_000);
    expect(timesOf(world, "PUT", ids.nodeNsg)).toHaveLength(1 + tries);
    world.arm.faults = [];
  });
});

describe("nothing shortens a back-off but what ends it", () => {
  it.each([
    {
      when: "labels and other annotations change",
      act: (world: World) => annotate(world, "capstan.azure/keep-foreign", "1"),
    },
    {
      when: "the object is announced again and again",
      act: (world: World) => {
        for (const word of ["a", "b", "c"]) annotate(world, "example.com/note", word);
      },
    },
  ])("$when", async ({ act }) => {
    const world = await settledCluster();
    refuse(world, "PUT", ids.nodeNsg, respond(409, "ScopeLocked"));
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(1_000);
    act(world);
    await world.run(2 * minute);
    expect(timesOf(world, "PUT", ids.nodeNsg)).toHaveLength(2);
    world.arm.faults = [];
  });
});

describe("faults of others, in the engine", () => {
  it("A40: what failed to be made is deleted at once; today the old error of its creation comes again and again", async () => {
    const world = createWorld();
    const fault = { kind: "failOperation", code: "OverconstrainedZonalAllocationRequest", message: "no room" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "natGateways", times: 999 }, fault }, seen: 0 });
    applyDefaultCluster(world);
    await world.run(hour);
    expect(ready(world)?.message).toContain("OverconstrainedZonalAllocationRequest");
    const beganMs = world.clock.nowMs();
    world.objects.remove(key);
    await world.run(10 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    expect([...world.arm.resources.keys()]).toEqual([]);
    expect(timesOf(world, "DELETE", group)[0]! - beganMs).toBeLessThan(10_000);
  });

  it("A42: a delete that something stands against is tried in seconds; an hour later was today's", async () => {
    const world = await settledCluster();
    refuse(world, "DELETE", groupPath, respond(400, "InUseSubnetCannotBeDeleted", "in use"), 6);
    world.objects.remove(key);
    await world.run(15 * minute);
    const times = timesOf(world, "DELETE", group);
    const waits = times.slice(1).map((atMs, index) => atMs - times[index]!);
    expect(waits.length).toBeGreaterThanOrEqual(6);
    expect(Math.min(...waits)).toBeLessThanOrEqual(10_000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(2.5 * minute);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("A46: a lock keeps the object, is named, and is tried a few times an hour", async () => {
    const world = await settledCluster();
    const message = `The scope cannot perform delete operation because following scope(s) are locked: '${group}'. Please remove the lock and try again.`;
    refuse(world, "DELETE", groupPath, respond(409, "ScopeLocked", message));
    world.objects.remove(key);
    await world.run(hour);
    const said = conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
    expect(said).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining(`locked: '${group}'`) });
    expect(said?.message).toContain("remove the lock");
    expect(timesOf(world, "DELETE", group).length).toBeLessThanOrEqual(5);
    world.arm.faults = [];
    annotate(world, "capstan.azure/retry", "now");
    await world.run(minute);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("A86: writers of one network give way to each other and end well, by the inner code and not by the 429", async () => {
    const world = createWorld();
    const details = [{ code: "ReferencedResourceNotProvisioned", message: "the network is not in Succeeded state" }];
    const fault = { ...respond(429, "RetryableError", "A retryable error occurred."), details } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", path: "/subnets/", times: 5 }, fault }, seen: 0 });
    const keys = ["c1", "c2"].map((name) => applyDefaultCluster(world, name));
    await world.run(5 * minute);
    for (const one of keys)
      expect(conditionsOf(world.objects.find(one))["Ready"], one.name).toMatchObject({ status: "True" });
  });
});
