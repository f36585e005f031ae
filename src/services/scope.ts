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
  readonly ipTags: readonly IpTag[];
  /** Absent: not zonal. */
  readonly zones?: Choice<readonly string[]>;
  readonly extendedLocation?: ExtendedLocation;
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
  readonly serviceEndpoints: readonly ServiceEndpoint[];
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
  readonly loadBalancers: readonly LoadBalancer[];
  /** Where the API server is reached; absent when somebody else provides it and has not said where. */
  readonly controlPlaneEndpoint?: { readonly host: string; readonly port: number };
  /** Zones by name, and whether control-plane machines may live there. Absent: not looked up. */
  readonly failureDomains?: Readonly<Record<string, boolean>>;
}
