import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";

/** Examples over the fields that machines, their templates and pools have alike; patches of the spec that holds them. */
export interface SpecCase {
  readonly rule: string;
  /** Below the spec. */
  readonly field: string;
  readonly from?: JsonObject;
  readonly accepts: JsonObject;
  readonly refuses: JsonObject;
}

/** The examples at the place where a kind has these fields, such as `spec.template`. */
export const casesAt = (place: string, cases: readonly SpecCase[]): readonly RuleCase[] => {
  const wrapped = (patch: JsonObject): JsonObject =>
    place.split(".").reduceRight<JsonObject>((inner, step) => ({ [step]: inner }), patch);
  return cases.map(({ rule, field, from, accepts, refuses }) => ({
    rule,
    field: field === "" ? place : `${place}.${field}`,
    ...(from !== undefined && { from: wrapped(from) }),
    accepts: wrapped(accepts),
    refuses: wrapped(refuses),
  }));
};

/** Resource ids of one group. */
export const idOf = (type: string, name = "x"): string =>
  `/subscriptions/00000000-0000-4000-8000-000000000001/resourceGroups/rg/providers/${type}/${name}`;
export const uuid = "6f1e5a6c-2b1d-4c57-9a55-0d1f7a0f2b34";

const disk = (more: JsonObject = {}): JsonObject => ({ nameSuffix: "a", diskSizeGB: 64, ...more });
const ultra = { managedDisk: { storageAccountType: "UltraSSD_LRS" } };

const imageCases: readonly SpecCase[] = [
  {
    rule: "must have exactly one of id, marketplace, sharedGallery and computeGallery",
    field: "image",
    accepts: { image: { id: idOf("Microsoft.Compute/images") } },
    refuses: {
      image: {
        id: idOf("Microsoft.Compute/images"),
        marketplace: { publisher: "p", offer: "o", sku: "s", version: "1.0.0" },
      },
    },
  },
  {
    rule: "must have exactly one of id, marketplace, sharedGallery and computeGallery",
    field: "image",
    accepts: { image: { marketplace: { publisher: "p", offer: "o", sku: "s", version: "1.0.0" } } },
    refuses: { image: { id: "" } },
  },
  {
    rule: "must have both subscriptionID and resourceGroup, or neither for a community gallery",
    field: "image.computeGallery",
    accepts: { image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0", resourceGroup: "" } } },
    refuses: { image: { computeGallery: { gallery: "g", name: "n", version: "1.0.0", resourceGroup: "rg" } } },
  },
  {
    rule: "should be at least 1 chars long",
    field: "image.computeGallery.version",
    accepts: {
      image: { computeGallery: { gallery: "g", name: "n", version: "1", subscriptionID: "s", resourceGroup: "rg" } },
    },
    refuses: { image: { computeGallery: { gallery: "g", name: "n", version: "" } } },
  },
];

const osDiskCases: readonly SpecCase[] = [
  {
    rule: "must be Linux or Windows",
    field: "osDisk.osType",
    accepts: { osDisk: { osType: "Windows" } },
    refuses: { osDisk: { osType: "Solaris" } },
  },
  {
    rule: "should be greater than or equal to 1",
    field: "osDisk.diskSizeGB",
    accepts: { osDisk: { diskSizeGB: 1 } },
    refuses: { osDisk: { diskSizeGB: 0 } },
  },
  {
    rule: "should be less than or equal to 2048",
    field: "osDisk.diskSizeGB",
    accepts: { osDisk: { diskSizeGB: 2048 } },
    refuses: { osDisk: { diskSizeGB: 2049 } },
  },
  {
    rule: "must be one of Premium_LRS, PremiumV2_LRS",
    field: "osDisk.managedDisk.storageAccountType",
    accepts: { osDisk: { managedDisk: { storageAccountType: "StandardSSD_ZRS" } } },
    refuses: { osDisk: { managedDisk: { storageAccountType: "Fast_LRS" } } },
  },
  {
    rule: "must be one of Premium_LRS, PremiumV2_LRS",
    field: "osDisk.managedDisk.storageAccountType",
    accepts: {
      osDisk: {
        managedDisk: {
          storageAccountType: "Premium_LRS",
          diskEncryptionSet: { id: idOf("Microsoft.Compute/diskEncryptionSets") },
        },
      },
    },
    refuses: {
      osDisk: { managedDisk: { diskEncryptionSet: { id: idOf("Microsoft.Compute/diskEncryptionSets") } } },
    },
  },
  {
    rule: "must not be UltraSSD_LRS: no machine boots from an ultra disk",
    field: "osDisk.managedDisk.storageAccountType",
    accepts: { osDisk: { managedDisk: { storageAccountType: "Premium_LRS" } } },
    refuses: { osDisk: { managedDisk: { storageAccountType: "UltraSSD_LRS" } } },
  },
  {
    rule: "must be like /subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/diskEncryptionSets/…",
    field: "osDisk.managedDisk.diskEncryptionSet.id",
    accepts: { osDisk: { managedDisk: { storageAccountType: "Premium_LRS", diskEncryptionSet: { id: "" } } } },
    refuses: { osDisk: { managedDisk: { storageAccountType: "Premium_LRS", diskEncryptionSet: { id: "mine" } } } },
  },
  {
    rule: "must be absent unless securityEncryptionType is DiskWithVMGuestState",
    field: "osDisk.managedDisk.securityProfile.diskEncryptionSet",
    accepts: {
      securityProfile: { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true, secureBootEnabled: true } },
      osDisk: {
        managedDisk: {
          storageAccountType: "Premium_LRS",
          securityProfile: {
            securityEncryptionType: "DiskWithVMGuestState",
            diskEncryptionSet: { id: idOf("Microsoft.Compute/diskEncryptionSets") },
          },
        },
      },
    },
    refuses: {
      securityProfile: { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true } },
      osDisk: {
        managedDisk: {
          storageAccountType: "Premium_LRS",
          securityProfile: {
            securityEncryptionType: "VMGuestStateOnly",
            diskEncryptionSet: { id: idOf("Microsoft.Compute/diskEncryptionSets") },
          },
        },
      },
    },
  },
  {
    rule: "must be absent where diffDiskSettings makes the disk ephemeral",
    field: "osDisk.managedDisk.diskEncryptionSet",
    accepts: {
      osDisk: { diffDiskSettings: { option: "Local" }, managedDisk: { storageAccountType: "Standard_LRS" } },
    },
    refuses: {
      osDisk: {
        diffDiskSettings: { option: "Local" },
        managedDisk: {
          storageAccountType: "Standard_LRS",
          diskEncryptionSet: { id: idOf("Microsoft.Compute/diskEncryptionSets") },
        },
      },
    },
  },
  {
    rule: "Required value",
    field: "osDisk.diffDiskSettings.option",
    accepts: { osDisk: { diffDiskSettings: { option: "Local", placement: "NvmeDisk" } } },
    refuses: { osDisk: { diffDiskSettings: { placement: "NvmeDisk" } } },
  },
];

const dataDiskCases: readonly SpecCase[] = [
  {
    rule: "must have letters, digits, underscores, dots and hyphens",
    field: "dataDisks[0].nameSuffix",
    accepts: { dataDisks: [disk({ nameSuffix: "etcd-disk" })] },
    refuses: { dataDisks: [disk({ nameSuffix: "" })] },
  },
  {
    rule: "Duplicate value",
    field: "dataDisks[1]",
    accepts: { dataDisks: [disk(), disk({ nameSuffix: "b" })] },
    refuses: { dataDisks: [disk(), disk()] },
  },
  {
    rule: "must not give one lun to two disks",
    field: "dataDisks",
    accepts: { dataDisks: [disk({ lun: 0 }), disk({ nameSuffix: "b", lun: 1 }), disk({ nameSuffix: "c" })] },
    refuses: { dataDisks: [disk({ lun: 0 }), disk({ nameSuffix: "b", lun: 0 })] },
  },
  {
    rule: "should be less than or equal to 63",
    field: "dataDisks[0].lun",
    accepts: { dataDisks: [disk({ lun: 63 })] },
    refuses: { dataDisks: [disk({ lun: 64 })] },
  },
  {
    rule: "should be greater than or equal to 0",
    field: "dataDisks[0].lun",
    accepts: { dataDisks: [disk({ lun: 0 })] },
    refuses: { dataDisks: [disk({ lun: -1 })] },
  },
  {
    rule: "must have at most 64 items",
    field: "dataDisks",
    accepts: { dataDisks: Array.from({ length: 64 }, (_, index) => disk({ nameSuffix: `d${index}` })) },
    refuses: { dataDisks: Array.from({ length: 65 }, (_, index) => disk({ nameSuffix: `d${index}` })) },
  },
  {
    rule: "must be one of Premium_LRS, PremiumV2_LRS",
    field: "dataDisks[0].managedDisk.storageAccountType",
    accepts: { dataDisks: [disk(ultra)] },
    refuses: { dataDisks: [disk({ managedDisk: { storageAccountType: "Fast_LRS" } })] },
  },
  {
    rule: "must be None on UltraSSD_LRS and PremiumV2_LRS, which cannot be cached",
    field: "dataDisks[0].cachingType",
    accepts: { dataDisks: [disk({ ...ultra, cachingType: "None" })] },
    refuses: { dataDisks: [disk({ ...ultra, cachingType: "ReadOnly" })] },
  },
];

const confidential = (type: string, securityProfile: JsonObject): JsonObject => ({
  osDisk: { managedDisk: { storageAccountType: "Premium_LRS", securityProfile: { securityEncryptionType: type } } },
  securityProfile,
});
const bothUefi = { vTpmEnabled: true, secureBootEnabled: true };

const securityCases: readonly SpecCase[] = [
  {
    rule: "must be given where uefiSettings asks for secure boot or a virtual TPM: TrustedLaunch or ConfidentialVM",
    field: "securityProfile.securityType",
    accepts: { securityProfile: { securityType: "TrustedLaunch", uefiSettings: { vTpmEnabled: true } } },
    refuses: { securityProfile: { uefiSettings: { vTpmEnabled: true } } },
  },
  {
    rule: "must be ConfidentialVM where osDisk.managedDisk.securityProfile.securityEncryptionType is given",
    field: "securityProfile.securityType",
    accepts: confidential("VMGuestStateOnly", { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true } }),
    refuses: confidential("VMGuestStateOnly", { securityType: "TrustedLaunch", uefiSettings: { vTpmEnabled: true } }),
  },
  {
    rule: "must be given where securityProfile.securityType is ConfidentialVM",
    field: "osDisk.managedDisk.securityProfile.securityEncryptionType",
    accepts: confidential("VMGuestStateOnly", { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true } }),
    refuses: { securityProfile: { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true } } },
  },
  {
    rule: "must be true where osDisk.managedDisk.securityProfile.securityEncryptionType is given",
    field: "securityProfile.uefiSettings.vTpmEnabled",
    accepts: confidential("VMGuestStateOnly", { securityType: "ConfidentialVM", uefiSettings: { vTpmEnabled: true } }),
    refuses: confidential("VMGuestStateOnly", { securityType: "ConfidentialVM" }),
  },
  {
    rule: "must be true where osDisk.managedDisk.securityProfile.securityEncryptionType is DiskWithVMGuestState",
    field: "securityProfile.uefiSettings.secureBootEnabled",
    accepts: confidential("DiskWithVMGuestState", { securityType: "ConfidentialVM", uefiSettings: bothUefi }),
    refuses: confidential("DiskWithVMGuestState", {
      securityType: "ConfidentialVM",
      uefiSettings: { vTpmEnabled: true },
    }),
  },
  {
    rule: "must not be true where osDisk.managedDisk.securityProfile.securityEncryptionType is DiskWithVMGuestState",
    field: "securityProfile.encryptionAtHost",
    accepts: confidential("VMGuestStateOnly", {
      securityType: "ConfidentialVM",
      uefiSettings: bothUefi,
      encryptionAtHost: true,
    }),
    refuses: confidential("DiskWithVMGuestState", {
      securityType: "ConfidentialVM",
      uefiSettings: bothUefi,
      encryptionAtHost: true,
    }),
  },
];

const boot = (storageAccountType: string, uri?: string): JsonObject => ({
  diagnostics: {
    boot: { storageAccountType, ...(uri !== undefined && { userManaged: { storageAccountURI: uri } }) },
  },
});

const otherCases: readonly SpecCase[] = [
  {
    rule: "must be the base64 of one line of authorized_keys",
    field: "sshPublicKey",
    accepts: { sshPublicKey: "c3NoLXJzYSBBQUFB\nQjNOemFDMXljMkU=\n" },
    refuses: { sshPublicKey: "ssh-rsa AAAAB3NzaC1yc2E" },
  },
  {
    rule: "must be the base64 of one line of authorized_keys",
    field: "sshPublicKey",
    accepts: { sshPublicKey: "" },
    refuses: { sshPublicKey: "c3NoLXJzYSBBQUFBQjNOemFDMXljMkU" },
  },
  {
    rule: "must be given where storageAccountType is UserManaged",
    field: "diagnostics.boot.userManaged",
    accepts: boot("UserManaged", "https://account.blob.core.windows.net/"),
    refuses: boot("UserManaged"),
  },
  {
    rule: "must be absent unless storageAccountType is UserManaged",
    field: "diagnostics.boot.userManaged",
    accepts: boot("Disabled"),
    refuses: boot("Managed", "https://account.blob.core.windows.net/"),
  },
  {
    rule: "should match '^https://'",
    field: "diagnostics.boot.userManaged.storageAccountURI",
    accepts: boot("UserManaged", "https://account.blob.core.windows.net/"),
    refuses: boot("UserManaged", "http://account.blob.core.windows.net/"),
  },
  {
    rule: "must be absent where networkInterfaces are given: set networkInterfaces[0].subnetName",
    field: "subnetName",
    accepts: { subnetName: "nodes", networkInterfaces: [] },
    refuses: { subnetName: "nodes", networkInterfaces: [{ privateIPConfigs: 1 }] },
  },
  {
    rule: "must be absent where networkInterfaces are given: set networkInterfaces[0].acceleratedNetworking",
    field: "acceleratedNetworking",
    accepts: { acceleratedNetworking: false },
    refuses: { acceleratedNetworking: false, networkInterfaces: [{ privateIPConfigs: 1 }] },
  },
  {
    rule: "must have a subnetName in every interface but the first",
    field: "networkInterfaces",
    accepts: { networkInterfaces: [{}, { subnetName: "storage" }] },
    refuses: { networkInterfaces: [{ subnetName: "nodes" }, { subnetName: "" }] },
  },
  {
    rule: "should be greater than or equal to 0",
    field: "networkInterfaces[0].privateIPConfigs",
    accepts: { networkInterfaces: [{ privateIPConfigs: 0 }] },
    refuses: { networkInterfaces: [{ privateIPConfigs: -1 }] },
  },
  {
    rule: "should be less than or equal to 256",
    field: "networkInterfaces[0].privateIPConfigs",
    accepts: { networkInterfaces: [{ privateIPConfigs: 256 }] },
    refuses: { networkInterfaces: [{ privateIPConfigs: 257 }] },
  },
  {
    rule: "must have at most 32 items",
    field: "networkInterfaces",
    accepts: { networkInterfaces: Array.from({ length: 32 }, () => ({ subnetName: "nodes" })) },
    refuses: { networkInterfaces: Array.from({ length: 33 }, () => ({ subnetName: "nodes" })) },
  },
  {
    rule: "Duplicate value",
    field: "vmExtensions[1]",
    accepts: { vmExtensions: [{ name: "a", publisher: "p", version: "1.0" }] },
    refuses: {
      vmExtensions: [
        { name: "a", publisher: "p", version: "1.0" },
        { name: "a", publisher: "p", version: "1.1" },
      ],
    },
  },
];

/** A text that is exactly as long as it may be, and one that is longer. */
export const lengthCase = (
  field: string,
  most: number,
  textOf: (length: number) => string,
  patchOf: (text: string) => JsonObject,
): SpecCase => ({
  rule: `Too long: may not be more than ${most} bytes`,
  field,
  accepts: patchOf(textOf(most)),
  refuses: patchOf(textOf(most + 1)),
});
const letters = (length: number): string => "a".repeat(length);
/** An id of that many characters. */
export const longId =
  (type: string) =>
  (length: number): string =>
    idOf(type, letters(length - idOf(type, "").length));

const lengthCases: readonly SpecCase[] = [
  // Whole groups of four, and a line break more.
  lengthCase(
    "sshPublicKey",
    16384,
    (length) => "AAAA".repeat(4096) + "\n".repeat(length - 16384),
    (sshPublicKey) => ({ sshPublicKey }),
  ),
  lengthCase("subnetName", 80, letters, (subnetName) => ({ subnetName })),
  lengthCase("networkInterfaces[0].subnetName", 80, letters, (subnetName) => ({ networkInterfaces: [{ subnetName }] })),
  lengthCase("dataDisks[0].nameSuffix", 80, letters, (nameSuffix) => ({ dataDisks: [disk({ nameSuffix })] })),
  lengthCase("osDisk.managedDisk.diskEncryptionSet.id", 1024, longId("Microsoft.Compute/diskEncryptionSets"), (id) => ({
    osDisk: { managedDisk: { storageAccountType: "Premium_LRS", diskEncryptionSet: { id } } },
  })),
];

/** Rules over the fields of `computeFields` and the disks. */
export const computeCases: readonly SpecCase[] = [
  ...lengthCases,
  ...imageCases,
  ...osDiskCases,
  ...dataDiskCases,
  ...securityCases,
  ...otherCases,
];

const identities = [{ providerID: idOf("Microsoft.ManagedIdentity/userAssignedIdentities") }];

/** Rules over the fields of `machineIdentityFields`; that of a template's names is its own. */
export const identityCases: readonly SpecCase[] = [
  {
    rule: "must name at least one identity where identity is UserAssigned",
    field: "userAssignedIdentities",
    accepts: { identity: "UserAssigned", userAssignedIdentities: identities },
    refuses: { identity: "UserAssigned", userAssignedIdentities: [] },
  },
  {
    rule: "must be empty unless identity is UserAssigned",
    field: "userAssignedIdentities",
    accepts: { userAssignedIdentities: [] },
    refuses: { userAssignedIdentities: identities },
  },
  {
    rule: "must not be empty",
    field: "userAssignedIdentities[0].providerID",
    accepts: { identity: "UserAssigned", userAssignedIdentities: identities },
    refuses: { identity: "UserAssigned", userAssignedIdentities: [{ providerID: "" }] },
  },
  {
    rule: "must be like /subscriptions/…/resourceGroups/…/providers/Microsoft.ManagedIdentity/userAssignedIdentities/…",
    field: "userAssignedIdentities[0].providerID",
    accepts: {
      identity: "UserAssigned",
      userAssignedIdentities: [{ providerID: `azure://${idOf("microsoft.managedidentity/userassignedidentities")}` }],
    },
    refuses: { identity: "UserAssigned", userAssignedIdentities: [{ providerID: "mine" }] },
  },
  {
    rule: "must have at most 100 items",
    field: "userAssignedIdentities",
    accepts: {
      identity: "UserAssigned",
      userAssignedIdentities: Array.from({ length: 100 }, () => identities[0]!),
    },
    refuses: {
      identity: "UserAssigned",
      userAssignedIdentities: Array.from({ length: 101 }, () => identities[0]!),
    },
  },
  lengthCase(
    "userAssignedIdentities[0].providerID",
    1024,
    longId("Microsoft.ManagedIdentity/userAssignedIdentities"),
    (providerID) => ({ identity: "UserAssigned", userAssignedIdentities: [{ providerID }] }),
  ),
  lengthCase("systemAssignedIdentityRole.definitionID", 1024, letters, (definitionID) => ({
    identity: "SystemAssigned",
    systemAssignedIdentityRole: { definitionID },
  })),
  lengthCase("systemAssignedIdentityRole.scope", 1024, letters, (scope) => ({
    identity: "SystemAssigned",
    systemAssignedIdentityRole: { scope },
  })),
  {
    rule: "must be absent unless identity is SystemAssigned",
    field: "systemAssignedIdentityRole",
    accepts: { identity: "SystemAssigned", systemAssignedIdentityRole: { scope: idOf("Microsoft.Compute/disks") } },
    refuses: { systemAssignedIdentityRole: { scope: idOf("Microsoft.Compute/disks") } },
  },
];

/** Rules over the name of a role assignment, where one may be given. */
export const assignmentNameCases: readonly SpecCase[] = [
  {
    rule: "must be a UUID",
    field: "systemAssignedIdentityRole.name",
    accepts: { identity: "SystemAssigned", systemAssignedIdentityRole: { name: uuid } },
    refuses: { identity: "SystemAssigned", systemAssignedIdentityRole: { name: "mine" } },
  },
  {
    rule: "must be a UUID",
    field: "roleAssignmentName",
    accepts: { identity: "SystemAssigned", roleAssignmentName: uuid },
    refuses: { identity: "SystemAssigned", roleAssignmentName: "mine" },
  },
  {
    rule: "must be absent unless identity is SystemAssigned",
    field: "roleAssignmentName",
    accepts: { roleAssignmentName: "" },
    refuses: { roleAssignmentName: uuid },
  },
  {
    rule: "must be absent where systemAssignedIdentityRole has a name",
    field: "roleAssignmentName",
    accepts: {
      identity: "SystemAssigned",
      systemAssignedIdentityRole: { scope: "/subscriptions/s/" },
      roleAssignmentName: uuid,
    },
    refuses: {
      identity: "SystemAssigned",
      systemAssignedIdentityRole: { name: uuid },
      roleAssignmentName: uuid,
    },
  },
];
