import type { Policy } from "../definition/policy.ts";
import { clusterTemplateMeans } from "./clusterTemplateMeans.ts";

/**
 * Templates that must not change (https://cluster-api.sigs.k8s.io/developer/providers/contracts/infra-machine#infra-machinetemplate-support-for-ssa-dry-run):
 * the topology controller tries a change in a dry run with this annotation to find out whether it must make a new one.
 */
export const notADryRunOfATopology = {
  name: "not-a-dry-run-of-a-topology",
  expression:
    "!(request.?dryRun.orValue(false) && has(object.metadata.annotations) && 'topology.cluster.x-k8s.io/dry-run' in object.metadata.annotations)",
};

export const templatePolicies: readonly Policy[] = [
  {
    name: "templates-stay",
    kinds: ["AzureClusterTemplate"],
    operations: ["UPDATE"],
    when: [notADryRunOfATopology],
    variables: [
      { name: "now", expression: "object.spec.template.spec" },
      { name: "before", expression: "oldObject.spec.template.spec" },
    ],
    rules: [
      {
        field: "spec.template.spec",
        expression: `variables.now == variables.before || ${clusterTemplateMeans("variables.now", "variables.before")}`,
        message: "must stay as it is: make a new template under another name and refer to that one",
      },
    ],
  },
];
