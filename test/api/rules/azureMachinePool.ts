import type { RuleCases } from "../../support/admission/ruleCase.ts";
import { assignmentNameCases, casesAt, computeCases, identityCases, type SpecCase, uuid } from "./machineSpecCases.ts";

const other = "7f1e5a6c-2b1d-4c57-9a55-0d1f7a0f2b34";

const instanceCases: readonly SpecCase[] = [
  {
    rule: "should be greater than or equal to 1",
    field: "dataDisks[0].diskSizeGB",
    accepts: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 1, managedDisk: { storageAccountType: "" } }] },
    refuses: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 0 }] },
  },
  {
    rule: "should be less than or equal to 65536",
    field: "dataDisks[0].diskSizeGB",
    accepts: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 65536 }] },
    refuses: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 65537 }] },
  },
  {
    rule: "must be Linux or Windows",
    field: "osDisk.osType",
    accepts: { osDisk: { osType: "" } },
    refuses: { osDisk: { osType: "windows" } },
  },
  {
    rule: "should be greater than or equal to 5",
    field: "terminateNotificationTimeout",
    accepts: { terminateNotificationTimeout: 5 },
    refuses: { terminateNotificationTimeout: 4 },
  },
  {
    rule: "should be less than or equal to 15",
    field: "terminateNotificationTimeout",
    accepts: { terminateNotificationTimeout: 15 },
    refuses: { terminateNotificationTimeout: 16 },
  },
  {
    rule: "must stay as it is: make a new pool for another one",
    field: "disableVMBootstrapExtension",
    from: { disableVMBootstrapExtension: true },
    accepts: { disableVMBootstrapExtension: null, vmSize: "Standard_D4s_v3" },
    refuses: { disableVMBootstrapExtension: false },
  },
];

const rolling = (maxSurge: number | string, maxUnavailable: number | string) => ({
  strategy: { rollingUpdate: { maxSurge, maxUnavailable } },
});

const poolCases: readonly SpecCase[] = [
  {
    rule: "must be above 0 where maxSurge is 0: otherwise no instance could ever be replaced",
    field: "strategy.rollingUpdate.maxUnavailable",
    accepts: rolling(0, 1),
    refuses: rolling(0, 0),
  },
  {
    rule: "must be above 0 where maxSurge is 0: otherwise no instance could ever be replaced",
    field: "strategy.rollingUpdate.maxUnavailable",
    accepts: rolling("0%", 0),
    refuses: rolling(0, 0),
  },
  {
    rule: "must be a count, such as 1, or a percentage, such as 25%",
    field: "strategy.rollingUpdate.maxSurge",
    accepts: rolling("100%", 0),
    refuses: rolling("5", 0),
  },
  {
    rule: "must be a count, such as 1, or a percentage, such as 25%",
    field: "strategy.rollingUpdate.maxUnavailable",
    accepts: rolling(1, "10%"),
    refuses: rolling(1, -1),
  },
  {
    rule: "must stay as it is: an assignment has one name for good",
    field: "systemAssignedIdentityRole.name",
    from: { identity: "SystemAssigned", roleAssignmentName: uuid },
    accepts: { roleAssignmentName: null, systemAssignedIdentityRole: { name: uuid } },
    refuses: { roleAssignmentName: null, systemAssignedIdentityRole: { name: other } },
  },
  {
    rule: "must stay as it is: an assignment has one name for good",
    field: "systemAssignedIdentityRole.name",
    from: { identity: "SystemAssigned", systemAssignedIdentityRole: { name: uuid } },
    accepts: { identity: "None", systemAssignedIdentityRole: null },
    refuses: { systemAssignedIdentityRole: null },
  },
];

export const azureMachinePoolCases: RuleCases = {
  kind: "AzureMachinePool",
  base: {
    metadata: { name: "pool" },
    spec: { location: "eastus", template: { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } } },
  },
  cases: [
    ...casesAt("spec.template", [...computeCases, ...instanceCases]),
    ...casesAt("spec", [...poolCases, ...identityCases, ...assignmentNameCases]),
  ],
};
