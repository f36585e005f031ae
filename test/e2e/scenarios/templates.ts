import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import { valueAt } from "../../../src/api/json.ts";
import { fillVariables } from "../../../src/cli/fillVariables.ts";
import type { KubeObject } from "../../../src/core/types.ts";
import { armFindings } from "../../support/armValidate.ts";
import { idIn, namesOf, requestsOf, resource, resourcesOf, writeLines, writesOf } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { type Place, subscription } from "../../support/e2e/manifests.ts";
import { conditionLines, conditionOf, find, gone, rowsOf, settled, startDeleting } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { apiServerHost } from "../../support/e2e/upstreamNames.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";

const location = "westeurope";
/** Of the kinds in them other than AzureCluster only the definitions exist so far. */
const templates = [
  "",
  "-machinepool",
  "-nvidia-gpu",
  "-windows",
  "-azure-cni-v1",
  "-apiserver-ilb",
  "-ipv6",
  "-private",
] as const;
type Template = (typeof templates)[number];
const dnsSuffix = "a1b2c3";

const nameOf = (template: Template): string => `filled${template}`;
const placeOf = (template: Template): Place => ({ namespace: "default", name: nameOf(template) });

const fill = async (template: Template): Promise<string> => {
  const file = join(sharedDir, "contract", "templates", `cluster-template${template}.yaml`);
  const filled = fillVariables(await readFile(file, "utf8"), {
    CLUSTER_NAME: nameOf(template),
    CLUSTER_IDENTITY_NAME: `${nameOf(template)}-identity`,
    AZURE_LOCATION: location,
    AZURE_SUBSCRIPTION_ID: subscription,
    AZURE_TENANT_ID: "00000000-0000-4000-8000-0000000007e4",
    AZURE_CLIENT_ID_USER_ASSIGNED_IDENTITY: "00000000-0000-4000-8000-00000000c11e",
    AZURE_CONTROL_PLANE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_NODE_MACHINE_TYPE: "Standard_D2s_v3",
    AZURE_SSH_PUBLIC_KEY: "ssh-rsa AAAA nobody",
    AZURE_SSH_PUBLIC_KEY_B64: "",
    APISERVER_LB_DNS_SUFFIX: dnsSuffix,
    KUBERNETES_VERSION: "v1.36.3",
  });
  if (!filled.ok) throw new Error(filled.error);
  return filled.value;
};

const gateway = (name: string): readonly string[] => [
  `publicIPAddresses/pip-${name}-node-natgw-1`,
  `natGateways/${name}-node-natgw-1`,
];
const publicApiServer = (name: string, address = `pip-${name}-apiserver`): readonly string[] => [
  `publicIPAddresses/${address}`,
  `loadBalancers/${name}-public-lb`,
];
const nodeOutbound = (name: string): readonly string[] => [
  `publicIPAddresses/pip-${name}-node-outbound`,
  `loadBalancers/${name}`,
];
const privateApiServer = (name: string): readonly string[] => [
  `loadBalancers/${name}-internal-lb`,
  `privateDnsZones/${name}.capz.io`,
  `privateDnsZones/${name}.capz.io/virtualNetworkLinks/${name}-vnet-link`,
  `privateDnsZones/${name}.capz.io/A/apiserver`,
];
const controlPlaneOutbound = (name: string): readonly string[] => [
  `publicIPAddresses/pip-${name}-controlplane-outbound`,
  `loadBalancers/${name}-outbound-lb`,
];
const bastion = (name: string): readonly string[] => [
  `virtualNetworks/${name}-vnet/subnets/AzureBastionSubnet`,
  `publicIPAddresses/${name}-azure-bastion-pip`,
  `bastionHosts/${name}-azure-bastion`,
];

/** What the fact sheet's worked examples list beside the network itself, for a cluster of this name. */
const particular = (template: Template, name: string): readonly string[] => {
  switch (template) {
    case "-apiserver-ilb":
      return [...gateway(name), ...publicApiServer(name, `${name}-api-lb`), `loadBalancers/${name}-public-lb-internal`];
    case "-ipv6":
      return [...publicApiServer(name), ...nodeOutbound(name)];
    case "-private":
      return [
        ...gateway(name),
        ...privateApiServer(name),
        ...nodeOutbound(name),
        ...controlPlaneOutbound(name),
        ...bastion(name),
      ];
    default:
      return [...gateway(name), ...publicApiServer(name)];
  }
};
const expectedResources = (template: Template): readonly string[] => {
  const name = nameOf(template);
  return [
    name,
    `virtualNetworks/${name}-vnet`,
    `virtualNetworks/${name}-vnet/subnets/control-plane-subnet`,
    `virtualNetworks/${name}-vnet/subnets/node-subnet`,
    `networkSecurityGroups/${name}-controlplane-nsg`,
    `networkSecurityGroups/${name}-node-nsg`,
    `routeTables/${name}-node-routetable`,
    ...particular(template, name),
  ].toSorted();
};

const expectedHost = (template: Template): string => {
  const name = nameOf(template);
  if (template === "-private") return `apiserver.${name}.capz.io`;
  return template === "-apiserver-ilb"
    ? `${name}-${dnsSuffix}.${location}.cloudapp.azure.com`
    : apiServerHost({ name, subscription, resourceGroup: name, location });
};

/** Types of conditions that Cluster API Provider Azure sets on an AzureCluster with these services, and one of ours. */
const expectedConditions = (template: Template): readonly string[] => [
  "Ready",
  "BastionHostReady",
  "LoadBalancersReady",
  "NATGatewaysReady",
  "NetworkInfrastructureReady",
  ...(template === "-private" ? ["PrivateDNSLinkReady", "PrivateDNSRecordReady", "PrivateDNSZoneReady"] : []),
  "PrivateEndpointsReady",
  "PublicIPsReady",
  "ResourceGroupReady",
  "RouteTablesReady",
  "SecurityGroupsReady",
  "SpecValid",
  "SubnetsReady",
  "VNetReady",
];

/** The templates of Cluster API Provider Azure for self-managed clusters, as they are. */
export const templateScenarios = (scene: () => Scene): void => {
  describeWithShared("upstream's templates", () => {
    const objects = new Map<Template, KubeObject>();
    beforeAll(async () => {
      const manifests = await Promise.all(templates.map(fill));
      await scene().stack.kubectl(["apply", "-f", "-"], manifests.join("\n---\n"));
      for (const template of templates) objects.set(template, await settled(scene(), placeOf(template)));
    });
    const objectOf = (template: Template): KubeObject => {
      const object = objects.get(template);
      if (object === undefined) throw new Error(`${nameOf(template)} was never settled`);
      return object;
    };

    /** Writes that Azure took, in the order of their names. */
    const taken = async (name: string): Promise<readonly string[]> =>
      (await writeLines(scene(), name)).map((line) => line.replace(/ 20[012]$/, "")).toSorted();

    it.each(templates)("cluster-template%s makes each resource by one PUT, in Azure's form", async (template) => {
      const name = nameOf(template);
      const expected = expectedResources(template);
      expect(await namesOf(scene(), name)).toEqual(expected);
      expect(await taken(name)).toEqual(expected.map((resourceName) => `PUT ${resourceName}`));
      expect(await armFindings(await requestsOf(scene(), name))).toEqual([]);
    });

    it.each(templates)("cluster-template%s tells Cluster API that its infrastructure stands", async (template) => {
      const cluster = await eventually("Cluster API takes note", async () => {
        const found = await find(scene(), "Cluster", placeOf(template));
        return valueAt(found?.status, "initialization", "infrastructureProvisioned") === true && found;
      });
      expect(cluster.apiVersion).toBe("cluster.x-k8s.io/v1beta2");
      expect(conditionOf(cluster, "InfrastructureReady")).toMatchObject({ status: "True" });
      expect(valueAt(cluster.spec, "controlPlaneEndpoint", "port")).toBe(6443);
    });

    it.each(templates)("cluster-template%s says so in the AzureCluster's status and endpoint", (template) => {
      const { spec, status, metadata } = objectOf(template);
      expect(spec["controlPlaneEndpoint"]).toEqual({ host: expectedHost(template), port: 6443 });
      const zone = { controlPlane: true };
      expect(status).toMatchObject({ ready: true, failureDomains: { "1": zone, "2": zone, "3": zone } });
      expect(conditionLines({ status })).toEqual(expectedConditions(template).map((type) => `${type} True`));
      expect(metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
    });

    it("has the addresses, zones, rules and probe of the fact sheet", async () => {
      const name = nameOf("");
      const properties = async (rest: string) => (await resource(scene(), name, rest))["properties"];
      expect(await properties(`virtualNetworks/${name}-vnet`)).toMatchObject({
        addressSpace: { addressPrefixes: ["10.0.0.0/8"] },
      });
      expect(await properties(`virtualNetworks/${name}-vnet/subnets/node-subnet`)).toMatchObject({
        networkSecurityGroup: { id: idIn(name, `networkSecurityGroups/${name}-node-nsg`) },
        routeTable: { id: idIn(name, `routeTables/${name}-node-routetable`) },
        natGateway: { id: idIn(name, `natGateways/${name}-node-natgw-1`) },
      });
      expect(await properties(`loadBalancers/${name}-public-lb`)).toMatchObject({
        frontendIPConfigurations: [{ name: `${name}-public-lb-frontEnd` }],
        backendAddressPools: [{ name: `${name}-public-lb-backendPool` }],
        loadBalancingRules: [{ name: "LBRuleHTTPS", properties: { frontendPort: 6443, backendPort: 6443 } }],
        probes: [{ name: "HTTPSProbe", properties: { protocol: "Https", port: 6443, requestPath: "/readyz" } }],
        outboundRules: [{ name: "OutboundNATAllProtocols" }],
      });
      const address = await resource(scene(), name, `publicIPAddresses/pip-${name}-apiserver`);
      expect(address).toMatchObject({
        sku: { name: "Standard" },
        zones: ["1", "2", "3"],
        tags: { Name: `pip-${name}-apiserver`, [`sigs.k8s.io_cluster-api-provider-azure_cluster_${name}`]: "owned" },
      });
    });

    it("goes wholly with kubectl delete cluster, and nothing else does", async () => {
      const place = placeOf("");
      const others = templates.filter((template) => template !== "");
      const before = await Promise.all(others.map((template) => resourcesOf(scene(), nameOf(template))));
      await startDeleting(scene(), "cluster", place);
      await gone(scene(), "Cluster", place);
      await gone(scene(), "AzureCluster", place);
      expect(await namesOf(scene(), place.name)).toEqual([]);
      await eventually("the tables have forgotten it", async () => (await rowsOf(scene(), place)).length === 0);
      expect((await writesOf(scene(), place.name)).filter(({ method }) => method === "DELETE")).toHaveLength(1);
      expect(await Promise.all(others.map((template) => resourcesOf(scene(), nameOf(template))))).toEqual(before);
    });

    it("all others go as wholly, and between ready and the deletion nothing was written", async () => {
      const others = templates.filter((template) => template !== "");
      for (const template of others) {
        const made = expectedResources(template).map((resourceName) => `PUT ${resourceName}`);
        expect(await taken(nameOf(template))).toEqual(made);
      }
      for (const template of others) await startDeleting(scene(), "cluster", placeOf(template));
      for (const template of others) {
        await gone(scene(), "Cluster", placeOf(template));
        await gone(scene(), "AzureCluster", placeOf(template));
        expect(await namesOf(scene(), nameOf(template))).toEqual([]);
        const written = await taken(nameOf(template));
        expect(written.filter((line) => !line.startsWith("PUT "))).toEqual([`DELETE ${nameOf(template)}`]);
        expect(written).toHaveLength(expectedResources(template).length + 1);
      }
    });
  });
};
