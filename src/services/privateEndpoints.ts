import type { Marked } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { PrivateEndpointBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope, PrivateEndpoint, PrivateLinkConnection } from "./scope.ts";
import { ownedTags } from "./tags.ts";

type Properties = NonNullable<PrivateEndpointBody["properties"]>;
type Connection = NonNullable<Properties["privateLinkServiceConnections"]>[number];

const connectionBody = ({ name, target, groupIds, requestMessage }: PrivateLinkConnection): Marked<Connection> => ({
  name: marked<string>(name),
  properties: {
    privateLinkServiceId: target,
    groupIds: groupIds.length === 0 ? undefined : groupIds,
    requestMessage,
  },
});

const propertiesOf = (scope: ClusterScope, endpoint: PrivateEndpoint): Marked<Properties> => {
  const connections = endpoint.connections.map(connectionBody);
  const { addresses, applicationSecurityGroups: groups } = endpoint;
  return {
    subnet: { id: ids.subnet(scope, endpoint.subnet) },
    ...(endpoint.manualApproval
      ? { manualPrivateLinkServiceConnections: connections }
      : { privateLinkServiceConnections: connections }),
    customNetworkInterfaceName: endpoint.customNetworkInterfaceName,
    ipConfigurations:
      addresses.length === 0 ? undefined : addresses.map((privateIPAddress) => ({ properties: { privateIPAddress } })),
    applicationSecurityGroups: groups.length === 0 ? undefined : groups.map((id) => ({ id })),
  };
};

/** Private endpoints of the subnets: ways to services of Azure through an address of the virtual network. */
export const privateEndpoints = defineService<ClusterScope, PrivateEndpointBody>({
  name: "privateEndpoints",
  label: "privateendpoints",
  type: "Microsoft.Network/privateEndpoints",
  condition: "PrivateEndpointsReady",
  after: ["resourceGroups", "subnets"],
  ownership: "tag",
  remove: "withGroup",
  trueWhenUnused: true,
  rules: {
    writes: "overlay",
    immutable: ["location", "properties.subnet.id", "properties.customNetworkInterfaceName"],
  },
  desired: (scope) =>
    scope.privateEndpoints.map((endpoint) => ({
      id: ids.privateEndpoint(scope, endpoint.name),
      body: {
        location: marked(endpoint.location),
        tags: ownedTags(scope, { name: endpoint.name }),
        properties: propertiesOf(scope, endpoint),
      },
    })),
});
