import { type ChangeRule, stays } from "../cel/changeRule.ts";
import { valueOr } from "../cel/parts.ts";
import type { Policy } from "../definition/policy.ts";
import { machineStays } from "../machine/machineStays.ts";
import { changePolicyRule } from "./changePolicyRule.ts";
import { notADryRunOfATopology } from "./templatePolicies.ts";

const message = "must stay as it is: make a new template under another name and refer to that one";

/** A template without a key was given one by an earlier provider, whose private half nobody has; it may go and come. */
const key = stays(
  "sshPublicKey",
  (now, was) => {
    const [is, had] = [now, was].map(valueOr("sshPublicKey", "''"));
    return `${is} == '' || ${had} == '' || ${is} == ${had}`;
  },
  message,
);
const changes = machineStays.map((rule): ChangeRule => (rule.field === key.field ? key : { ...rule, message }));

/** Fields that are compared by what they mean, some of them by way of a deprecated one. */
const compared = [...changes.map(({ field }) => field), "roleAssignmentName", "subnetName", "acceleratedNetworking"];
/** The rest: equal, where `false`, empty texts, lists and maps are as good as nothing. */
const restStays = (now: string, before: string): string =>
  `${now}.all(field, field in variables.compared || (field in ${before} ? ${now}[field] == ${before}[field] : ${now}[field] in variables.nothing))`;

/**
 * Templates of machines must not change (https://cluster-api.sigs.k8s.io/developer/providers/contracts/infra-machine#infra-machinetemplate-support-for-ssa-dry-run),
 * but may be applied again without the defaults that an earlier provider wrote into them.
 */
export const machineTemplatePolicy: Policy = {
  name: "machine-templates-stay",
  kinds: ["AzureMachineTemplate"],
  operations: ["UPDATE"],
  when: [notADryRunOfATopology],
  variables: [
    { name: "now", expression: "dyn(object.spec.template.spec)" },
    { name: "before", expression: "dyn(oldObject.spec.template.spec)" },
    { name: "compared", expression: `[${compared.map((field) => `'${field}'`).join(", ")}]` },
    { name: "nothing", expression: "[dyn(false), dyn(''), dyn([]), dyn({})]" },
  ],
  rules: [
    ...changes.map(changePolicyRule("variables.now", "variables.before")),
    {
      field: "spec.template.spec",
      expression: `${restStays("variables.now", "variables.before")} && ${restStays("variables.before", "variables.now")}`,
      message,
    },
  ],
};
