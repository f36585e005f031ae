import { describe, expect, it } from "vitest";
import { apiVersions } from "../../src/wire/generated/apiVersions.ts";
import { loadSchema } from "../../src/wire/loadSchema.ts";
import { redact, secretPaths } from "../../src/wire/redact.ts";
import { isWritable, nodeOf, type SchemaNode, type WirePath } from "../../src/wire/schema.ts";
import { writable } from "../../src/wire/writable.ts";

describe("loadSchema", () => {
  it.each(Object.entries(apiVersions))("has %s at %s", async (type, apiVersion) => {
    const schema = await loadSchema(type.toUpperCase());
    expect(schema).toMatchObject({ type, apiVersion });
    expect(nodeOf(schema, schema.body)).toMatchObject({
      kind: "object",
      properties: { id: { readOnly: true }, name: { readOnly: true }, type: { readOnly: true } },
    });
  });
  it.each(["Microsoft.Network/virtualHubs", "Contoso.Widgets/widgets", ""])("refuses %s", (type) =>
    expect(loadSchema(type)).rejects.toThrow(RangeError),
  );
});

const targetsOf = (node: SchemaNode): readonly number[] => {
  if (node.kind === "list") return [node.item];
  if (node.kind !== "object") return [];
  return [
    ...Object.values(node.properties).map((property) => property.node),
    ...(node.additional === undefined ? [] : [node.additional]),
  ];
};

it("every reference of every provider hits a node", async () => {
  for (const type of Object.keys(apiVersions)) {
    const { nodes } = await loadSchema(type);
    for (const target of nodes.flatMap(targetsOf)) expect(nodes[target]).toBeDefined();
  }
});

describe("what may be sent", () => {
  it.each<[type: string, path: WirePath, may: boolean]>([
    ["Microsoft.Network/loadBalancers", ["id"], false],
    ["Microsoft.Network/loadBalancers", ["etag"], false],
    ["Microsoft.Network/loadBalancers", ["properties", "provisioningState"], false],
    ["Microsoft.Network/loadBalancers", ["properties", "backendAddressPools", 0, "name"], true],
    ["Microsoft.Network/loadBalancers", ["properties", "backendAddressPools", 0, "id"], true],
    ["Microsoft.Network/loadBalancers", ["properties", "backendAddressPools", 0, "etag"], false],
    ["Microsoft.Network/loadBalancers", ["properties", "inboundNatRules", 0, "properties", "frontendPort"], true],
    ["Microsoft.Network/loadBalancers/inboundNatRules", ["name"], false],
    ["Microsoft.Network/virtualNetworks", ["properties", "subnets", 0, "properties", "natGateway", "id"], true],
    ["Microsoft.Network/virtualNetworks", ["properties", "subnets", 0, "properties", "ipConfigurations"], false],
    ["Microsoft.Network/virtualNetworks/subnets", ["id"], false],
    ["Microsoft.Network/networkInterfaces", ["properties", "virtualMachine"], false],
    ["Microsoft.Compute/virtualMachines", ["properties", "osProfile", "customData"], true],
    ["Microsoft.Compute/virtualMachines", ["properties", "vmId"], false],
    ["Microsoft.Compute/virtualMachines", ["identity", "userAssignedIdentities", "/x", "clientId"], false],
    ["Microsoft.ContainerService/managedClusters", ["properties", "agentPoolProfiles", 0, "name"], true],
    ["Microsoft.ContainerService/managedClusters", ["properties", "fqdn"], false],
    ["Microsoft.Network/privateDnsZones/A", ["properties", "aRecords", 0, "ipv4Address"], true],
    ["Microsoft.Resources/resourceGroups", ["tags", "any"], true],
  ])("%s %j: %s", async (type, path, may) => {
    const schema = await loadSchema(type);
    expect(isWritable(schema, schema.body, path)).toBe(may);
  });
  it("leaves of an observed load balancer what a PUT takes", async () => {
    const schema = await loadSchema("Microsoft.Network/loadBalancers");
    const observed = {
      name: "lb",
      id: "/lb",
      etag: "1",
      type: "Microsoft.Network/loadBalancers",
      location: "westeurope",
      tags: { a: "b" },
      properties: {
        provisioningState: "Succeeded",
        resourceGuid: "0",
        probes: [
          { name: "p", id: "/p", etag: "1", type: "t", properties: { port: 1, loadBalancingRules: [{ id: "/r" }] } },
        ],
      },
      sku: { name: "Standard", tier: "Regional" },
    };
    expect(writable(schema, schema.body, observed)).toEqual({
      location: "westeurope",
      tags: { a: "b" },
      properties: { probes: [{ name: "p", id: "/p", properties: { port: 1 } }] },
      sku: { name: "Standard", tier: "Regional" },
    });
  });
});

describe("secrets", () => {
  it("are these", async () => {
    const found = new Map<string, readonly string[]>();
    for (const type of Object.keys(apiVersions)) {
      const schema = await loadSchema(type);
      const paths = secretPaths(schema, schema.body).map((path) => path.join("."));
      if (paths.length > 0) found.set(type, paths);
    }
    expect(Object.fromEntries(found)).toMatchInlineSnapshot(`
      {
        "Microsoft.Compute/virtualMachineScaleSets": [
          "properties.virtualMachineProfile.osProfile.adminPassword",
          "properties.virtualMachineProfile.osProfile.customData",
          "properties.virtualMachineProfile.osProfile.windowsConfiguration.additionalUnattendContent.*.content",
          "properties.virtualMachineProfile.extensionProfile.extensions.*.properties.protectedSettings",
          "properties.virtualMachineProfile.userData",
        ],
        "Microsoft.Compute/virtualMachineScaleSets/virtualMachines": [
          "properties.osProfile.adminPassword",
          "properties.osProfile.customData",
          "properties.osProfile.windowsConfiguration.additionalUnattendContent.*.content",
          "properties.userData",
          "resources.*.properties.protectedSettings",
        ],
        "Microsoft.Compute/virtualMachines": [
          "properties.osProfile.adminPassword",
          "properties.osProfile.customData",
          "properties.osProfile.windowsConfiguration.additionalUnattendContent.*.content",
          "properties.userData",
          "resources.*.properties.protectedSettings",
        ],
        "Microsoft.Compute/virtualMachines/extensions": [
          "properties.protectedSettings",
        ],
        "Microsoft.ContainerService/managedClusters": [
          "properties.windowsProfile.adminPassword",
          "properties.servicePrincipalProfile.secret",
          "properties.aadProfile.serverAppSecret",
        ],
        "Microsoft.KubernetesConfiguration/extensions": [
          "properties.configurationProtectedSettings",
        ],
      }
    `);
  });
  it("of a virtual machine do not come through", async () => {
    const schema = await loadSchema("Microsoft.Compute/virtualMachines");
    const body = {
      properties: { osProfile: { adminUsername: "capi", AdminPassword: "p4ss", customData: "dG9rZW4=" } },
    };
    expect(redact(schema, schema.body, body)).toEqual({
      properties: { osProfile: { adminUsername: "capi", AdminPassword: "***", customData: "***" } },
    });
  });
});
