import type { Mode } from "./mode.ts";
import { lbs, publicCluster, threeZones } from "./parts.ts";

const noZones = {} as const;
const edge = { name: "losangeles", type: "EdgeZone" } as const;

/** A cloud of its own, with its Resource Manager and its names for addresses. */
const inCloud = (
  cloud: Pick<Mode, "name" | "number"> & Record<"environment" | "location" | "management" | "host", string>,
): Mode => ({
  title: `the cloud ${cloud.environment}`,
  name: cloud.name,
  number: cloud.number,
  management: cloud.management,
  spec: { azureEnvironment: cloud.environment, location: cloud.location },
  made: publicCluster(cloud.name),
  endpoint: { host: cloud.host, port: 6443 },
  zones: threeZones,
  conditions: lbs,
});

/** Clusters in other places than a region with zones of the public cloud. */
export const placeModes: readonly Mode[] = [
  {
    title: "failure domains that the spec restricts",
    name: "narrow",
    number: 13,
    spec: {
      failureDomains: { "1": { controlPlane: true }, "2": { controlPlane: false }, "9": { controlPlane: true } },
    },
    made: publicCluster("narrow"),
    bodies: { "narrow/publicIPAddresses/pip-narrow-apiserver": { zones: ["1", "2", "3"] } },
    endpoint: { host: "narrow-4a873f97.westeurope.cloudapp.azure.com", port: 6443 },
    zones: { "1": true, "2": false, "3": true },
    conditions: lbs,
  },
  {
    title: "a region without zones",
    name: "zoneless",
    number: 14,
    spec: { location: "westus" },
    made: publicCluster("zoneless"),
    endpoint: { host: "zoneless-d3253a36.westus.cloudapp.azure.com", port: 6443 },
    zones: noZones,
    conditions: lbs,
  },
  {
    title: "an edge zone",
    name: "edge",
    number: 15,
    spec: { location: "westus", extendedLocation: edge },
    made: publicCluster("edge"),
    bodies: {
      "edge/virtualNetworks/edge-vnet": { extendedLocation: edge },
      "edge/loadBalancers/edge-public-lb": { extendedLocation: edge },
      "edge/publicIPAddresses/pip-edge-apiserver": { extendedLocation: edge },
    },
    endpoint: { host: "edge-2e64338d.westus.cloudapp.azure.com", port: 6443 },
    zones: noZones,
    conditions: lbs,
  },
  inCloud({
    name: "gov",
    number: 16,
    environment: "AzureUSGovernmentCloud",
    location: "usgovvirginia",
    management: "https://management.usgovcloudapi.net",
    host: "gov-6d94fa74.usgovvirginia.cloudapp.usgovcloudapi.net",
  }),
  inCloud({
    name: "china",
    number: 17,
    environment: "AzureChinaCloud",
    location: "chinanorth3",
    management: "https://management.chinacloudapi.cn",
    host: "china-612056e3.chinanorth3.cloudapp.chinacloudapi.cn",
  }),
];
