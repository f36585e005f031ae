import type { Problem } from "../../core/kind.ts";
import type { ClusterScope } from "../../services/scope.ts";
import { invalid } from "../problem.ts";

/** Every name that becomes part of a resource id. */
const namesIn = (scope: ClusterScope): readonly string[] => [
  scope.resourceGroup,
  scope.vnet.resourceGroup,
  scope.vnet.name,
  ...scope.subnets.flatMap(({ name, securityGroup, routeTable, natGateway }) =>
    [name, securityGroup, routeTable, natGateway].filter((it) => it !== undefined),
  ),
  ...scope.natGateways.map(({ publicIp }) => publicIp.name),
  ...scope.publicIps.map(({ name }) => name),
  ...scope.loadBalancers.flatMap(({ name, backendPool, frontends }) => [
    name,
    backendPool,
    ...frontends.flatMap((it) => [it.name, it.kind === "private" ? it.subnet : it.publicIp.name]),
  ]),
  ...scope.peerings.flatMap(({ remote, forward, reverse }) => [
    remote.name,
    remote.resourceGroup,
    forward.name,
    reverse.name,
  ]),
  ...(scope.privateDns === undefined
    ? []
    : [
        scope.privateDns.zone,
        scope.privateDns.resourceGroup,
        ...scope.privateDns.links.flatMap(({ name, vnet }) => [name, vnet.name, vnet.resourceGroup]),
      ]),
  ...scope.privateEndpoints.flatMap(({ name, subnet }) => [name, subnet]),
  ...(scope.bastion === undefined ? [] : [scope.bastion.name, scope.bastion.subnet, scope.bastion.publicIp]),
];

/**
 * Names of which no resource id can be made; the definition refuses them too. It is all that is asked of a spec whose object
 * is being deleted: nothing can ever have been created under such a name, and what was is found in the ledger and by tag.
 */
export const checkIds = (scope: ClusterScope): readonly Problem[] =>
  [...new Set(namesIn(scope))]
    .filter((name) => name === "" || /[/?#]/.test(name))
    .map((name) => invalid("spec", name, "cannot be the name of a resource"));
