const numbered = (name: string, index: number | undefined): string => (index === undefined ? name : `${name}-${index}`);

/**
 * Names of what a short spec implies (fact sheet 3.1). Existing clusters carry them. Nothing is cut: names that come out
 * too long are refused.
 */
export const names = Object.freeze({
  vnet: (cluster: string) => `${cluster}-vnet`,
  subnet: {
    controlPlane: (cluster: string) => `${cluster}-controlplane-subnet`,
    node: (cluster: string, index?: number) => numbered(`${cluster}-node-subnet`, index),
    cluster: (cluster: string) => `${cluster}-subnet`,
    bastion: "AzureBastionSubnet",
  },
  securityGroup: {
    controlPlane: (cluster: string) => `${cluster}-controlplane-nsg`,
    node: (cluster: string) => `${cluster}-node-nsg`,
    cluster: (cluster: string) => `${cluster}-nsg`,
  },
  routeTable: {
    node: (cluster: string) => `${cluster}-node-routetable`,
    cluster: (cluster: string) => `${cluster}-routetable`,
  },
  natGateway: {
    node: (cluster: string, index?: number) => numbered(`${cluster}-node-natgw`, index),
    cluster: (cluster: string) => `${cluster}-natgw`,
  },
  publicIp: {
    natGateway: (natGateway: string) => `pip-${natGateway}`,
    apiServer: (cluster: string) => `pip-${cluster}-apiserver`,
    nodeOutbound: (cluster: string, index?: number) => numbered(`pip-${cluster}-node-outbound`, index),
    controlPlaneOutbound: (cluster: string, index?: number) => numbered(`pip-${cluster}-controlplane-outbound`, index),
    bastion: (bastion: string) => `${bastion}-pip`,
  },
  loadBalancer: {
    publicApiServer: (cluster: string) => `${cluster}-public-lb`,
    internalApiServer: (cluster: string) => `${cluster}-internal-lb`,
    /** The second one of an API server that is reached from outside and inside. */
    besidePublic: (loadBalancer: string) => `${loadBalancer}-internal`,
    nodeOutbound: (cluster: string) => cluster,
    controlPlaneOutbound: (cluster: string) => `${cluster}-outbound-lb`,
  },
  frontend: (loadBalancer: string, index?: number) => numbered(`${loadBalancer}-frontEnd`, index),
  backendPool: {
    apiServer: (loadBalancer: string) => `${loadBalancer}-backendPool`,
    besidePublic: (pool: string) => `${pool}-internal`,
    nodeOutbound: (loadBalancer: string) => `${loadBalancer}-outboundBackendPool`,
    /** Not after the load balancer, whatever its name. */
    controlPlaneOutbound: (cluster: string) => `${cluster}-outbound-lb-outboundBackendPool`,
  },
  bastion: (cluster: string) => `${cluster}-azure-bastion`,
  peering: (from: string, to: string) => `${from}-To-${to}`,
  vnetLink: (vnet: string) => `${vnet}-link`,
  /** Name of a private API server in its zone. */
  privateApiServer: "apiserver",
  privateDnsZone: (cluster: string) => `${cluster}.capz.io`,
});
