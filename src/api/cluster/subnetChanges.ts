import type { Change } from "../cel/change.ts";
import { type ChangeRule, stays } from "../cel/changeRule.ts";
import { everyOf, given, someOf, valueOr } from "../cel/parts.ts";
import { hasDefaultRange, named } from "./clusterParts.ts";

/**
 * What of a subnet stays as it is: the new one, `s`, is compared with the old one of its name, `o`. Default names derive
 * from the name of the object, so these are rules of the whole object. Names of gateways also count the node subnets;
 * that number is not compared.
 */

const path = "spec.networkSpec.subnets";

const ofEach =
  (condition: string): Change =>
  (now, was) =>
    everyOf(path, "s", everyOf(path, "o", `o.name != s.name || (${condition})`)(was))(now);

const ours = (suffix: string): string => named(suffix)("self");
const byRole = (subnet: string, node: string, cluster: string, otherwise: string): string =>
  `(${subnet}.role == 'node' ? ${node} : (${subnet}.role == 'cluster' ? ${cluster} : ${otherwise}))`;
const ofMachines = (subnet: string): string => `${subnet}.role in ['node', 'cluster']`;

/** Whether the names of a part are one: both given, one given as the default of the other, or the default of one role. */
const sameName = (part: string, isDefault: (named: string, unnamed: string) => string): string => {
  const [now, before] = [given(`${part}.name`)("s"), given(`${part}.name`)("o")];
  return `(${now} ? (${before} ? s.${part}.name == o.${part}.name : ${isDefault("s", "o")}) : (${before} ? ${isDefault("o", "s")} : s.role == o.role))`;
};

const isDefaultGroup = (subnet: string, unnamed: string): string => {
  const name = `${subnet}.securityGroup.name`;
  const ofControlPlane = `${unnamed}.role == 'control-plane' && ${name} == ${ours("-controlplane-nsg")}`;
  return byRole(unnamed, `${name} == ${ours("-node-nsg")}`, `${name} == ${ours("-nsg")}`, ofControlPlane);
};

const table = given("routeTable.name");
const isDefaultTable = (subnet: string, unnamed: string): string => {
  const name = `${subnet}.routeTable.name`;
  return byRole(unnamed, `${name} == ${ours("-node-routetable")}`, `${name} == ${ours("-routetable")}`, "false");
};
/** A control-plane subnet without a table of its own has that of the machines, whose name upstream copied. */
const tableStays = `${ofMachines("o")} ? ${sameName("routeTable", isDefaultTable)} : (!${table("o")} || !${table("s")} || s.routeTable.name == o.routeTable.name)`;

const gateway = given("natGateway.name");
const isDefaultGateway = (subnet: string): string => {
  const name = `${subnet}.natGateway.name`;
  return byRole(subnet, `${name}.startsWith(${ours("-node-natgw")})`, `${name} == ${ours("-natgw")}`, "false");
};
/** A subnet for machines without a listed gateway has a default one, but for IPv6 ranges and where it was there before. */
const gatewayless = `(!(${ofMachines("o")}) || ${someOf("cidrBlocks", "c", "c.contains(':')")("o")} || ${given("id")("o")})`;
const gatewayStays = `${gateway("o")} ? (${gateway("s")} ? s.natGateway.name == o.natGateway.name : ${isDefaultGateway("o")}) : (!${gateway("s")} || ${gatewayless} || ${isDefaultGateway("s")})`;

const tags = "spec.networkSpec.vnet.tags";
/** An earlier provider tagged the networks that it made and showed that in the spec. */
const unlessOwned: Change = (_now, was) =>
  `!${someOf(tags, "tag", `tag.startsWith('sigs.k8s.io_cluster-api-provider-azure_cluster_') && ${was}.${tags}[tag] == 'owned'`)(was)}`;
const ranges = valueOr("cidrBlocks", "[]");
const rangesStay = `${ranges("s")} == ${ranges("o")} || ${ranges("s")}.size() == 0 && ${hasDefaultRange("o")}`;

/** Rules of the whole object about changes of its subnets. */
export const subnetChanges: readonly ChangeRule[] = [
  stays(
    path,
    ofEach(sameName("securityGroup", isDefaultGroup)),
    "must keep the securityGroup.name of each subnet, its default when absent",
  ),
  stays(
    path,
    ofEach(tableStays),
    "must keep the routeTable.name of each subnet once it has one, its default when absent",
  ),
  stays(
    path,
    ofEach(gatewayStays),
    "must keep the natGateway.name of each subnet once it has one, its default when absent",
  ),
  // In a network of ours Azure itself refuses to change a range in use; in one of the user's own the spec only follows it.
  stays(
    path,
    ofEach(rangesStay),
    "must keep the cidrBlocks of each subnet in a virtual network that was made for this cluster",
    unlessOwned,
  ),
];
