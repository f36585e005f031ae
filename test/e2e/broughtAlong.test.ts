import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { textAt, valueAt } from "../../src/api/json.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import { denyRule } from "../support/denyRule.ts";
import { eventually } from "../support/e2e/eventually.ts";
import { everything, type Place, subscription } from "../support/e2e/manifests.ts";
import {
  apply,
  azureCluster,
  conditionLines,
  conditionOf,
  editSpec,
  gone,
  rowsOf,
  settled,
  startDeleting,
} from "../support/e2e/objects.ts";
import { idle } from "../support/e2e/queue.ts";
import { rowOf } from "../support/e2e/rows.ts";
import { type Scene, useScene } from "../support/e2e/scene.ts";

/** One cluster in a network of somebody else, on the full stack: nothing of it changes but what is asked for. */

const place: Place = { namespace: "brought", name: "guest" };
const base = `/subscriptions/${subscription}/resourceGroups`;
const network = `${base}/net-rg/providers/Microsoft.Network`;
const vnet = `${network}/virtualNetworks/shared`;
const tags = { team: "net", costCentre: "7" };
const location = "westeurope";

const subnet = (name: string, addressPrefix: string) => ({
  id: `${vnet}/subnets/${name}`,
  properties: {
    addressPrefix,
    networkSecurityGroup: { id: `${network}/networkSecurityGroups/theirs` },
    routeTable: { id: `${network}/routeTables/theirs` },
    natGateway: { id: `${network}/natGateways/theirs` },
    serviceEndpoints: [{ service: "Microsoft.Storage", locations: [location] }],
    delegations: [{ name: "d", properties: { serviceName: "Microsoft.Web/serverFarms" } }],
  },
});
const theirs: readonly (JsonObject & { readonly id: string })[] = [
  { id: `${base}/net-rg`, location, tags },
  {
    id: `${network}/networkSecurityGroups/theirs`,
    location,
    tags,
    properties: { securityRules: [{ name: "no-ssh", properties: denyRule(2200) }] },
  },
  {
    id: `${network}/routeTables/theirs`,
    location,
    tags,
    properties: { routes: [{ name: "out", properties: { addressPrefix: "0.0.0.0/0", nextHopType: "Internet" } }] },
  },
  {
    id: `${network}/publicIPAddresses/theirs`,
    location,
    tags,
    sku: { name: "Standard" },
    properties: { publicIPAllocationMethod: "Static" },
  },
  {
    id: `${network}/natGateways/theirs`,
    location,
    tags,
    sku: { name: "Standard" },
    properties: { publicIpAddresses: [{ id: `${network}/publicIPAddresses/theirs` }], idleTimeoutInMinutes: 10 },
  },
  {
    id: `${network}/virtualNetworks/hub`,
    location,
    tags,
    properties: { addressSpace: { addressPrefixes: ["172.20.0.0/16"] } },
  },
  {
    id: vnet,
    location,
    tags,
    properties: { addressSpace: { addressPrefixes: ["172.16.0.0/16"] }, dhcpOptions: { dnsServers: ["172.16.0.4"] } },
  },
  subnet("cp", "172.16.1.0/24"),
  subnet("other", "172.16.9.0/24"),
  {
    id: `${vnet}/virtualNetworkPeerings/to-hub`,
    properties: { remoteVirtualNetwork: { id: `${network}/virtualNetworks/hub` }, allowForwardedTraffic: true },
  },
];

const networkSpec = (cp: JsonObject = {}, nodes: JsonObject = {}): JsonObject => ({
  vnet: { name: "shared", resourceGroup: "net-rg", cidrBlocks: ["172.16.0.0/16"] },
  subnets: [
    { name: "cp", role: "control-plane", ...cp },
    {
      name: "nodes",
      role: "node",
      cidrBlocks: ["172.16.2.0/24"],
      securityGroup: { name: "to-come" },
      routeTable: { name: "theirs" },
      ...nodes,
    },
  ],
});

/** What Azure gives anew with each write to a part of a network. */
const volatile: ReadonlySet<string> = new Set(["etag"]);
const lasting = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([name]) => !volatile.has(name));
  return Object.fromEntries(entries.map(([name, child]) => [name, lasting(child)]));
};

/** Without one subnet, and without any mention of it. */
const withoutSubnet = (value: Json, id: string): Json => {
  const isIt = (one: Json): boolean => isJsonObject(one) && textAt(one, "id")?.toLowerCase() === id.toLowerCase();
  if (Array.isArray(value)) return value.filter((one) => !isIt(one)).map((one) => withoutSubnet(one, id));
  if (!isJsonObject(value)) return value;
  const isOnlyIt = (child: Json): boolean => Array.isArray(child) && child.length > 0 && child.every(isIt);
  const entries = Object.entries(value).filter(([, child]) => !isOnlyIt(child));
  return Object.fromEntries(entries.map(([name, child]) => [name, withoutSubnet(child, id)]));
};

const azureOf = async ({ stack }: Scene): Promise<Readonly<Record<string, Json>>> => {
  const all = await stack.azure.resources(`/subscriptions/${subscription}/`);
  return Object.fromEntries(all.map((one) => [textAt(one, "id")?.toLowerCase() ?? "", lasting(one as Json)]));
};
const abroad = async (scene: Scene): Promise<Readonly<Record<string, Json>>> => {
  const all = Object.entries(await azureOf(scene));
  return Object.fromEntries(all.filter(([id]) => id.startsWith(`${base}/net-rg`.toLowerCase())));
};
const writesOf = async ({ stack }: Scene): Promise<readonly string[]> =>
  (await stack.azure.requests())
    .filter(({ method }) => method !== "GET")
    .map(({ method, path }) => `${method} ${path.split("?")[0]?.split("/").slice(4).join("/") ?? ""}`);

const lookAgain = async (scene: Scene): Promise<void> => {
  const object = { cluster: scene.stack.cluster, kind: "AzureCluster", ...place };
  const before = (await rowOf(scene, object))?.turn ?? 0;
  expect((await scene.stack.replay({ object, requestId: randomUUID(), dryRun: false })).status).toBeLessThan(300);
  await eventually("it has been looked at", async () => ((await rowOf(scene, object))?.turn ?? 0) > before);
};

describe("a cluster in a network that was brought along", () => {
  const scene = useScene({ azure: { retryAfterSeconds: 1 } });
  let before: Readonly<Record<string, Json>> = {};
  const nodes = `${vnet}/subnets/nodes`;
  const seed = (...some: readonly (JsonObject & { readonly id: string })[]): Promise<unknown> =>
    scene().stack.azure.seed(some as Parameters<Scene["stack"]["azure"]["seed"]>[0]);
  const networkNow = async (): Promise<JsonObject> => {
    const { properties } = (await abroad(scene()))[vnet.toLowerCase()] as JsonObject;
    return properties as JsonObject;
  };
  const expectAsBefore = async (): Promise<void> => expect(withoutSubnet(await abroad(scene()), nodes)).toEqual(before);

  it("waits for what the spec names and nobody has made, and says so", async () => {
    await seed(...theirs);
    await apply(scene(), everything(place, { resourceGroup: "guest-rg", networkSpec: networkSpec() }));
    await eventually("it says what is missing", async () => {
      const told = conditionOf(await azureCluster(scene(), place), "SubnetsReady");
      const words = [nodes, "networkSecurityGroup", "networkSecurityGroups/to-come"];
      return told?.["status"] === "False" && words.every((word) => textAt(told, "message")?.includes(word));
    });
    expect((await writesOf(scene())).filter((write) => write.includes("net-rg"))).toEqual([]);
  });

  it("makes the subnet that is missing, and nothing that is only implied", async () => {
    await seed({ id: `${network}/networkSecurityGroups/to-come`, location, tags, properties: {} });
    before = await abroad(scene());
    await lookAgain(scene());
    const { status, spec } = await settled(scene(), place);
    expect((await writesOf(scene())).toSorted()).toEqual([
      "PUT guest-rg",
      "PUT guest-rg/providers/Microsoft.Network/loadBalancers/guest-public-lb",
      "PUT guest-rg/providers/Microsoft.Network/publicIPAddresses/pip-guest-apiserver",
      "PUT net-rg/providers/Microsoft.Network/virtualNetworks/shared/subnets/nodes",
    ]);
    expect(conditionLines({ status }).filter((line) => !line.endsWith(" True"))).toEqual([]);
    expect(spec["networkSpec"]).toEqual(networkSpec());
    expect(valueAt(await networkNow(), "subnets")).toContainEqual(
      expect.objectContaining({
        name: "nodes",
        properties: expect.objectContaining({
          addressPrefix: "172.16.2.0/24",
          networkSecurityGroup: { id: `${network}/networkSecurityGroups/to-come` },
          routeTable: { id: `${network}/routeTables/theirs` },
        }),
      }),
    );
    await expectAsBefore();
  });

  it("changes nothing in twenty looks", async () => {
    const [writes, { metadata }] = [(await writesOf(scene())).length, await azureCluster(scene(), place)];
    for (let look = 0; look < 20; look += 1) await lookAgain(scene());
    await idle(scene());
    expect((await writesOf(scene())).slice(writes)).toEqual([]);
    expect((await azureCluster(scene(), place)).metadata.resourceVersion).toBe(metadata.resourceVersion);
    await expectAsBefore();
  });

  it("A55: writes what is asked of its own subnet, and tells what is asked of others'", async () => {
    const writes = (await writesOf(scene())).length;
    const serviceEndpoints = [{ service: "Microsoft.Sql", locations: [location] }];
    await editSpec(scene(), place, { networkSpec: networkSpec({ serviceEndpoints }, { serviceEndpoints }) });
    const object = await settled(scene(), place);
    expect((await writesOf(scene())).slice(writes)).toEqual([
      "PUT net-rg/providers/Microsoft.Network/virtualNetworks/shared/subnets/nodes",
    ]);
    const told = conditionOf(object, "SubnetsReady");
    expect(told).toMatchObject({ status: "True", message: expect.stringContaining(`${vnet}/subnets/cp is not ours`) });
    expect(told?.["message"]).toContain("Microsoft.Sql");
    await expectAsBefore();
  });

  it("A34: goes, and leaves everything of others as it was", async () => {
    await startDeleting(scene(), "cluster", place);
    await gone(scene(), "AzureCluster", place);
    expect(await azureOf(scene())).toEqual(before);
    await eventually("the tables have forgotten it", async () => (await rowsOf(scene(), place)).length === 0);
    const deleted = (await writesOf(scene())).filter((write) => write.startsWith("DELETE"));
    expect(deleted).toEqual([
      "DELETE net-rg/providers/Microsoft.Network/virtualNetworks/shared/subnets/nodes",
      "DELETE guest-rg",
    ]);
  });
});
