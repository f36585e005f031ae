import { everyOf, given, present, someOf, stays, valueOr } from "./effective.ts";
import type { Rule } from "./schema.ts";

/**
 * What of a subnet stays as it is: the new one, `s`, is compared with the old one of its name, `o`. Default names derive
 * from the name of the object, so these are rules of the whole object. Names of gateways also count the node subnets;
 * that number is not compared.
 */

const path = "spec.networkSpec.subnets";

const ofEach = (condition: string): string =>
  everyOf(path, "s", everyOf(path, "o", `o.name != s.name || (${condition})`)("oldSelf"))("self");

const named = (suffix: string): string => `self.metadata.name + '${suffix}'`;
const byRole = (subnet: string, node: string, cluster: string, otherwise: string): string =>
  `(${subnet}.role == 'node' ? ${node} : (${subnet}.role == 'cluster' ? ${cluster} : ${otherwise}))`;
const ofMachines = (subnet: string): string => `${subnet}.role in ['node', 'cluster']`;

/** Whether the names of a part are one: both given, one given as the default of the other, or none. */
const sameName = (part: string, isDefault: (named: string, unnamed: string) => string): string => {
  const [now, before] = [given(`${part}.name`)("s"), given(`${part}.name`)("o")];
  return `(${now} ? (${before} ? s.${part}.name == o.${part}.name : ${isDefault("s", "o")}) : !${before} || ${isDefault("o", "s")})`;
};

const isDefaultGroup = (subnet: string, unnamed: string): string => {
  const name = `${subnet}.securityGroup.name`;
  const ofControlPlane = `${unnamed}.role == 'control-plane' && ${name} == ${named("-controlplane-nsg")}`;
  return byRole(unnamed, `${name} == ${named("-node-nsg")}`, `${name} == ${named("-nsg")}`, ofControlPlane);
};

const table = given("routeTable.name");
const isDefaultTable = (subnet: string, unnamed: string): string => {
  const name = `${subnet}.routeTable.name`;
  return byRole(unnamed, `${name} == ${named("-node-routetable")}`, `${name} == ${named("-routetable")}`, "false");
};
/** A control-plane subnet without a table of its own has that of the machines, whose name upstream copied. */
const tableStays = `${ofMachines("o")} ? ${sameName("routeTable", isDefaultTable)} : (!${table("o")} || !${table("s")} || s.routeTable.name == o.routeTable.name)`;

const gateway = given("natGateway.name");
const isDefaultGateway = (subnet: string): string => {
  const name = `${subnet}.natGateway.name`;
  return byRole(subnet, `${name}.startsWith(${named("-node-natgw")})`, `${name} == ${named("-natgw")}`, "false");
};
/** A subnet for machines without a listed gateway has a default one, but for IPv6 ranges and where it was there before. */
const gatewayless = `(!(${ofMachines("o")}) || ${someOf("cidrBlocks", "c", "c.contains(':')")("o")} || ${given("id")("o")})`;
const gatewayStays = `${gateway("o")} ? (${gateway("s")} ? s.natGateway.name == o.natGateway.name : ${isDefaultGateway("o")}) : (!${gateway("s")} || ${gatewayless} || ${isDefaultGateway("s")})`;

const tags = "spec.networkSpec.vnet.tags";
/** An earlier provider tagged the networks that it made and showed that in the spec. */
const isOwned = `(${present(tags)("oldSelf")} && oldSelf.${tags}.exists(tag, tag.startsWith('sigs.k8s.io_cluster-api-provider-azure_cluster_') && oldSelf.${tags}[tag] == 'owned'))`;
const isDefaultRange = everyOf(
  "cidrBlocks",
  "c",
  "o.role == 'node' ? c.startsWith('10.') && c.endsWith('.0.0/16') : c == '10.0.0.0/16'",
)("o");
const ranges = valueOr("cidrBlocks", "[]");
const rangesStay = `${ranges("s")} == ${ranges("o")} || ${ranges("s")}.size() == 0 && ${isDefaultRange}`;

/** Rules of the whole object about changes of its subnets. */
export const subnetChanges: readonly Rule[] = [
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
    `!${isOwned}`,
  ),
];
