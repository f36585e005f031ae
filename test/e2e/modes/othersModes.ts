import type { JsonObject } from "../../../src/core/types.ts";
import type { Mode } from "./mode.ts";
import { lbs, natGateway, network, networkOfNodes, publicApiServer, threeZones } from "./parts.ts";

const theirHost = "their-api.westeurope.cloudapp.azure.com";
const address = (id: string, dnsSettings?: JsonObject) => ({
  id,
  location: "westeurope",
  sku: { name: "Standard" },
  tags: { team: "network" },
  properties: { publicIPAllocationMethod: "Static", ...(dnsSettings !== undefined && { dnsSettings }) },
});

/** Clusters of which others bring along a part. */
export const othersModes: readonly Mode[] = [
  {
    title: "a control plane that others manage",
    name: "headless",
    number: 8,
    spec: { controlPlaneEnabled: false },
    late: {
      spec: { controlPlaneEndpoint: { host: "hosted.example.com", port: 30443 } },
      reason: "ExternallyManagedControlPlane",
    },
    made: [...networkOfNodes("headless"), ...natGateway("headless")],
    endpoint: { host: "hosted.example.com", port: 30443 },
    zones: threeZones,
    conditions: [],
  },
  {
    title: "a resource group that is brought along",
    name: "guest",
    number: 10,
    before: [{ id: "their-group", location: "westeurope", tags: { team: "platform" } }],
    spec: { resourceGroup: "their-group" },
    made: [
      ...network("guest", "their-group"),
      ...natGateway("guest", "their-group"),
      ...publicApiServer("guest", "their-group"),
    ].filter((id) => id !== "their-group"),
    endpoint: { host: "guest-f41a7d60.westeurope.cloudapp.azure.com", port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
  {
    title: "public addresses that are brought along",
    name: "theirs",
    number: 9,
    before: [
      { id: "theirs", location: "westeurope", tags: { team: "network" } },
      address("theirs/publicIPAddresses/their-api-ip", { domainNameLabel: "their-api", fqdn: theirHost }),
      address("theirs/publicIPAddresses/their-nat-ip"),
    ],
    spec: {
      networkSpec: {
        apiServerLB: {
          frontendIPs: [{ name: "front", publicIP: { name: "their-api-ip", dnsName: theirHost } }],
        },
        subnets: [
          { name: "theirs-controlplane-subnet", role: "control-plane" },
          {
            name: "theirs-node-subnet",
            role: "node",
            natGateway: { name: "theirs-node-natgw", ip: { name: "their-nat-ip" } },
          },
        ],
      },
    },
    made: [
      ...network("theirs").filter((id) => id !== "theirs"),
      "theirs/natGateways/theirs-node-natgw",
      "theirs/loadBalancers/theirs-public-lb",
    ],
    endpoint: { host: theirHost, port: 6443 },
    zones: threeZones,
    conditions: lbs,
  },
];
