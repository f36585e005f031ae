import { describe, expect, it } from "vitest";
import { resourceId } from "../../src/core/ids.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { writeEvents } from "../../src/engine/writeEvents.ts";
import {
  annotate,
  ids,
  key,
  mutate,
  ownerTag,
  settledCluster,
  withSource,
  withTag,
} from "../support/defaultCluster.ts";
import { arena, hourOf, minute, setSource } from "../support/fights.ts";
import { lookAgain, runBy } from "../support/turns.ts";
import type { World } from "../support/world.ts";

const eventsOf = (world: World, reason: string) => world.objects.events().filter((event) => event.reason === reason);
const calls = (world: World): number => world.calls.filter(({ name }) => name === "kube event").length;

const loseTag = async (): Promise<World> => {
  const world = await settledCluster();
  mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
  await lookAgain(world);
  return world;
};

/** A function app whose plans throw. */
const broken = (deps: Deps, error: Error): Deps => {
  const kind = deps.kinds.get("AzureCluster")!;
  const read: typeof kind.read = () => {
    throw error;
  };
  return { ...deps, kinds: new Map([...deps.kinds, ["AzureCluster", { ...kind, read }]]) };
};

const messages = (world: World, reason: string): readonly string[] =>
  eventsOf(world, reason).map(({ message }) => message);

describe("events of what is sent to Azure", () => {
  it("tell of each new resource once", async () => {
    const world = await settledCluster();
    expect(world.objects.events()).toHaveLength(world.writes().length);
    expect(world.objects.events()).toEqual(eventsOf(world, "Creating"));
    expect(messages(world, "Creating")[0]).toBe(
      "creating resourceGroups/c1 (cause: change, spec last written by kubectl-create)",
    );
    expect(new Set(eventsOf(world, "Creating").map(({ count, type }) => `${type} ${count}`))).toEqual(
      new Set(["Normal 1"]),
    );
  });

  it("tell of a change with field, values, cause and who wrote the spec", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "Internet"), "kubectl-edit");
    await world.run();
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"), "flux");
    await world.run();
    const [event, ...others] = eventsOf(world, "Updating");
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "Normal", count: 2 });
    expect(event?.message).toBe(
      "updating networkSecurityGroups/c1-node-nsg (cause: change, spec last written by flux): " +
        'properties.securityRules[web].properties.sourceAddressPrefix from "Internet" to "10.0.0.0/8"',
    );
  });

  it("tell of drift that is put right", async () => {
    const world = await settledCluster();
    mutate(world, ids.nodeSubnet, (body) => {
      const { routeTable: _, ...properties } = body["properties"] as JsonObject;
      return { ...body, properties };
    });
    await lookAgain(world);
    expect(messages(world, "Updating")).toEqual([
      expect.stringMatching(
        /^updating virtualNetworks\/c1-vnet\/subnets\/node-subnet \(cause: replay.*routeTable.* from null to "/,
      ),
    ]);
  });

  it("tell of what goes", async () => {
    const world = await settledCluster({ latency: 60_000 });
    world.objects.remove(key);
    await world.run(1_000);
    expect(messages(world, "Deleting")).toEqual([
      expect.stringMatching(/^deleting resourceGroups\/c1 \(cause: change/),
    ]);
    await world.run(60 * minute);
    expect(world.objects.find(key)).toBeUndefined();
  });

  it("are few however much is sent in one turn", () => {
    const wrote = Array.from({ length: 12 }, (_, at) => ({
      id: resourceId("s", "g", "Microsoft.Network/publicIPAddresses", `ip-${at}`),
      method: "PUT",
      cause: "change",
      creating: true,
      changes: [],
    }));
    const events = writeEvents(wrote);
    expect(events).toHaveLength(10);
    for (const { id } of wrote.slice(9)) expect(events[9]?.message).toContain(id.split("/Microsoft.Network/")[1]);
  });
});

describe("events of an object", () => {
  it("tell of a fight once for each hold, counted, with field, values and when it goes on", async () => {
    const at = await arena();
    await hourOf(at, () => setSource(at.world, "Internet"));
    const [event, ...others] = eventsOf(at.world, "ReconcileLoop");
    expect(others).toEqual([]);
    expect(event).toMatchObject({ type: "Warning", involvedObject: { kind: "AzureCluster", name: "c1" } });
    for (const part of [ids.nodeNsg, "sourceAddressPrefix", '"Internet"', '"10.0.0.0/8"', "goes on at 2026-"])
      expect(event?.message).toContain(part);
    const holds = at.world.logs.filter(({ message }) => message === "reconcile loop").length;
    expect(event?.count).toBe(holds);
    expect(holds).toBeLessThanOrEqual(8);
  });

  it("tell of a lost owner tag when it is found, not each time it is seen", async () => {
    const world = await loseTag();
    await lookAgain(world);
    await lookAgain(world);
    const found = eventsOf(world, "OwnershipLost");
    expect(found).toMatchObject([{ type: "Warning", count: 1, message: expect.stringContaining(ids.routeTable) }]);
  });

  it("tell that an adoption was obeyed", async () => {
    const world = await loseTag();
    annotate(world, "capstan.azure/adopt", ids.routeTable);
    await world.run();
    await lookAgain(world);
    const told = eventsOf(world, "Adopted");
    expect(told).toMatchObject([{ type: "Normal", count: 1, message: expect.stringContaining(ids.routeTable) }]);
  });

  it("tell what was abandoned, and so does history", async () => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/abandon", ids.routeTable);
    world.objects.remove(key);
    await world.run(60 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    const told = eventsOf(world, "Abandoned");
    expect(told).toMatchObject([{ type: "Warning", count: 1, message: expect.stringContaining(ids.routeTable) }]);
    const rows = world.tables.rows("history").filter(({ values }) => values["code"] === "Abandoned");
    expect(rows.map(({ values }) => values["message"])).toEqual([expect.stringContaining(ids.routeTable)]);
  });

  it("tell that a deletion is blocked", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no right" } as const;
    world.arm.faults.push({ rule: { match: { method: "DELETE", times: 50 }, fault }, seen: 0 });
    world.objects.remove(key);
    await world.run(10 * minute);
    expect(eventsOf(world, "DeleteBlocked")).toMatchObject([{ type: "Warning", count: 1 }]);
    world.restless = "it may not be deleted";
  });

  it("tell of a defect of ours once", async () => {
    const world = await settledCluster();
    annotate(world, "capstan.azure/retry", "1");
    await runBy(world, broken(world.deps, new Error("it broke")), 60 * minute);
    const told = eventsOf(world, "ReconcileDefect");
    expect(told).toMatchObject([{ type: "Warning", count: 1, message: expect.stringContaining("it broke") }]);
  });

  it("cost nothing when there is nothing to tell", async () => {
    const world = await settledCluster();
    const before = calls(world);
    await lookAgain(world);
    expect(calls(world)).toBe(before);
  });

  it("fail no turn when they cannot be told", async () => {
    const world = await settledCluster();
    const [before, told] = [calls(world), world.objects.events().length];
    world.faults.kube = (_call, { kind }) =>
      kind === "Event" ? { kind: "auth", code: "Forbidden", message: "events are forbidden", status: 403 } : undefined;
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, undefined));
    await lookAgain(world);
    expect(calls(world)).toBeGreaterThan(before);
    expect(world.objects.events()).toHaveLength(told);
    const finished = world.logs.filter(({ message }) => message === "turn finished").at(-1);
    expect(finished?.fields["result"]).not.toBe("surroundings failed");
  });

  it("blank secrets in what Azure says", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "got s3cret" } as const;
    world.arm.faults.push({ rule: { match: { method: "DELETE", times: 50 }, fault }, seen: 0 });
    world.objects.remove(key);
    await world.run(10 * minute);
    expect(JSON.stringify(world.objects.events())).not.toContain("s3cret");
    expect(eventsOf(world, "DeleteBlocked")[0]?.message).toContain("got");
    world.restless = "it may not be deleted";
  });
});
