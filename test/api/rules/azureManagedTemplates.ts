import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase, RuleCases } from "../../support/admission/ruleCase.ts";
import { azureManagedControlPlaneCases } from "./azureManagedControlPlane.ts";
import { azureManagedMachinePoolCases } from "./azureManagedMachinePool.ts";

/** The examples of a kind as those of its template: fields are two levels further down. */
const inTemplate = (patch: JsonObject): JsonObject =>
  patch["spec"] === undefined ? patch : { ...patch, spec: { template: { spec: patch["spec"] } } };

const templated = (example: RuleCase): RuleCase => ({
  ...example,
  field: example.field.replace(/^spec/, "spec.template.spec"),
  ...(example.from !== undefined && { from: inTemplate(example.from) }),
  accepts: inTemplate(example.accepts),
  refuses: inTemplate(example.refuses),
});

const startsWith =
  (...prefixes: readonly string[]) =>
  ({ field }: RuleCase): boolean =>
    prefixes.some((prefix) => field === `spec.${prefix}` || field.startsWith(`spec.${prefix}.`));

/** What every control plane has for itself, and no template can give. */
const own = startsWith("dnsPrefix", "sshPublicKey", "nodeResourceGroupName", "fleetsMember.name");
/** What a template may change although a control plane may not. */
const mutable = startsWith(
  "azureEnvironment",
  "httpProxyConfig",
  "disableLocalAccounts",
  "addonProfiles",
  "networkPluginMode",
  "autoUpgradeProfile",
  "oidcIssuerProfile",
  "resourceGroupName",
  "virtualNetwork.name",
  "virtualNetwork.resourceGroup",
);
const needsName = startsWith("virtualNetwork.subnet.name");

const isState = ({ from }: RuleCase): boolean => from === undefined;
/** A template has no status. */
const needsStatus = ({ from }: RuleCase): boolean => from?.["status"] !== undefined;

const controlPlaneCases: readonly RuleCase[] = azureManagedControlPlaneCases.cases
  .filter((example) => example.field !== "metadata.name" && !own(example) && !needsStatus(example))
  .filter((example) => isState(example) || !(mutable(example) || needsName(example)))
  .filter(({ rule }) => !rule.startsWith("must keep plan.name"))
  .map((example) => {
    const { field, from, rule } = example;
    // A policy names the list, not the item.
    const inList = from !== undefined && /^spec\.extensions\[0\]\.(\w+)$/.exec(field);
    return templated(inList ? { ...example, field: "spec.extensions", rule: `${inList[1]} ${rule}` } : example);
  });

export const azureManagedControlPlaneTemplateCases: RuleCases = {
  kind: "AzureManagedControlPlaneTemplate",
  base: inTemplate(azureManagedControlPlaneCases.base),
  cases: [
    ...controlPlaneCases,
    {
      // Clusters of the class would get another default.
      rule: "must stay as it is, absent included",
      field: "spec.template.spec.virtualNetwork.subnet.name",
      from: inTemplate({ spec: { virtualNetwork: { subnet: { name: "aks" } } } }),
      accepts: inTemplate({ spec: { virtualNetwork: { name: "other" } } }),
      refuses: inTemplate({ spec: { virtualNetwork: { subnet: { name: "" } } } }),
    },
  ],
};

const poolOwn = startsWith("name");
const poolMutable = startsWith("enableEncryptionAtHost");

export const azureManagedMachinePoolTemplateCases: RuleCases = {
  kind: "AzureManagedMachinePoolTemplate",
  base: inTemplate(azureManagedMachinePoolCases.base),
  cases: [
    ...azureManagedMachinePoolCases.cases
      .filter((example) => !(poolMutable(example) && !isState(example)))
      .filter((example) => !poolOwn(example) || (isState(example) && example.rule.startsWith("must be of up to")))
      .map(templated),
    {
      rule: "must stay as it is, absent included: pools of the class have it",
      field: "spec.template.spec.name",
      from: inTemplate({ spec: { name: "pool1" } }),
      accepts: inTemplate({ spec: { mode: "User" } }),
      refuses: inTemplate({ spec: { name: "pool2" } }),
    },
  ],
};
