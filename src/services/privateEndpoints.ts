import { byDefault, type Marked } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { PrivateEndpointBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import { privateLinkMember } from "./parts/privateLinkMembers.ts";
import type { ClusterScope, PrivateEndpoint, PrivateLinkConnection } from "./scope.ts";
import { ownedTags } from "./tags.ts";

type Properties = NonNullable<PrivateEndpointBody["properties"]>;
type Connection = NonNullable<Properties["privateLinkServiceConnections"]>[number];
type FixedAddress = NonNullable<Properties["ipConfigurations"]>[number];

const connectionBody = ({ name, target, groupIds, requestMessage }: PrivateLinkConnection): Marked<Connection> => ({
  name: marked<string>(name),
  properties: {
    privateLinkServiceId: target,
    groupIds: groupIds.length === 0 ? undefined : groupIds,
    requestMessage,
  },
});

/** The one sub-resource that an endpoint leads to; undefined when there is none, or one among several. */
const onlyGroup = ({ connections }: PrivateEndpoint): string | undefined => {
  const groups = connections.flatMap(({ groupIds }) => groupIds);
  return connections.length === 1 && groups.length === 1 ? groups[0] : undefined;
};

/**
 * Azure's own services give each of their members an address and refuse one that does not say for which it is; what people
 * offer through a private link service has no members, and the address stands alone.
 */
const fixedAddress = (endpoint: PrivateEndpoint, privateIPAddress: string, index: number): Marked<FixedAddress> => {
  const groupId = onlyGroup(endpoint);
  if (groupId === undefined) return { properties: { privateIPAddress } };
  const member = privateLinkMember(groupId, index, endpoint.location.value);
  return {
    name: byDefault<string>(`${endpoint.name}-${index + 1}`),
    properties: {
      groupId: byDefault<string>(groupId),
      memberName: member === undefined ? undefined : byDefault<string>(member),
      privateIPAddress,
    },
  };
};

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
      addresses.length === 0 ? undefined : addresses.map((address, index) => fixedAddress(endpoint, address, index)),
    applicationSecurityGroups: groups.length === 0 ? undefined : groups.map((id) => ({ id })),
  };
};

/**
 * Private endpoints of the subnets: ways to services of Azure through an address of the virtual network. Where an endpoint
 * leads to, how that is approved and its fixed addresses are settled when it is made; Azure refuses to change them
 * (https://learn.microsoft.com/azure/private-link/manage-private-endpoint). Whether a connection was approved is for the
 * owner of its target to say.
 */
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
    immutable: [
      "location",
      "properties.subnet.id",
      "properties.customNetworkInterfaceName",
      "properties.privateLinkServiceConnections",
      "properties.manualPrivateLinkServiceConnections",
      "properties.ipConfigurations",
    ],
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
