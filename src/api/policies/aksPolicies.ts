import { aksControlPlaneTemplateChanges } from "../aks/aksControlPlaneChanges.ts";
import { extensionChanges } from "../aks/aksExtensions.ts";
import { aksPoolTemplateChanges } from "../aks/aksPoolRules.ts";
import type { ChangeRule } from "../cel/changeRule.ts";
import { textAt, textOr } from "../cel/parts.ts";
import type { Policy, PolicyRule } from "../definition/policy.ts";
import { changePolicyRule, templateSpec } from "./changePolicyRule.ts";
import { notADryRunOfATopology } from "./templatePolicies.ts";

/** Rules of AKS kinds that need labels of the object, or the request. */

const label = "cluster.x-k8s.io/cluster-name";
const clusterOf = (object: string): string =>
  `has(${object}.metadata.labels) && '${label}' in ${object}.metadata.labels ? ${object}.metadata.labels['${label}'] : ''`;
const nodeGroup = (object: string, group: string): string =>
  textOr(
    "nodeResourceGroupName",
    `(${group} == '' ? '' : 'MC_' + ${group} + '_' + ${object}.metadata.name + '_' + ${object}.spec.location)`,
  )(`${object}.spec`);

/** A name that stays; before the label is there a default may not be known yet, and then nothing exists either. */
const nameStays = (field: string, now: string, was: string, byDefault: string): PolicyRule => ({
  field: `spec.${field}`,
  expression: `${was} == '' || ${now} == ${was}`,
  message: `must stay as it is, or be empty where it is ${byDefault}`,
  messageExpression: `'spec.${field}: must stay ' + ${was}`,
});

const memberName = (object: string, cluster: string): string => textOr("fleetsMember.name", cluster)(`${object}.spec`);

const planName = (object: string, extension: string): string =>
  textOr("plan.name", `${object}.metadata.name + '-' + ${textAt("plan.product")(extension)}`)(extension);

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
    { name: "was", expression: textOr("resourceGroupName", "variables.wasCluster")("oldObject.spec") },
    { name: "now", expression: textOr("resourceGroupName", "variables.nowCluster")("object.spec") },
    { name: "wasNodes", expression: nodeGroup("oldObject", "variables.was") },
    { name: "nowNodes", expression: nodeGroup("object", "variables.now") },
    {
      name: "wasNetwork",
      expression: textOr("virtualNetwork.resourceGroup", "variables.was")("oldObject.spec"),
    },
    { name: "nowNetwork", expression: textOr("virtualNetwork.resourceGroup", "variables.now")("object.spec") },
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
    { name: "group", expression: textOr("resourceGroupName", "variables.cluster")("object.spec") },
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

const [now, was] = [`object.${templateSpec}`, `oldObject.${templateSpec}`];
const templateRule = changePolicyRule(now, was);

/** Extensions of one name in both lists. */
const extensionRule = ({ field, holds, message }: ChangeRule): PolicyRule => ({
  field: `${templateSpec}.extensions`,
  expression: `!has(${was}.extensions) || !has(${now}.extensions) || ${was}.extensions.all(old, ${now}.extensions.all(it, it.name != old.name || (${holds("it", "old")})))`,
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
