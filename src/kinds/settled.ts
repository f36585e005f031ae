import type {
  BastionHost,
  Choice,
  ExtendedLocation,
  LoadBalancer,
  NatGateway,
  Peering,
  PrivateDns,
  PrivateEndpoint,
  PublicIp,
  SecurityRule,
  ServiceEndpoint,
  Subnet,
} from "../services/scope.ts";

/** A subnet with its defaults, before subnets are gathered into groups, tables and gateways. */
export interface SettledSubnet {
  /** Where it stands in the spec, for messages. */
  readonly path: string;
  readonly name: string;
  readonly role: Subnet["role"];
  readonly cidrBlocks: Choice<readonly string[]>;
  readonly securityGroup?: string;
  readonly rules: readonly SecurityRule[];
  readonly routeTable?: string;
  /** Attached to the subnet; made by us only when `ownNatGateway` is there too. */
  readonly natGateway?: string;
  readonly ownNatGateway?: NatGateway;
  readonly implied: Subnet["implied"];
  readonly serviceEndpoints: readonly ServiceEndpoint[];
  readonly privateEndpoints: readonly PrivateEndpoint[];
}

/** The network of a cluster with every name, range and load balancer settled. */
export interface SettledNetwork {
  readonly vnet: {
    readonly name: string;
    readonly resourceGroup: string;
    readonly cidrBlocks: Choice<readonly string[]>;
  };
  readonly subnets: readonly SettledSubnet[];
  readonly loadBalancers: readonly LoadBalancer[];
  readonly peerings: readonly Peering[];
  readonly privateDns?: PrivateDns;
  readonly bastion?: BastionHost;
  readonly bastionPublicIp?: PublicIp;
}

/** What defaults depend on beside the network itself. */
export interface ClusterFacts {
  /** Name of the AzureCluster: most names derive from it. */
  readonly name: string;
  /** Name of the Cluster: DNS names derive from it. */
  readonly clusterName: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly dnsSuffix: string;
  readonly extendedLocation?: ExtendedLocation;
  readonly controlPlaneEnabled: boolean;
  /** All zones of the region; absent when there are none or they are not known. */
  readonly zones?: readonly string[];
  /** Port on which API servers listen. */
  readonly apiServerPort: Choice<number>;
  /** Port of `spec.controlPlaneEndpoint`. */
  readonly endpointPort?: number;
}
