import type { JsonObject } from "../../../src/core/types.ts";
import { idOf, type SpecCase, uuid } from "./machineSpecCases.ts";

/** Examples of what stays: what the rule lets pass is the default written out or left out again. */
interface Change {
  readonly field: string;
  readonly from: JsonObject;
  readonly accepts: JsonObject;
  readonly refuses: JsonObject;
}

const marketplace = { publisher: "p", offer: "o", sku: "s", version: "1.0.0" };
const disks = (...luns: readonly (number | undefined)[]): JsonObject => ({
  dataDisks: luns.map((lun, index) => ({
    nameSuffix: `d${index}`,
    diskSizeGB: 64,
    ...(lun !== undefined && { lun }),
  })),
});
const stored = (cachingType: string, storageAccountType?: string): JsonObject => ({
  dataDisks: [
    {
      nameSuffix: "d0",
      diskSizeGB: 64,
      lun: 0,
      cachingType,
      ...(storageAccountType !== undefined && { managedDisk: { storageAccountType } }),
    },
  ],
});
const identities = (name: string): JsonObject => ({
  identity: "UserAssigned",
  userAssignedIdentities: [{ providerID: idOf("Microsoft.ManagedIdentity/userAssignedIdentities", name) }],
});
const other = "7f1e5a6c-2b1d-4c57-9a55-0d1f7a0f2b34";
const subscription = "/subscriptions/00000000-0000-4000-8000-000000000001";
const contributor = `${subscription}/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c`;
const withRole = (role: JsonObject, more: JsonObject = {}): JsonObject => ({
  identity: "SystemAssigned",
  systemAssignedIdentityRole: role,
  ...more,
});

const identityChanges: readonly Change[] = [
  { field: "identity", from: {}, accepts: { identity: null }, refuses: { identity: "SystemAssigned" } },
  {
    field: "userAssignedIdentities",
    from: identities("a"),
    accepts: { vmSize: "Standard_D4s_v3" },
    refuses: identities("b"),
  },
  {
    // The name moved from the deprecated field, the rest was written out.
    field: "systemAssignedIdentityRole",
    from: { identity: "SystemAssigned", roleAssignmentName: uuid },
    accepts: {
      roleAssignmentName: null,
      systemAssignedIdentityRole: { name: uuid, scope: `${subscription}/`, definitionID: contributor },
    },
    refuses: { roleAssignmentName: other },
  },
  {
    field: "systemAssignedIdentityRole",
    from: withRole({ name: uuid, scope: `${subscription}/`, definitionID: contributor }),
    accepts: { systemAssignedIdentityRole: { scope: null, definitionID: null } },
    refuses: { systemAssignedIdentityRole: null },
  },
  {
    field: "systemAssignedIdentityRole",
    from: withRole({ name: uuid }),
    accepts: { systemAssignedIdentityRole: { definitionID: contributor } },
    refuses: { systemAssignedIdentityRole: { scope: idOf("Microsoft.Compute/disks") } },
  },
];

const diskChanges: readonly Change[] = [
  {
    field: "osDisk",
    from: { osDisk: { cachingType: "None" } },
    accepts: { osDisk: { cachingType: null } },
    refuses: { osDisk: { diskSizeGB: 256 } },
  },
  // The two that are left out mean 0 and 2.
  {
    field: "dataDisks",
    from: disks(undefined, 1, undefined),
    accepts: disks(0, 1, 2),
    refuses: disks(2, 1, 0),
  },
  { field: "dataDisks", from: disks(5, 0, 1), accepts: disks(5, undefined, undefined), refuses: disks(5, 2, 3) },
  { field: "dataDisks", from: disks(1, 0), accepts: disks(undefined, 0), refuses: disks(undefined, undefined) },
  { field: "dataDisks", from: disks(0), accepts: disks(undefined), refuses: { dataDisks: null } },
  { field: "dataDisks", from: {}, accepts: { dataDisks: [] }, refuses: disks(0) },
  {
    field: "dataDisks",
    from: disks(0, 1),
    accepts: disks(0, undefined),
    refuses: {
      dataDisks: [disks(0, 1)["dataDisks"]].flatMap((list) => (Array.isArray(list) ? list.toReversed() : [])),
    },
  },
  {
    field: "dataDisks",
    from: stored("ReadWrite"),
    accepts: { dataDisks: [{ nameSuffix: "d0", diskSizeGB: 64 }] },
    refuses: stored("ReadOnly"),
  },
  {
    field: "dataDisks",
    from: stored("None", "UltraSSD_LRS"),
    accepts: {
      dataDisks: [{ nameSuffix: "d0", diskSizeGB: 64, managedDisk: { storageAccountType: "UltraSSD_LRS" } }],
    },
    refuses: stored("None", "Premium_LRS"),
  },
  {
    field: "dataDisks",
    from: disks(0),
    accepts: { failureDomain: "2" },
    refuses: { dataDisks: [{ nameSuffix: "d0", diskSizeGB: 65, lun: 0 }] },
  },
];

const spot = (options: JsonObject | null): JsonObject => ({ spotVMOptions: options });
const local = { osDisk: { diffDiskSettings: { option: "Local" } } };

const spotChanges: readonly Change[] = [
  {
    field: "spotVMOptions",
    from: spot({}),
    accepts: spot({ evictionPolicy: "Deallocate" }),
    refuses: spot({ evictionPolicy: "Delete" }),
  },
  {
    field: "spotVMOptions",
    from: { ...spot({ evictionPolicy: "Delete" }), ...local },
    accepts: spot({ evictionPolicy: null }),
    refuses: spot({ evictionPolicy: "Deallocate" }),
  },
  { field: "spotVMOptions", from: spot({ maxPrice: "40m" }), accepts: spot({ maxPrice: "0.04" }), refuses: spot(null) },
  {
    field: "spotVMOptions",
    from: spot({ maxPrice: 1 }),
    accepts: spot({ maxPrice: "1" }),
    refuses: spot({ maxPrice: 2 }),
  },
];

const nic = (more: JsonObject = {}): JsonObject => ({ networkInterfaces: [{ privateIPConfigs: 1, ...more }] });

const interfaceChanges: readonly Change[] = [
  { field: "networkInterfaces", from: {}, accepts: nic(), refuses: nic({ privateIPConfigs: 2 }) },
  {
    field: "networkInterfaces",
    from: { subnetName: "nodes", acceleratedNetworking: true },
    accepts: {
      subnetName: null,
      acceleratedNetworking: null,
      ...nic({ subnetName: "nodes", acceleratedNetworking: true }),
    },
    refuses: { subnetName: null, acceleratedNetworking: null, ...nic({ subnetName: "nodes" }) },
  },
  {
    field: "networkInterfaces",
    from: nic({ subnetName: "nodes" }),
    accepts: { networkInterfaces: [{ privateIPConfigs: 0, subnetName: "nodes" }] },
    refuses: { networkInterfaces: null },
  },
  {
    field: "networkInterfaces",
    from: { networkInterfaces: [{}, { subnetName: "storage" }] },
    accepts: { networkInterfaces: [{ subnetName: "nodes" }, { subnetName: "storage" }] },
    refuses: { networkInterfaces: [{ subnetName: "nodes" }, { subnetName: "other" }] },
  },
  {
    field: "networkInterfaces",
    from: nic({ subnetName: "nodes" }),
    accepts: { dnsServers: ["10.0.0.10"] },
    refuses: nic({ subnetName: "other" }),
  },
];

const otherChanges: readonly Change[] = [
  {
    field: "image",
    from: { image: { marketplace } },
    accepts: { image: { marketplace: { thirdPartyImage: false } } },
    refuses: { image: null },
  },
  { field: "allocatePublicIP", from: {}, accepts: { allocatePublicIP: false }, refuses: { allocatePublicIP: true } },
  {
    field: "enableIPForwarding",
    from: { enableIPForwarding: true },
    accepts: { additionalTags: { a: "b" } },
    refuses: { enableIPForwarding: null },
  },
  {
    field: "securityProfile",
    from: { securityProfile: { encryptionAtHost: true } },
    accepts: { vmSize: "Standard_D4s_v3" },
    refuses: { securityProfile: null },
  },
  {
    field: "capacityReservationGroupID",
    from: {},
    accepts: { capacityReservationGroupID: "" },
    refuses: { capacityReservationGroupID: idOf("Microsoft.Compute/capacityReservationGroups") },
  },
  {
    field: "virtualMachineScaleSetID",
    from: {},
    accepts: { virtualMachineScaleSetID: "" },
    refuses: { virtualMachineScaleSetID: idOf("Microsoft.Compute/virtualMachineScaleSets") },
  },
  {
    field: "disableExtensionOperations",
    from: {},
    accepts: { disableExtensionOperations: false },
    refuses: { disableExtensionOperations: true },
  },
  {
    field: "diagnostics",
    from: { diagnostics: { boot: { storageAccountType: "Managed" } } },
    accepts: { diagnostics: null },
    refuses: { diagnostics: { boot: { storageAccountType: "Disabled" } } },
  },
  {
    field: "diagnostics",
    from: {
      diagnostics: {
        boot: {
          storageAccountType: "UserManaged",
          userManaged: { storageAccountURI: "https://a.blob.core.windows.net/" },
        },
      },
    },
    accepts: { failureDomain: "2" },
    refuses: { diagnostics: { boot: { userManaged: { storageAccountURI: "https://b.blob.core.windows.net/" } } } },
  },
  {
    field: "disableVMBootstrapExtension",
    from: { disableVMBootstrapExtension: true },
    accepts: { disableVMBootstrapExtension: null },
    refuses: { disableVMBootstrapExtension: false },
  },
];

/** What stays of a machine as of a template of machines; the SSH key is the one difference. */
export const staysCases = (rule: string, mutable: (patch: JsonObject) => JsonObject): readonly SpecCase[] =>
  [...identityChanges, ...diskChanges, ...spotChanges, ...interfaceChanges, ...otherChanges].map((change) => ({
    ...change,
    accepts: mutable(change.accepts),
    rule,
  }));
