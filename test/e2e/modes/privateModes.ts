import type { Mode } from "./mode.ts";
import { dns, lbs, natGateway, network, nodeOutbound, privateApiServer, privateDns, threeZones } from "./parts.ts";

const internal = { apiServerLB: { type: "Internal" } } as const;

/** API servers that are reached from inside only. */
export const privateModes: readonly Mode[] = [
  {
    title: "a private API server",
    name: "inside",
    number: 2,
    spec: { networkSpec: internal },
    made: [...network("inside"), ...natGateway("inside"), ...privateApiServer("inside"), ...privateDns("inside")],
    bodies: {
      "inside/loadBalancers/inside-internal-lb": {
        properties: { frontendIPConfigurations: [{ properties: { privateIPAddress: "10.0.0.100" } }] },
      },
      "inside/privateDnsZones/inside.capz.io/A/apiserver": {
        properties: { aRecords: [{ ipv4Address: "10.0.0.100" }] },
      },
    },
    endpoint: { host: "apiserver.inside.capz.io", port: 6443 },
    zones: threeZones,
    conditions: [...lbs, ...dns],
  },
  {
    title: "a private API server in a zone elsewhere, found from a peered network too",
    name: "hubbed",
    number: 3,
    before: [
      { id: "dns-rg", location: "westeurope" },
      {
        id: "hub-rg/virtualNetworks/hub",
        location: "westeurope",
        properties: { addressSpace: { addressPrefixes: ["172.20.0.0/16"] } },
      },
    ],
    spec: {
      networkSpec: {
        apiServerLB: { type: "Internal", frontendIPs: [{ name: "front", privateIP: "10.0.0.77" }] },
        privateDNSZoneName: "corp.example",
        privateDNSZoneResourceGroup: "dns-rg",
        vnet: { name: "hubbed-vnet", peerings: [{ resourceGroup: "hub-rg", remoteVnetName: "hub" }] },
      },
    },
    made: [
      ...network("hubbed"),
      ...natGateway("hubbed"),
      ...privateApiServer("hubbed"),
      ...privateDns("hubbed", "dns-rg", "corp.example"),
      "dns-rg/privateDnsZones/corp.example/virtualNetworkLinks/hub-link",
      "hubbed/virtualNetworks/hubbed-vnet/virtualNetworkPeerings/hubbed-vnet-To-hub",
      "hub-rg/virtualNetworks/hub/virtualNetworkPeerings/hub-To-hubbed-vnet",
    ],
    bodies: {
      "dns-rg/privateDnsZones/corp.example/A/apiserver": { properties: { aRecords: [{ ipv4Address: "10.0.0.77" }] } },
    },
    endpoint: { host: "apiserver.corp.example", port: 6443 },
    zones: threeZones,
    conditions: [...lbs, ...dns, "VnetPeeringReady"],
  },
  {
    title: "a private API server whose name somebody else resolves",
    name: "nameless",
    number: 24,
    spec: { networkSpec: { ...internal, privateDNSZone: "None" } },
    made: [...network("nameless"), ...natGateway("nameless"), ...privateApiServer("nameless")],
    endpoint: { host: "apiserver.nameless.capz.io", port: 6443 },
    zones: threeZones,
    conditions: lbs,
    says: "somebody resolves apiserver.nameless.capz.io",
  },
  {
    title: "load balancers in chosen zones",
    name: "zoned",
    number: 25,
    spec: {
      networkSpec: {
        apiServerLB: { type: "Internal", availabilityZones: ["1", "2"] },
        nodeOutboundLB: { availabilityZones: ["3"] },
        controlPlaneOutboundLB: { frontendIPsCount: 2 },
      },
    },
    made: [
      ...network("zoned"),
      ...natGateway("zoned"),
      ...privateApiServer("zoned"),
      ...privateDns("zoned"),
      ...nodeOutbound("zoned"),
      "zoned/loadBalancers/zoned-outbound-lb",
      "zoned/publicIPAddresses/pip-zoned-controlplane-outbound-1",
      "zoned/publicIPAddresses/pip-zoned-controlplane-outbound-2",
    ],
    bodies: {
      "zoned/loadBalancers/zoned-internal-lb": { properties: { frontendIPConfigurations: [{ zones: ["1", "2"] }] } },
      "zoned/publicIPAddresses/pip-zoned-node-outbound": { zones: ["3"] },
      "zoned/publicIPAddresses/pip-zoned-controlplane-outbound-2": { zones: ["1", "2", "3"] },
      "zoned/publicIPAddresses/pip-zoned-node-natgw": { zones: ["1", "2", "3"] },
    },
    endpoint: { host: "apiserver.zoned.capz.io", port: 6443 },
    zones: threeZones,
    conditions: [...lbs, ...dns],
  },
];
