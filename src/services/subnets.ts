import { ifThere, type Marked } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { SubnetBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope, Subnet } from "./scope.ts";

type Properties = NonNullable<SubnetBody["properties"]>;

/** One range goes into the singular field, several into the plural one: Azure takes either, never both. */
const addresses = ({
  cidrBlocks: { value, asked },
}: Subnet): Marked<Pick<Properties, "addressPrefix" | "addressPrefixes">> => {
  const [first, ...others] = value;
  if (first !== undefined && others.length === 0) return { addressPrefix: marked<string>({ value: first, asked }) };
  return { addressPrefixes: marked<readonly string[]>({ value, asked }) };
};

type Reference = "securityGroup" | "routeTable" | "natGateway";

/** In a network that was brought along nothing is made that is only implied, and so nothing is named that is not there. */
const reference = (subnet: Subnet, what: Reference, idOf: (name: string) => string) => {
  const name = subnet[what];
  if (name === undefined) return undefined;
  return subnet.implied.includes(what) ? ifThere<{ readonly id: string }>({ id: idOf(name) }) : { id: idOf(name) };
};

/**
 * Subnets of the virtual network, with their security group, route table and NAT gateway. What others add to them
 * (delegations, policies, service endpoints) stays.
 */
export const subnets = defineService<ClusterScope, SubnetBody>({
  name: "subnets",
  label: "subnets",
  type: "Microsoft.Network/virtualNetworks/subnets",
  condition: "SubnetsReady",
  after: ["virtualNetworks", "securityGroups", "routeTables", "natGateways"],
  ownership: "parent",
  serialize: "parent",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    oneOf: [["properties.addressPrefix", "properties.addressPrefixes", "properties.ipamPoolPrefixAllocations"]],
    keys: { "properties.serviceEndpoints": "service" },
    sets: ["properties.addressPrefixes", "properties.serviceEndpoints[].locations"],
    compare: {
      "properties.addressPrefix": "address",
      "properties.addressPrefixes": "address",
      "properties.serviceEndpoints[].locations": "location",
    },
    absentMeans: { "properties.sharingScope": "Tenant" },
    tells: ["properties"],
  },
  desired: (scope) =>
    scope.subnets.map((subnet) => ({
      id: ids.subnet(scope, subnet.name),
      body: {
        properties: {
          ...addresses(subnet),
          networkSecurityGroup: reference(subnet, "securityGroup", (name) => ids.securityGroup(scope, name)),
          routeTable: reference(subnet, "routeTable", (name) => ids.routeTable(scope, name)),
          natGateway: reference(subnet, "natGateway", (name) => ids.natGateway(scope, name)),
          serviceEndpoints: subnet.serviceEndpoints.length === 0 ? undefined : subnet.serviceEndpoints,
        },
      },
    })),
});
