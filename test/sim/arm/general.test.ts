import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import {
  aGroup,
  aMachine,
  aNetwork,
  aWorld,
  bodies,
  compute,
  group,
  lbId,
  location,
  network,
  nicId,
  pipId,
  subnetId,
  subscription,
  type TestWorld,
  vmId,
  vnetId,
} from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const valuesOf = (answer: { readonly body: unknown }) =>
  (answer.body as { value: { name: string; id: string }[] }).value;
const namesOf = (answer: { readonly body: unknown }) => valuesOf(answer).map(({ name }) => name);
const sub = `/subscriptions/${subscription}`;

describe("types without rules of their own", () => {
  const id = `${group}/providers/Contoso.Widgets/gadgets/g`;

  it("are stored as they come, with tags, etag and an operation", () => {
    const world = aGroup({ latency: 1_000 });
    const accepted = world.put(id, {
      location,
      tags: { a: "1" },
      sku: { name: "x" },
      properties: { deep: [{ b: null }] },
    });
    expect(accepted).toMatchObject({
      status: 201,
      body: { properties: { provisioningState: "Creating", deep: [{ b: null }] } },
    });
    world.advance(1_000);
    expect(world.poll(accepted).body).toMatchObject({ status: "Succeeded" });
    expect(world.get(id).body).toMatchObject({
      type: "Contoso.Widgets/gadgets",
      etag: expect.any(String),
      sku: { name: "x" },
    });
    expect(world.patch(id, { properties: { more: 1 } })).toMatchObject({
      body: { properties: { more: 1, deep: [{ b: null }] } },
    });
    world.advance(1_000);
    expect(world.post(`${id}/polish`).status).toBe(202);
    expect(world.del(id).status).toBe(202);
    world.advance(1_000);
    expect(world.get(id).status).toBe(404);
  });

  it("can stand below others and at any scope", () => {
    const world = aMachine();
    expect(world.put(`${vmId}/runCommands/r`, { location, properties: {} }).status).toBe(201);
    expect(world.put(`${vmId}/providers/Contoso.Locks/locks/l`, { properties: {} }).status).toBe(201);
    expect(namesOf(world.get(`${vmId}/providers/Contoso.Locks/locks`))).toEqual(["l"]);
  });
});

describe("tags at a scope", () => {
  const tags = (scope: string) => `${scope}/providers/Microsoft.Resources/tags/default`;
  const tagged = (): TestWorld => {
    const world = aGroup();
    world.put(vnetId, { ...(bodies.vnet() as object), tags: { A: "1", b: "2" } });
    return world;
  };

  it.each([
    { operation: "Merge", given: { a: "9", c: "3" }, gives: { b: "2", a: "9", c: "3" } },
    { operation: "Replace", given: { c: "3" }, gives: { c: "3" } },
    { operation: "Delete", given: { a: "1", b: "not this value" }, gives: { b: "2" } },
  ])("$operation", ({ operation, given, gives }) => {
    const world = tagged();
    const before = world.get(vnetId).headers["etag"];
    expect(world.patch(tags(vnetId), { operation, properties: { tags: given } })).toMatchObject({
      status: 200,
      body: { name: "default" },
    });
    expect((world.get(vnetId).body as { tags: Json }).tags).toEqual(gives);
    expect(world.get(tags(vnetId)).body).toMatchObject({ properties: { tags: gives } });
    expect(world.get(vnetId).headers["etag"]).not.toBe(before);
  });

  it("PUT replaces, also on groups and subscriptions; what is missing is a 404", () => {
    const world = tagged();
    for (const scope of [vnetId, group, sub]) {
      world.put(tags(scope), { properties: { tags: { only: "this" } } });
      expect(world.get(tags(scope)).body).toMatchObject({ properties: { tags: { only: "this" } } });
    }
    expect(world.get(group).body).toMatchObject({ tags: { only: "this" } });
    expect(world.get(tags(pipId)).status).toBe(404);
    expect(errorOf(world.patch(tags(vnetId), { operation: "Sort", properties: {} }))).toBe(
      "400 InvalidTagPatchOperation",
    );
    expect(
      errorOf(
        world.put(tags(vnetId), {
          properties: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`t${at}`, ""])) },
        }),
      ),
    ).toBe("400 TooManyTags");
  });
});

describe("lists", () => {
  it("by parent, group, subscription, and across groups", () => {
    const world = aMachine();
    const other = `${sub}/resourceGroups/other`;
    world.put(other, { location: "westus" });
    world.put(`${other}/providers/Microsoft.Network/virtualNetworks/far`, {
      ...(bodies.vnet() as object),
      location: "westus",
    });
    expect(namesOf(world.get(`${network}/virtualNetworks`))).toEqual(["vnet"]);
    expect(namesOf(world.get(`${sub}/providers/Microsoft.Network/virtualNetworks`))).toEqual(["vnet", "far"]);
    expect(namesOf(world.get(`${lbId}/backendAddressPools`))).toEqual(["pool"]);
    expect(namesOf(world.get(`${sub}/resourcegroups`))).toEqual(["rg", "other"]);
    expect(namesOf(world.get(`${other}/resources`))).toEqual(["far"]);
    expect(namesOf(world.get(`${group}/resources`))).toEqual(
      expect.arrayContaining(["vnet", "lb", "nic", "vm", "vm_OSDisk", "pip"]),
    );
    expect(errorOf(world.get(`${sub}/resourceGroups/none/resources`))).toBe("404 ResourceGroupNotFound");
  });

  it.each([
    { filter: "tagName eq 'owner' and tagValue eq 'me'", gives: ["vnet"] },
    { filter: "tagName eq 'OWNER'", gives: ["vnet", "p2"] },
    { filter: "tagName eq 'owner' and tagValue eq 'ME'", gives: [] },
    { filter: "resourceType eq 'Microsoft.Network/publicIPAddresses'", gives: ["p2"] },
  ])("$filter", ({ filter, gives }) => {
    const world = aGroup();
    world.put(vnetId, { ...(bodies.vnet() as object), tags: { Owner: "me" } });
    world.put(`${network}/publicIPAddresses/p2`, { ...(bodies.pip() as object), tags: { owner: "you" } });
    expect(namesOf(world.get(`${sub}/resources?$filter=${encodeURIComponent(filter)}`))).toEqual(gives);
  });

  it("come in pages whose links carry host, query and place", () => {
    const world = aGroup({ pageSize: 2 });
    for (const name of ["a", "b", "c", "d", "e"])
      world.put(`${network}/routeTables/${name}`, { location, properties: {} });
    const seen: string[] = [];
    let next: string | undefined = `${network}/routeTables?api-version=2025-09-01`;
    let pages = 0;
    while (next !== undefined) {
      const answer = world.get(next);
      seen.push(...namesOf(answer));
      next = (answer.body as { nextLink?: string }).nextLink;
      if (next !== undefined) expect(next).toMatch(/^https:\/\/management\.azure\.com\/.*api-version=2025-09-01/);
      pages += 1;
    }
    expect([seen, pages]).toEqual([["a", "b", "c", "d", "e"], 3]);
  });
});

describe("catalogues", () => {
  it("SKUs have zones, capabilities and restrictions; a region without zones has none", () => {
    const skus = (region: string) =>
      valuesOf(
        aWorld({ pageSize: 1_000 }).get(`${sub}/providers/Microsoft.Compute/skus?$filter=location eq '${region}'`),
      ) as unknown as {
        name: string;
        resourceType: string;
        locationInfo: { zones: string[] }[];
        restrictions: Json[];
        capabilities: { name: string; value: string }[];
      }[];
    const machine = (region: string, name: string) => skus(region).find((sku) => sku.name === name);
    expect(machine("eastus", "Standard_D2s_v3")?.locationInfo[0]?.zones).toEqual(["1", "2", "3"]);
    expect(machine("westus", "Standard_D2s_v3")?.locationInfo[0]?.zones).toEqual([]);
    expect(machine("eastus", "Standard_D2s_v3")?.capabilities).toContainEqual({ name: "vCPUs", value: "2" });
    expect(machine("westus", "Standard_D2ps_v5")?.restrictions).toHaveLength(1);
    expect(skus("eastus").find((sku) => sku.name === "Aligned")?.capabilities).toContainEqual({
      name: "MaximumPlatformFaultDomainCount",
      value: "3",
    });
  });

  it.each([
    { path: `${sub}/locations`, shows: "eastus" },
    { path: `${sub}/providers/Microsoft.Network/locations/eastus/usages`, shows: "PublicIPAddresses" },
    { path: `${sub}/providers/Microsoft.Network/locations/eastus/serviceTags`, shows: "AzureLoadBalancer" },
    { path: `${sub}/providers/Microsoft.Compute/locations/eastus/usages`, shows: "standardDSv3Family" },
    {
      path: `${sub}/providers/Microsoft.Compute/locations/eastus/publishers/p/artifacttypes/vmimage/offers/o/skus/s/versions`,
      shows: "133.4.20250820",
    },
    {
      path: `${sub}/providers/Microsoft.Compute/locations/eastus/communityGalleries/g/images/i/versions`,
      shows: "1.33.4",
    },
    { path: `${sub}/providers/Microsoft.ContainerService/locations/eastus/kubernetesVersions`, shows: "1.33.4" },
    { path: `${sub}/providers/Microsoft.Network`, shows: "Registered" },
    { path: sub, shows: "Enabled" },
  ])("$path shows $shows", ({ path, shows }) => {
    const answer = aWorld().get(path);
    expect(answer.status).toBe(200);
    expect(JSON.stringify(answer.body)).toContain(shows);
  });

  it("usages count what there is", () => {
    const world = aMachine();
    const usages = valuesOf(world.get(`${sub}/providers/Microsoft.Network/locations/eastus/usages`)) as unknown as {
      currentValue: number;
      name: { value: string };
    }[];
    expect(usages.find(({ name }) => name.value === "LoadBalancers")?.currentValue).toBe(1);
    const cores = valuesOf(world.get(`${sub}/providers/Microsoft.Compute/locations/eastus/usages`)) as unknown as {
      currentValue: number;
      name: { value: string };
    }[];
    expect(cores.find(({ name }) => name.value === "cores")?.currentValue).toBe(2);
  });

  it.each([
    { ipAddress: "10.1.0.4", gives: { available: false, availableIPAddresses: ["10.1.0.5"] } },
    { ipAddress: "10.1.0.9", gives: { available: true, availableIPAddresses: [] } },
    { ipAddress: "192.168.0.1", gives: { available: false, availableIPAddresses: [] } },
  ])("address $ipAddress", ({ ipAddress, gives }) => {
    const world = aNetwork();
    world.put(nicId, bodies.nic());
    expect(world.get(`${vnetId}/CheckIPAddressAvailability?ipAddress=${ipAddress}`).body).toEqual(gives);
  });

  it("health is known for what exists", () => {
    const world = aMachine();
    const health = (id: string) => world.get(`${id}/providers/Microsoft.ResourceHealth/availabilityStatuses/current`);
    expect(health(vmId).body).toMatchObject({ properties: { availabilityState: "Available" } });
    expect(health(`${compute}/virtualMachines/none`).status).toBe(404);
  });
});

describe("Resource Graph", () => {
  it("tells what changed since when, by whom, and which fields", () => {
    const world = aNetwork();
    const since = new Date(world.now() + 1).toISOString();
    world.advance(60_000);
    world.put(subnetId, bodies.subnet("10.4.0.0/16"), {
      token: "somebody",
      headers: { "x-ms-correlation-request-id": "c-1" },
    });
    world.del(vnetId);
    world.get(vnetId);
    const answer = world.post("/providers/Microsoft.ResourceGraph/resources", {
      subscriptions: [subscription],
      query: `resourcechanges | where properties.changeAttributes.timestamp > datetime('${since}')`,
    });
    expect(answer.body).toMatchObject({
      count: 2,
      data: [
        {
          targetResourceId: vnetId,
          changeType: "Update",
          correlationId: "c-1",
          properties: { changeAttributes: { changedBy: "somebody" } },
        },
        { targetResourceId: vnetId, changeType: "Delete" },
      ],
    });
    expect(JSON.stringify(answer.body)).toContain("properties.subnets");
    expect(world.post("/providers/Microsoft.ResourceGraph/resources", { query: "securityresources" }).status).toBe(400);
  });

  it("pages by skip token", () => {
    const world = aMachine();
    const ask = (options: Json) =>
      world.post("/providers/Microsoft.ResourceGraph/resources", { query: "resources", options }).body as {
        data: Json[];
        $skipToken?: string;
        totalRecords: number;
      };
    const first = ask({ $top: 2 });
    expect(first.data).toHaveLength(2);
    expect(ask({ $top: 100, $skipToken: first.$skipToken! }).data).toHaveLength(first.totalRecords - 2);
  });
});

describe("the request log", () => {
  it("keeps method, path, version, body without secrets, status and findings", () => {
    const bodiesSeen: (Json | undefined)[] = [];
    const world = aNetwork({
      validate: ({ method, path, apiVersion, body }) => {
        bodiesSeen.push(body);
        return [`${method} ${path.split("/").at(-1)} ${apiVersion}`];
      },
    });
    world.put(nicId, bodies.nic());
    world.put(
      vmId,
      bodies.vm({
        osProfile: {
          computerName: "vm",
          adminUsername: "u",
          adminPassword: "p4ss",
          linuxConfiguration: { ssh: { publicKeys: [{ keyData: "ssh-rsa AAAA" }] } },
        },
      }),
    );
    const entry = world.state.requests.at(-1);
    expect(entry).toMatchObject({
      method: "PUT",
      path: vmId,
      apiVersion: "2025-09-01",
      status: 201,
      at: expect.any(String),
      findings: ["PUT vm 2025-09-01"],
      body: {
        properties: {
          osProfile: {
            adminPassword: "***",
            linuxConfiguration: { ssh: { publicKeys: [{ keyData: "ssh-rsa AAAA" }] } },
          },
        },
      },
    });
    expect(JSON.stringify(world.state.requests)).not.toContain("p4ss");
    expect(JSON.stringify(bodiesSeen)).toContain("p4ss");
  });

  it("keeps only so many", () => {
    const world = aWorld({ keepRequests: 3 });
    for (let at = 0; at < 5; at += 1) world.get(`${group}${at}`);
    expect(world.state.requests.map(({ path }) => path.at(-1))).toEqual(["2", "3", "4"]);
  });
});
