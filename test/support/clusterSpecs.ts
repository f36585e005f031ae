import fc from "fast-check";
import type { JsonObject } from "../../src/core/types.ts";
import { subscription } from "./defaultCluster.ts";

/** What of a cluster stays as it is once it stands. */
export interface Frame {
  readonly isPrivate: boolean;
  readonly isDual: boolean;
  readonly isExternal: boolean;
  readonly ownNetworkGroup: boolean;
  /** Its resource group was there before and stays. */
  readonly groupStays: boolean;
  /** `None`: somebody else's; a name: brought along in a group of its own. */
  readonly zone: "ours" | "named" | "elsewhere" | "None";
}

/** What of it may change at any time. */
export interface Details {
  readonly tags: Readonly<Record<string, string>>;
  readonly peers: readonly string[];
  readonly bastion: "none" | "basic" | "standard";
  readonly nodes: readonly NodeSubnet[];
  readonly rules: readonly number[];
  readonly ports: readonly number[];
  readonly idle: number;
  readonly outbound: number | undefined;
  readonly controlPlaneOutbound: number | undefined;
}

interface NodeSubnet {
  readonly name: string;
  readonly gateway: string | undefined;
  readonly group: string | undefined;
  readonly endpoint: boolean;
  readonly service: boolean;
}

export const frames: fc.Arbitrary<Frame> = fc.record({
  isPrivate: fc.boolean(),
  isDual: fc.boolean(),
  isExternal: fc.oneof({ arbitrary: fc.constant(false), weight: 6 }, { arbitrary: fc.constant(true), weight: 1 }),
  ownNetworkGroup: fc.boolean(),
  groupStays: fc.boolean(),
  zone: fc.constantFrom("ours", "named", "elsewhere", "None"),
});

const count = fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined });
const nodeSubnet = (name: string): fc.Arbitrary<NodeSubnet> =>
  fc.record({
    name: fc.constant(name),
    gateway: fc.option(fc.constant(`nat-${name}`), { nil: undefined }),
    group: fc.option(fc.constant(`nsg-${name}`), { nil: undefined }),
    endpoint: fc.boolean(),
    service: fc.boolean(),
  });

export const details: fc.Arbitrary<Details> = fc.record({
  tags: fc.dictionary(fc.constantFrom("team", "env", "cost center"), fc.constantFrom("a", "b"), { maxKeys: 2 }),
  peers: fc.subarray(["hub", "hub2"]),
  bastion: fc.constantFrom("none", "none", "basic", "standard"),
  nodes: fc
    .tuple(nodeSubnet("n1"), nodeSubnet("n2"), nodeSubnet("n3"))
    .chain((all) => fc.subarray([...all], { minLength: 1 })),
  rules: fc.subarray([300, 310, 320]),
  ports: fc.subarray([9345, 10_250]),
  idle: fc.constantFrom(4, 15, 30),
  outbound: count,
  controlPlaneOutbound: count,
});

const target = `${subscription}/resourceGroups/hub-rg/providers/Microsoft.Storage/storageAccounts/logs`;
const places: Readonly<Record<string, number>> = { cp: 0, n1: 1, n2: 2, n3: 3 };
const rangesOf = (name: string, { isDual }: Frame): readonly string[] => [
  `10.${places[name]}.0.0/16`,
  ...(isDual ? [`2001:1234:5678:9a0${places[name]}::/64`] : []),
];

const rule = (priority: number): JsonObject => ({
  name: `r${priority}`,
  description: "asked",
  protocol: "Tcp",
  direction: "Inbound",
  priority,
  destinationPorts: `${priority}`,
  sourcePorts: "*",
  source: "10.0.0.0/8",
  destination: "*",
});

const nodeOf = (frame: Frame, { name, gateway, group, endpoint, service }: NodeSubnet): JsonObject => ({
  name,
  role: "node",
  cidrBlocks: rangesOf(name, frame),
  ...(gateway !== undefined && !frame.isDual && { natGateway: { name: gateway } }),
  ...(group !== undefined && { securityGroup: { name: group } }),
  ...(service && { serviceEndpoints: [{ service: "Microsoft.Storage", locations: ["*"] }] }),
  ...(endpoint && {
    privateEndpoints: [
      { name: `pe-${name}`, privateLinkServiceConnections: [{ privateLinkServiceID: target, groupIDs: ["blob"] }] },
    ],
  }),
});

const controlPlane = (frame: Frame, { rules }: Details): JsonObject => ({
  name: "cp",
  role: "control-plane",
  cidrBlocks: rangesOf("cp", frame),
  ...(rules.length > 0 && { securityGroup: { name: "cp-nsg", securityRules: rules.map(rule) } }),
});

const balancersOf = (frame: Frame, { idle, ports, outbound, controlPlaneOutbound }: Details): JsonObject => ({
  ...(!frame.isExternal && {
    apiServerLB: { type: frame.isPrivate ? "Internal" : "Public", idleTimeoutInMinutes: idle },
  }),
  ...(!frame.isExternal &&
    ports.length > 0 && { additionalAPIServerLBPorts: ports.map((port) => ({ name: `p${port}`, port })) }),
  ...(outbound !== undefined && { nodeOutboundLB: { frontendIPsCount: outbound, idleTimeoutInMinutes: idle } }),
  ...(frame.isPrivate &&
    !frame.isExternal &&
    controlPlaneOutbound !== undefined && { controlPlaneOutboundLB: { frontendIPsCount: controlPlaneOutbound } }),
});

const zoneOf = ({ isPrivate, isExternal, zone }: Frame): JsonObject => {
  if (!isPrivate || isExternal || zone === "ours") return {};
  if (zone === "None") return { privateDNSZone: "None" };
  return {
    privateDNSZoneName: "corp.internal",
    ...(zone === "elsewhere" && { privateDNSZoneResourceGroup: "dns-rg" }),
  };
};

const networkOf = (frame: Frame, one: Details): JsonObject => ({
  vnet: {
    name: "c1-vnet",
    ...(frame.ownNetworkGroup && { resourceGroup: "net-rg" }),
    cidrBlocks: ["10.0.0.0/8", ...(frame.isDual ? ["2001:1234:5678:9a00::/56"] : [])],
    peerings: one.peers.map((remoteVnetName) => ({ remoteVnetName, resourceGroup: "hub-rg" })),
  },
  subnets: [...(frame.isExternal ? [] : [controlPlane(frame, one)]), ...one.nodes.map((node) => nodeOf(frame, node))],
  ...balancersOf(frame, one),
  ...zoneOf(frame),
});

/** What the spec of an AzureCluster says beside subscription, identity and location. */
export const specOf = (frame: Frame, one: Details): JsonObject => ({
  resourceGroup: "c1",
  additionalTags: one.tags,
  ...(frame.isExternal && {
    controlPlaneEnabled: false,
    controlPlaneEndpoint: { host: "api.example.com", port: 6443 },
  }),
  ...(one.bastion !== "none" && {
    bastionSpec: { azureBastion: one.bastion === "basic" ? {} : { sku: "Standard", enableTunneling: true } },
  }),
  networkSpec: networkOf(frame, one),
});

const others: readonly JsonObject[] = [
  { id: `${subscription}/resourceGroups/hub-rg`, location: "eastus", tags: { team: "net" } },
  { id: `${subscription}/resourceGroups/dns-rg`, location: "eastus" },
  { id: target, location: "eastus", kind: "StorageV2", sku: { name: "Standard_LRS" }, properties: {} },
  ...["172.16.0.0/16", "172.17.0.0/16"].map((range, at) => ({
    id: `${subscription}/resourceGroups/hub-rg/providers/Microsoft.Network/virtualNetworks/hub${at === 0 ? "" : "2"}`,
    location: "eastus",
    tags: { team: "net" },
    properties: { addressSpace: { addressPrefixes: [range] } },
  })),
];

/** What others have that such a cluster may refer to. */
export const surroundingsOf = ({ groupStays }: Frame): readonly JsonObject[] => [
  ...others,
  ...(groupStays ? [{ id: `${subscription}/resourceGroups/c1`, location: "eastus", tags: { team: "x" } }] : []),
];
