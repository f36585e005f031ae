import type { SubnetSpec } from "../api/cluster/network.ts";
import type { PrivateEndpoint, PrivateLinkConnection } from "../services/scope.ts";
import { chosen } from "./asked.ts";
import { given } from "./given.ts";
import type { ClusterFacts } from "./settled.ts";

type EndpointSpec = NonNullable<SubnetSpec["privateEndpoints"]>[number];
type ConnectionSpec = NonNullable<EndpointSpec["privateLinkServiceConnections"]>[number];

/** Azure takes no connection without a name. */
const connection = (
  { name, privateLinkServiceID, groupIDs = [], requestMessage }: ConnectionSpec,
  fallback: string,
): PrivateLinkConnection => ({
  name: chosen(given(name) ?? fallback, name),
  target: privateLinkServiceID ?? "",
  groupIds: groupIDs,
  ...(given(requestMessage) !== undefined && { requestMessage: requestMessage ?? "" }),
});

const endpoint = (facts: ClusterFacts, subnet: string, spec: EndpointSpec): PrivateEndpoint => {
  const nic = given(spec.customNetworkInterfaceName);
  const connections = spec.privateLinkServiceConnections ?? [];
  return {
    name: spec.name,
    subnet,
    location: chosen(given(spec.location) ?? facts.location, spec.location),
    connections: connections.map((one, index) =>
      connection(one, connections.length === 1 ? spec.name : `${spec.name}-${index + 1}`),
    ),
    manualApproval: spec.manualApproval ?? false,
    ...(nic !== undefined && { customNetworkInterfaceName: nic }),
    addresses: spec.privateIPAddresses ?? [],
    applicationSecurityGroups: spec.applicationSecurityGroups ?? [],
  };
};

/** The private endpoints of one subnet. */
export const settlePrivateEndpoints = (
  facts: ClusterFacts,
  { name, privateEndpoints = [] }: Pick<SubnetSpec, "name" | "privateEndpoints">,
): readonly PrivateEndpoint[] => privateEndpoints.map((spec) => endpoint(facts, name, spec));
