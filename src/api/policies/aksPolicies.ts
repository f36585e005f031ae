import { type ChangeRule, givenOr } from "../aksChange.ts";
import { aksControlPlaneTemplateChanges } from "../aksControlPlaneChanges.ts";
import { extensionChanges } from "../aksExtensions.ts";
import { aksPoolTemplateChanges } from "../aksPoolRules.ts";
import type { Policy, PolicyRule } from "../policy.ts";
import { notADryRunOfATopology } from "./templatePolicies.ts";

/** Rules of AKS kinds that need labels of the object, or the request. */

const label = "cluster.x-k8s.io/cluster-name";
const clusterOf = (object: string): string =>
  `has(${object}.metadata.labels) && '${label}' in ${object}.metadata.labels ? ${object}.metadata.labels['${label}'] : ''`;
const nodeGroup = (object: string, group: string): string =>
  givenOr(
    `${object}.spec`,
    "nodeResourceGroupName",
    `(${group} == '' ? '' : 'MC_' + ${group} + '_' + ${object}.metadata.name + '_' + ${object}.spec.location)`,
  );

/** A name that stays; before the label is there a default may not be known yet, and then nothing exists either. */
const nameStays = (field: string, now: string, was: string, byDefault: string): PolicyRule => ({
  field: `spec.${field}`,
  expression: `${was} == '' || ${now} == ${was}`,
  message: `must stay as it is, or be empty where it is ${byDefault}`,
  messageExpression: `'spec.${field}: must stay ' + ${was}`,
});

const memberName = (object: string, cluster: string): string => givenOr(`${object}.spec`, "fleetsMember.name", cluster);

const planName = (object: string, extension: string): string =>
  givenOr(extension, "plan.name", `${object}.metadata.name + '-' + ${givenOr(extension, "plan.product", "''")}`);

/** An earlier provider wrote the Cluster's name into the spec; a manifest without it means the same. */
const namesStay: Policy = {
  name: "aks-names-stay",
  kinds: ["AzureManagedControlPlane"],
  operations: ["UPDATE"],
  variables: [
    { name: "wasCluster", expression: clusterOf("oldObject") },
    // Who replaces an object without its labels does not move it to another Cluster.
    { name: "nowLabel", expression: clusterOf("object") },
    { name: "nowCluster", expression: "variables.nowLabel != '' ? variables.nowLabel : variables.wasCluster" },
    { name: "was", expression: givenOr("oldObject.spec", "resourceGroupName", "variables.wasCluster") },
    { name: "now", expression: givenOr("object.spec", "resourceGroupName", "variables.nowCluster") },
    { name: "wasNodes", expression: nodeGroup("oldObject", "variables.was") },
    { name: "nowNodes", expression: nodeGroup("object", "variables.now") },
    {
      name: "wasNetwork",
      expression: givenOr("oldObject.spec", "virtualNetwork.resourceGroup", "variables.was"),
    },
    { name: "nowNetwork", expression: givenOr("object.spec", "virtualNetwork.resourceGroup", "variables.now") },
    { name: "wasMember", expression: memberName("oldObject", "variables.wasCluster") },
    { name: "nowMember", expression: memberName("object", "variables.nowCluster") },
  ],
  rules: [
    nameStays("resourceGroupName", "variables.now", "variables.was", "the name of the Cluster"),
    nameStays(
      "nodeResourceGroupName",
      "variables.nowNodes",
      "variables.wasNodes",
      "MC_, resource group, name and location joined by underscores",
    ),
    nameStays("virtualNetwork.resourceGroup", "variables.nowNetwork", "variables.wasNetwork", "the resource group"),
    {
      field: "spec.fleetsMember.name",
      expression:
        "!has(object.spec.fleetsMember) || !has(oldObject.spec.fleetsMember) || variables.wasMember == '' || variables.nowMember == variables.wasMember",
      message:
        "must stay as it is, or be empty where it is the name of the Cluster: take the membership away first, then add it under another name",
    },
    {
      // Not a rule of the definition: the API server estimates the comparison of all pairs as too dear.
      field: "spec.extensions",
      expression: `!has(oldObject.spec.extensions) || !has(object.spec.extensions) || oldObject.spec.extensions.all(old, !has(old.plan) || object.spec.extensions.all(it, it.name != old.name || !has(it.plan) || ${planName("object", "it")} == ${planName("oldObject", "old")}))`,
      message: "must keep plan.name, or leave it empty where it is the object's name, a hyphen and the product",
    },
  ],
};

/** What Azure takes of names that are fixed with the object. */
const namesFit: Policy = {
  name: "aks-names-fit",
  kinds: ["AzureManagedControlPlane"],
  operations: ["CREATE"],
  variables: [
    { name: "cluster", expression: clusterOf("object") },
    { name: "group", expression: givenOr("object.spec", "resourceGroupName", "variables.cluster") },
    { name: "nodes", expression: nodeGroup("object", "variables.group") },
  ],
  rules: [
    {
      field: "metadata.name",
      expression: "!['microsoft', 'windows'].exists(word, object.metadata.name.lowerAscii().contains(word))",
      message: "must not contain microsoft or windows, which Azure keeps for itself",
    },
    {
      // https://learn.microsoft.com/azure/aks/faq: 80 characters, fewer than of other resource groups
      field: "spec.nodeResourceGroupName",
      expression: "size(variables.nodes) <= 80",
      message: "must be given where MC_, resource group, name and location together have more than 80 characters",
      messageExpression:
        "'spec.nodeResourceGroupName: must be given, because ' + variables.nodes + ' has more than 80 characters'",
    },
  ],
};

const path = "spec.template.spec";
const templateRule = ({ field, holds, message, messageExpression }: ChangeRule): PolicyRule => ({
  field: `${path}.${field}`,
  expression: holds(`object.${path}`, `oldObject.${path}`),
  message,
  ...(messageExpression !== undefined && {
    messageExpression: `'${path}.${field}: ' + ${messageExpression(`object.${path}`, `oldObject.${path}`)}`,
  }),
});

/** Extensions of one name in both lists. */
const extensionRule = ({ field, holds, message }: ChangeRule): PolicyRule => ({
  field: `${path}.extensions`,
  expression: `!has(oldObject.${path}.extensions) || !has(object.${path}.extensions) || oldObject.${path}.extensions.all(old, object.${path}.extensions.all(it, it.name != old.name || (${holds("it", "old")})))`,
  message: `${field} ${message}`,
});

export const aksPolicies: readonly Policy[] = [
  namesStay,
  namesFit,
  {
    name: "aks-control-plane-templates-stay",
    kinds: ["AzureManagedControlPlaneTemplate"],
    operations: ["UPDATE"],
    when: [notADryRunOfATopology],
    rules: [...aksControlPlaneTemplateChanges.map(templateRule), ...extensionChanges.map(extensionRule)],
  },
  {
    name: "aks-pool-templates-stay",
    kinds: ["AzureManagedMachinePoolTemplate"],
    operations: ["UPDATE"],
    when: [notADryRunOfATopology],
    rules: aksPoolTemplateChanges.map(templateRule),
  },
];
