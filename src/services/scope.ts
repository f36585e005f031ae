import type { CloudName } from "../core/identity.ts";
import type { Tags } from "../core/types.ts";

/** A value together with who chose it: the user's spec, or we. */
export interface Choice<T> {
  readonly value: T;
  readonly asked: boolean;
}

/** A place at the edge of a region (`type` is always `EdgeZone`). */
export interface ExtendedLocation {
  readonly name: string;
  readonly type: "EdgeZone";
}

export interface IpTag {
  readonly type: string;
  readonly tag: string;
}

/** One public IP address, IPv4 and Standard. */
export interface PublicIp {
  readonly name: string;
  /** Full DNS name, when the address has one. */
  readonly dnsName?: Choice<string>;
  /** The endpoint of the cluster has another name: this one is for the creation of the address only. */
  readonly isFoundElsewhere?: true;
  readonly ipTags: readonly IpTag[];
  /** Absent: not zonal. */
  readonly zones?: Choice<readonly string[]>;
  readonly extendedLocation?: ExtendedLocation;
  /** Of what is only implied: not made beside a virtual network that was brought along. */
  readonly implied?: true;
}

/** One rule of a security group; a rule that we add ourselves is not `asked`. */
export interface SecurityRule {
  readonly name: string;
  readonly description: string;
  readonly protocol: "Tcp" | "Udp" | "Icmp" | "*";
  readonly direction: "Inbound" | "Outbound";
  readonly access: "Allow" | "Deny";
  readonly priority: number;
  readonly sourcePorts?: string;
  readonly destinationPorts?: string;
  readonly source?: string;
  readonly sources?: readonly string[];
  readonly destination?: string;
  readonly asked: boolean;
}

/** One network security group with the rules of all subnets that share it. */
export interface SecurityGroup {
  readonly name: string;
  readonly rules: readonly SecurityRule[];
}

/** One NAT gateway; several subnets may share it. */
export interface NatGateway {
  readonly name: string;
  readonly publicIp: PublicIp;
  readonly zones?: readonly string[];
  /** The spec does not ask for it by a name of its own: not made beside a virtual network that was brought along. */
  readonly implied?: true;
}

export interface ServiceEndpoint {
  readonly service: string;
  readonly locations: readonly string[];
}

export interface Subnet {
  readonly name: string;
  readonly role: "node" | "control-plane" | "bastion" | "cluster";
  readonly cidrBlocks: Choice<readonly string[]>;
  readonly securityGroup?: string;
  readonly routeTable?: string;
  readonly natGateway?: string;
  /** Which of these three the spec does not ask for by a name of its own. */
  readonly implied: readonly ("securityGroup" | "routeTable" | "natGateway")[];
  readonly serviceEndpoints: readonly ServiceEndpoint[];
}

/** One direction of a peering. Absent flags are Azure's to choose. */
export interface PeeringSide {
  readonly name: string;
  readonly allowForwardedTraffic?: boolean;
  readonly allowGatewayTransit?: boolean;
  readonly allowVirtualNetworkAccess?: boolean;
  readonly useRemoteGateways?: boolean;
}

/** The name of a virtual network and its group. */
export interface VnetPlace {
  readonly name: string;
  readonly resourceGroup: string;
}

/** A peering of the cluster's virtual network with a remote one; `reverse` lives in the remote one. */
export interface Peering {
  readonly remote: VnetPlace;
  readonly forward: PeeringSide;
  readonly reverse: PeeringSide;
}

/** The private zone in which the API server has its name. */
export interface PrivateDns {
  readonly zone: string;
  readonly resourceGroup: string;
  /** Virtual networks in which the name can be looked up. */
  readonly links: readonly { readonly name: string; readonly vnet: VnetPlace }[];
  readonly record: { readonly name: string; readonly version: 4 | 6; readonly address: Choice<string> };
}

export interface BastionHost {
  readonly name: string;
  readonly subnet: string;
  readonly publicIp: string;
  readonly sku: Choice<"Basic" | "Standard">;
  readonly enableTunneling: Choice<boolean>;
}

/** What a private endpoint leads to. */
export interface PrivateLinkConnection {
  readonly name: Choice<string>;
  readonly target: string;
  readonly groupIds: readonly string[];
  readonly requestMessage?: string;
}

export interface PrivateEndpoint {
  readonly name: string;
  readonly subnet: string;
  readonly location: Choice<string>;
  readonly connections: readonly PrivateLinkConnection[];
  /** Whether the owner of the target has to approve. */
  readonly manualApproval: boolean;
  readonly customNetworkInterfaceName?: string;
  readonly addresses: readonly string[];
  readonly applicationSecurityGroups: readonly string[];
}

export type Frontend =
  | { readonly kind: "public"; readonly name: string; readonly publicIp: PublicIp }
  | { readonly kind: "private"; readonly name: string; readonly address: Choice<string>; readonly subnet: string };

/** One port that the API server's load balancer forwards. */
export interface ForwardedPort {
  readonly name: string;
  readonly frontendPort: Choice<number>;
  readonly backendPort: Choice<number>;
}

export interface LoadBalancer {
  readonly name: string;
  /** Value of the role tag. */
  readonly role: "apiserver" | "apiserver-internal" | "nodeOutbound" | "controlPlaneOutbound";
  readonly frontends: readonly Frontend[];
  /** Zones of private frontends; public ones get theirs from their address. */
  readonly zones?: readonly string[];
  readonly backendPool: string;
  readonly idleTimeoutInMinutes: Choice<number>;
  readonly ports: readonly ForwardedPort[];
  /** Port of the API server behind it; probed. Absent: outbound traffic only. */
  readonly probedPort?: Choice<number>;
}

/** Frozen snapshot of one AzureCluster, its Cluster and the facts that its services need. */
export interface ClusterScope {
  /** Name of the Cluster: owner tag, DNS names. */
  readonly clusterName: string;
  readonly cloud: CloudName;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly extendedLocation?: ExtendedLocation;
  readonly additionalTags: Tags;
  readonly vnet: {
    readonly name: string;
    readonly resourceGroup: string;
    readonly cidrBlocks: Choice<readonly string[]>;
  };
  readonly subnets: readonly Subnet[];
  readonly securityGroups: readonly SecurityGroup[];
  readonly routeTables: readonly string[];
  readonly natGateways: readonly NatGateway[];
  readonly publicIps: readonly PublicIp[];
  readonly peerings: readonly Peering[];
  readonly loadBalancers: readonly LoadBalancer[];
  /** Absent: the API server is not private, or the zone is somebody else's. */
  readonly privateDns?: PrivateDns;
  readonly privateEndpoints: readonly PrivateEndpoint[];
  readonly bastion?: BastionHost;
  /** Where the API server is reached; absent when somebody else provides it and has not said where. */
  readonly controlPlaneEndpoint?: { readonly host: string; readonly port: number };
  /** The host of the endpoint is in a zone that neither we nor Azure make: somebody has to. */
  readonly hostIsForOthers?: true;
  /** Zones by name, and whether control-plane machines may live there. Absent: not looked up. */
  readonly failureDomains?: Readonly<Record<string, boolean>>;
}
