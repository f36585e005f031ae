import { transition } from "../cel/changeRule.ts";
import { everyOf, present, textOr, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import type { Rule } from "../schema.ts";
import { azureClusterChanges } from "./azureClusterChanges.ts";
import { nameOf } from "./clusterParts.ts";
import { loadBalancerChanges } from "./loadBalancerChanges.ts";
import { samePeer } from "./peeringRules.ts";
import { subnetChanges } from "./subnetChanges.ts";

/** What an AzureCluster must be as a whole, in particular by its name, from which default names derive. */

const objectName = (description: string) => ({ type: "string", description, maxLength: 253 }) as const;

/**
 * No limit of ours: no name of an object is longer. It tells the API server what rules that read the name can cost, and
 * lets a rule give the name as the field at fault.
 */
export const boundedMetadata = {
  type: "object",
  properties: { name: objectName("Name of the object."), generateName: objectName("Beginning of a generated name.") },
} as const;

/** Names in Azure are made of it and are not cut, hence upstream's limit. A name never changes. */
const name = unlessUnchanged([nameOf], {
  rule: "self.metadata.name.matches('^[a-z0-9][a-z0-9-]{0,42}[a-z0-9]$')",
  message: "must have 2 to 44 lower-case letters, digits and hyphens, beginning and ending with a letter or digit",
  fieldPath: ".metadata.name",
});

/** The contract does not require a spec, but nothing can be made without one. */
export const specGiven = unlessUnchanged([present("spec")], {
  rule: "has(self.spec)",
  message: "must be given",
  fieldPath: ".spec",
});

const peerings = "spec.networkSpec.vnet.peerings";
const group = textOr("spec.resourceGroup", nameOf);

const peersDiffer = unlessUnchanged([valueOr(peerings, "[]"), group], {
  rule: `[${group("self")}.lowerAscii()].all(group, ${everyOf(peerings, "p", `self.${peerings}.exists_one(q, ${samePeer("group")})`)("self")})`,
  message: "must name each remote network once; the resource group is that of the cluster when absent",
  fieldPath: `.${peerings}`,
});

/** Rules of the whole object. */
export const azureClusterRules: readonly Rule[] = [
  ...name,
  ...specGiven,
  ...peersDiffer,
  ...[...azureClusterChanges, ...loadBalancerChanges, ...subnetChanges].map(transition),
];
