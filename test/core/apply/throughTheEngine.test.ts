import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/core/types.ts";
import { mutate } from "../../support/defaultCluster.ts";
import { applyTestThing, testKinds } from "../../support/testServices/testKind.ts";
import type { Wishes } from "../../support/testServices/wish.ts";
import { conditionsOf, createWorld, type World } from "../../support/world.ts";
import { at, put } from "./support/wishes.ts";

const canary = "c4n4ry";
const hour = 3_600_000;
const group = "/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/t1/providers";
const ids = {
  cluster: `${group}/Microsoft.ContainerService/managedClusters/aks`,
  set: `${group}/Microsoft.Compute/virtualMachineScaleSets/vmss`,
  nsg: `${group}/Microsoft.Network/networkSecurityGroups/nsg`,
};

const profile = ["properties", "virtualMachineProfile"];
interface Choices {
  readonly secret?: string;
  readonly size?: number;
  readonly prefix?: string;
  readonly made?: string;
}
const wishes = ({ secret = "1", size = 1, prefix = "vm", made = "a" }: Choices): Wishes => ({
  testClusters: {
    aks: {
      body: {
        properties: {
          dnsPrefix: "aks",
          kubernetesVersion: "1.30.0",
          servicePrincipalProfile: { clientId: "client", secret: `${canary}-${secret}` },
          windowsProfile: { adminUsername: "azure", adminPassword: `${canary}-made-${made}` },
        },
      },
      versions: [{ path: ["properties", "servicePrincipalProfile", "secret"], version: `uid/${secret}/clientSecret` }],
      createOnly: [["properties", "windowsProfile", "adminPassword"]],
    },
  },
  testScaleSets: {
    vmss: {
      body: {
        sku: { name: "Standard_D2s_v3", capacity: size },
        properties: {
          orchestrationMode: "Uniform",
          virtualMachineProfile: { osProfile: { computerNamePrefix: prefix, customData: `${canary}-${secret}` } },
        },
      },
      versions: [{ path: [...profile, "osProfile", "customData"], version: `uid/${secret}/value` }],
    },
  },
  testSecurityGroups: { nsg: { body: { properties: {} } } },
});

const secretsOf = (world: World, id: string): JsonObject =>
  (world.arm.resources.get(id.toLowerCase())?.secrets ?? {}) as JsonObject;
const started = async (choices: Choices = {}): Promise<World> => {
  const world = createWorld({}, testKinds);
  applyTestThing(world, wishes(choices));
  await world.run(hour);
  return world;
};
/** Applies another spec; answers what was written. */
const changed = async (world: World, choices: Choices): Promise<readonly string[]> => {
  const before = world.writes().length;
  applyTestThing(world, wishes(choices));
  await world.run(hour);
  return world
    .writes()
    .slice(before)
    .map(({ method, path }) => `${method} ${path.split("/").at(-1) ?? ""}`);
};
const conditions = (world: World) =>
  conditionsOf(world.objects.find({ kind: "TestThing", namespace: "default", name: "t1" }));

describe("the three ways to write, through the whole engine", () => {
  it("bring another version of a Secret with one write each, and none when nothing is new", async () => {
    const world = await started();
    expect(await changed(world, { secret: "2" })).toEqual(["PUT aks", "PATCH vmss"]);
    expect(secretsOf(world, ids.cluster)["properties.servicePrincipalProfile.secret"]).toBe(`${canary}-2`);
    expect(Object.values(secretsOf(world, ids.set))).toEqual([`${canary}-2`]);
    expect(await changed(world, { secret: "2" })).toEqual([]);
  });
  it("send what was made up for the creation once", async () => {
    const world = await started();
    const made = "properties.windowsProfile.adminPassword";
    expect(secretsOf(world, ids.cluster)[made]).toBe(`${canary}-made-a`);
    expect(await changed(world, { made: "b" })).toEqual([]);
    expect(await changed(world, { made: "c", secret: "2" })).toEqual(["PUT aks", "PATCH vmss"]);
    expect(secretsOf(world, ids.cluster)[made]).toBe(`${canary}-made-a`);
  });
  it("keep every secret out of tables, logs, messages, conditions and history", async () => {
    const world = await started();
    await changed(world, { secret: "2", size: 2 });
    mutate(world, ids.set, (body) => put(body, ["sku", "capacity"], 3));
    await changed(world, { secret: "3", made: "b" });
    const kept = ["state", "index", "history", "shared"].map((table) => world.tables.rows(table as "state"));
    expect(JSON.stringify([kept, world.logs, conditions(world)])).not.toContain(canary);
    expect(JSON.stringify(kept)).toContain("uid/3/value");
  });
  it("A45: refuse what would need another scale set, say so, and write the rest", async () => {
    const world = await started();
    expect(await changed(world, { prefix: "other", size: 2 })).toEqual(["PATCH vmss"]);
    const body = world.arm.resources.get(ids.set.toLowerCase())?.body as JsonObject;
    expect([at(body, [...profile, "osProfile", "computerNamePrefix"]), at(body, ["sku", "capacity"])]).toEqual([
      "vm",
      2,
    ]);
    expect(conditions(world)["TestScaleSetsReady"]).toMatchObject({ status: "False", reason: "ImmutableDrift" });
    expect(world.writes().map(({ method }) => method)).not.toContain("DELETE");
  });
  it("A01: write tags of ours alone when they alone differ", async () => {
    const world = await started();
    mutate(world, ids.set, (body) => put(body, ["tags", "policy"], "theirs"));
    const { testScaleSets, ...others } = wishes({});
    const { vmss } = testScaleSets ?? {};
    const before = world.writes().length;
    applyTestThing(world, {
      ...others,
      testScaleSets: { vmss: { ...vmss!, body: { ...vmss!.body, tags: { env: "dev" } } } },
    });
    await world.run(hour);
    expect(world.writes().slice(before)).toMatchObject([
      { method: "PATCH", path: expect.stringMatching(/vmss\/providers\/Microsoft\.Resources\/tags\/default$/i) },
    ]);
    const body = world.arm.resources.get(ids.set.toLowerCase())?.body as JsonObject;
    expect(at(body, ["tags"])).toMatchObject({ env: "dev", policy: "theirs" });
  });
});

describe("the end of an object whose spec names less than its ledger", () => {
  it("takes that as well, also in a group that stays", async () => {
    const world = await started();
    mutate(world, group.slice(0, -"/providers".length), (body) => put(body, ["tags"], {}));
    const key = applyTestThing(world, { testClusters: wishes({})["testClusters"]! });
    world.objects.remove(key);
    await world.run(hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect([ids.cluster, ids.set, ids.nsg].filter((id) => world.arm.resources.has(id.toLowerCase()))).toEqual([]);
  });
});

describe("what Azure left in a failed state", () => {
  const failed = (body: JsonObject): JsonObject => put(body, ["properties", "provisioningState"], "Failed");
  const looked = async (world: World, id: string): Promise<readonly string[]> => {
    mutate(world, id, failed);
    const before = world.writes().length;
    await world.run(25 * hour);
    return world
      .writes()
      .slice(before)
      .map(({ method, path }) => `${method} ${path.split("/").at(-1) ?? ""}`);
  };
  it.each([
    { id: ids.nsg, repair: "PUT nsg" },
    { id: ids.cluster, repair: "PUT aks" },
  ])("is put again where that changes nothing else: $repair", async ({ id, repair }) => {
    const world = await started();
    expect(await looked(world, id)).toEqual([repair]);
    expect(at(world.arm.resources.get(id.toLowerCase())?.body as JsonObject, ["properties", "provisioningState"])).toBe(
      "Succeeded",
    );
  });
  it("is left as it is where it is patched: machines are not repaired by writing again", async () => {
    expect(await looked(await started(), ids.set)).toEqual([]);
  });
});
