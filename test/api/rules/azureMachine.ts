import type { RuleCases } from "../../support/admission/ruleCase.ts";
import {
  assignmentNameCases,
  casesAt,
  computeCases,
  identityCases,
  idOf,
  lengthCase,
  longId,
  type SpecCase,
} from "./machineSpecCases.ts";
import { staysCases } from "./machineStaysCases.ts";

const stays = "must stay as it is: make a new machine for another one";
const key = "c3NoLXJzYSBBQUFBQjNOemFDMXljMkU=";

/** What machines and their templates are held to beside what pools are. */
export const machineDiskCases: readonly SpecCase[] = [
  {
    rule: "should be greater than or equal to 4",
    field: "dataDisks[0].diskSizeGB",
    accepts: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 4 }] },
    refuses: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 3 }] },
  },
  {
    rule: "should be less than or equal to 32767",
    field: "dataDisks[0].diskSizeGB",
    accepts: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 32767 }] },
    refuses: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 32768 }] },
  },
  {
    rule: "must be one of Premium_LRS, PremiumV2_LRS",
    field: "dataDisks[0].managedDisk.storageAccountType",
    accepts: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 4, managedDisk: { storageAccountType: "Standard_LRS" } }] },
    refuses: { dataDisks: [{ nameSuffix: "a", diskSizeGB: 4, managedDisk: { storageAccountType: "" } }] },
  },
  {
    rule: "must be Linux or Windows",
    field: "osDisk.osType",
    accepts: { osDisk: { osType: "Linux" } },
    refuses: { osDisk: { osType: "" } },
  },
  {
    rule: "must be like /subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/capacityReservationGroups/…",
    field: "capacityReservationGroupID",
    accepts: { capacityReservationGroupID: idOf("Microsoft.Compute/capacityReservationGroups") },
    refuses: { capacityReservationGroupID: "mine" },
  },
  {
    rule: "must be like /subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/virtualMachineScaleSets/…",
    field: "virtualMachineScaleSetID",
    accepts: { virtualMachineScaleSetID: `azure://${idOf("Microsoft.Compute/virtualMachineScaleSets")}` },
    refuses: { virtualMachineScaleSetID: idOf("Microsoft.Compute/virtualMachines") },
  },
  lengthCase(
    "capacityReservationGroupID",
    1024,
    longId("Microsoft.Compute/capacityReservationGroups"),
    (capacityReservationGroupID) => ({ capacityReservationGroupID }),
  ),
  lengthCase(
    "virtualMachineScaleSetID",
    1024,
    longId("Microsoft.Compute/virtualMachineScaleSets"),
    (virtualMachineScaleSetID) => ({ virtualMachineScaleSetID }),
  ),
  {
    rule: "must be empty where disableExtensionOperations is true",
    field: "vmExtensions",
    accepts: { disableExtensionOperations: true, vmExtensions: [] },
    refuses: { disableExtensionOperations: true, vmExtensions: [{ name: "a", publisher: "p", version: "1.0" }] },
  },
];

export const azureMachineCases: RuleCases = {
  kind: "AzureMachine",
  base: { metadata: { name: "machine" }, spec: { vmSize: "Standard_D2s_v3", osDisk: { osType: "Linux" } } },
  cases: casesAt("spec", [
    ...computeCases,
    {
      rule: "must name a size of virtual machines",
      field: "vmSize",
      accepts: { vmSize: "Standard_D4s_v3" },
      refuses: { vmSize: "" },
    },
    ...machineDiskCases,
    ...identityCases,
    ...assignmentNameCases,
    ...staysCases(stays, (patch) => patch),
    { rule: stays, field: "sshPublicKey", from: {}, accepts: { sshPublicKey: "" }, refuses: { sshPublicKey: key } },
    { rule: stays, field: "sshPublicKey", from: { sshPublicKey: key }, accepts: {}, refuses: { sshPublicKey: null } },
  ]),
};
