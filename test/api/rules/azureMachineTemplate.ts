import type { RuleCases } from "../../support/admission/ruleCase.ts";
import { machineDiskCases } from "./azureMachine.ts";
import { assignmentNameCases, casesAt, computeCases, identityCases, uuid } from "./machineSpecCases.ts";
import { staysCases } from "./machineStaysCases.ts";

const stays = "must stay as it is: make a new template under another name and refer to that one";
const noName = "must be absent in a template: each machine has an assignment of its own";
const [key, other] = ["c3NoLXJzYSBBQUFBQjNOemFDMXljMkU=", "c3NoLXJzYSBBQUFBQjNOemFDMXljMkY="];
const mutable = new Set(["vmSize", "failureDomain", "additionalTags", "dnsServers"]);
const place = "spec.template.spec";

/** Of a template nothing may change at all, not even what may of a machine. */
const machineChanges = staysCases(stays, (patch) =>
  Object.fromEntries(Object.entries(patch).filter(([field]) => !mutable.has(field))),
).filter(({ from }) => from === undefined || !JSON.stringify(from).includes(uuid));

export const azureMachineTemplateCases: RuleCases = {
  kind: "AzureMachineTemplate",
  base: {
    metadata: { name: "template" },
    spec: { template: { spec: { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } } } },
  },
  cases: [
    ...casesAt(place, [
      ...computeCases,
      // A class may leave it to a variable.
      { rule: "must be of type string", field: "vmSize", accepts: { vmSize: null }, refuses: { vmSize: 2 } },
      ...machineDiskCases,
      ...identityCases,
      {
        rule: noName,
        field: "systemAssignedIdentityRole.name",
        accepts: { identity: "SystemAssigned", systemAssignedIdentityRole: { scope: "/subscriptions/s/", name: "" } },
        refuses: { identity: "SystemAssigned", systemAssignedIdentityRole: { name: uuid } },
      },
      {
        rule: noName,
        field: "roleAssignmentName",
        accepts: { identity: "SystemAssigned" },
        refuses: { identity: "SystemAssigned", roleAssignmentName: uuid },
      },
      // No name at all may be given: what it would be held to is refused as well.
      ...assignmentNameCases.map((example) => ({ ...example, accepts: { identity: "SystemAssigned" } })),
      ...machineChanges,
      {
        rule: stays,
        field: "systemAssignedIdentityRole",
        from: { identity: "SystemAssigned" },
        accepts: { systemAssignedIdentityRole: { scope: "/subscriptions/s/" } },
        refuses: { systemAssignedIdentityRole: { scope: "/subscriptions/s/resourceGroups/rg" } },
      },
      // Given by an earlier provider, taken away by the manifest, and again.
      {
        rule: stays,
        field: "sshPublicKey",
        from: { sshPublicKey: key },
        accepts: { sshPublicKey: "" },
        refuses: { sshPublicKey: other },
      },
      {
        rule: stays,
        field: "",
        from: { sshPublicKey: "" },
        accepts: { sshPublicKey: key, additionalTags: {}, dnsServers: [], failureDomain: "" },
        refuses: { vmSize: "Standard_D4s_v3" },
      },
      { rule: stays, field: "", from: {}, accepts: {}, refuses: { additionalTags: { a: "b" } } },
      { rule: stays, field: "", from: { dnsServers: ["10.0.0.10"] }, accepts: {}, refuses: { dnsServers: null } },
    ]),
    {
      rule: stays,
      field: place,
      from: {},
      accepts: { metadata: { labels: { a: "b" } }, spec: { template: { metadata: { labels: { a: "b" } } } } },
      refuses: { spec: { template: { spec: { failureDomain: "2" } } } },
    },
  ],
};
