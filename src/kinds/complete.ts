import type { AzureClusterSpec, NetworkSpec } from "../api/cluster/azureCluster.ts";
import type { LoadBalancerSpec } from "../api/cluster/loadBalancer.ts";
import type { SubnetSpec } from "../api/cluster/network.ts";

export type CompleteVnet = NonNullable<NetworkSpec["vnet"]> & {
  readonly resourceGroup: string;
  readonly cidrBlocks: readonly string[];
};

/** A subnet that says everything but what is not to be there. Only one for a bastion host may still lack ranges. */
export type CompleteSubnet = SubnetSpec & { readonly cidrBlocks: readonly string[] };

/** A load balancer that says everything. */
export type CompleteLoadBalancer = LoadBalancerSpec & {
  readonly name: string;
  readonly idleTimeoutInMinutes: number;
  readonly frontendIPs: NonNullable<LoadBalancerSpec["frontendIPs"]>;
  readonly backendPool: { readonly name: string };
};

/** A network that says everything: absent load balancers are not to be made. */
export type CompleteNetwork = Omit<
  NetworkSpec,
  "vnet" | "subnets" | "apiServerLB" | "nodeOutboundLB" | "controlPlaneOutboundLB"
> & {
  readonly vnet: CompleteVnet;
  readonly subnets: readonly CompleteSubnet[];
  readonly apiServerLB?: CompleteLoadBalancer;
  readonly nodeOutboundLB?: CompleteLoadBalancer;
  readonly controlPlaneOutboundLB?: CompleteLoadBalancer;
};

type Bastion = NonNullable<NonNullable<AzureClusterSpec["bastionSpec"]>["azureBastion"]>;
export type CompleteBastion = Omit<Bastion, "subnet"> & {
  readonly name: string;
  readonly subnet: CompleteSubnet;
  readonly publicIP: NonNullable<Bastion["publicIP"]>;
};

/** An AzureCluster that says everything. */
export type CompleteCluster = Omit<AzureClusterSpec, "networkSpec" | "bastionSpec"> & {
  readonly resourceGroup: string;
  readonly networkSpec: CompleteNetwork;
  readonly bastionSpec?: { readonly azureBastion?: CompleteBastion };
};
