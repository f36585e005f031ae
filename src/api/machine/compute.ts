import { Type } from "typebox";
import { valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import { flag, integer, list, listMap, map, oneOf, quantity, type Rule, ruled, text } from "../schema.ts";
import { imageSpec } from "./image.ts";

/** What virtual machines and scale sets share. */

const securityProfile = ruled(
  Type.Object(
    {
      encryptionAtHost: Type.Optional(flag("Encrypt caches and temporary disks on the host as well.")),
      securityType: Type.Optional(
        oneOf("What kind of protected VM it is; a plain one when absent.", ["ConfidentialVM", "TrustedLaunch"]),
      ),
      uefiSettings: Type.Optional(
        Type.Object(
          {
            secureBootEnabled: Type.Optional(flag("Boot only what is signed.")),
            vTpmEnabled: Type.Optional(flag("Give the VM a virtual TPM.")),
          },
          { description: "Firmware of a protected VM." },
        ),
      ),
    },
    { description: "How the VM is protected from its host and from tampered boot code." },
  ),
  {
    rule: `${valueOr("securityType", "''")("self")} != '' || !(${valueOr("uefiSettings.secureBootEnabled", "false")("self")} || ${valueOr("uefiSettings.vTpmEnabled", "false")("self")})`,
    message: "must be given where uefiSettings asks for secure boot or a virtual TPM: TrustedLaunch or ConfidentialVM",
    fieldPath: ".securityType",
  },
);

const spotVmOptions = Type.Object(
  {
    maxPrice: Type.Optional(quantity("Highest hourly price in US dollars; -1 or absent: up to the regular price.")),
    evictionPolicy: Type.Optional(
      oneOf("What an eviction does; absent: `Delete` with an ephemeral OS disk, else `Deallocate`.", [
        "Deallocate",
        "Delete",
      ]),
    ),
  },
  { description: "Its presence, even empty, asks for a spot VM." },
);

const networkInterface = Type.Object({
  subnetName: Type.Optional(
    text("Subnet; on the first interface the one of the machine's role when absent.", { maxLength: 80 }),
  ),
  // https://learn.microsoft.com/azure/azure-resource-manager/management/azure-subscription-service-limits#azure-resource-manager-virtual-networking-limits
  privateIPConfigs: Type.Optional(
    integer("How many private IPv4 addresses it has; 1 when absent or 0.", { minimum: 0, maximum: 256 }),
  ),
  acceleratedNetworking: Type.Optional(
    flag("Bypass the host's virtual switch; when absent, wherever the VM size supports it."),
  ),
});

const vmExtension = Type.Object({
  name: text("Name, and type, of the extension."),
  publisher: text("Publisher of the extension."),
  version: text("Version of its handler."),
  settings: Type.Optional(map("Settings that anybody may read.", Type.String())),
  protectedSettings: Type.Optional(map("Settings that only the VM can read.", Type.String())),
});

const networkInterfaces = ruled(
  // No VM size takes more than 15: https://learn.microsoft.com/azure/virtual-machines/sizes
  list("Network interfaces; the first is the primary one.", networkInterface, { maxItems: 32 }),
  {
    rule: `self.filter(it, ${valueOr("subnetName", "''")("it")} == '').size() == (size(self) > 0 && (!has(self[0].subnetName) || self[0].subnetName == '') ? 1 : 0)`,
    message: "must have a subnetName in every interface but the first",
  },
);

const bootDiagnostics = ruled(
  Type.Object(
    {
      storageAccountType: oneOf("Whose storage account takes the boot log: Azure's, one's own, or none.", [
        "Managed",
        "UserManaged",
        "Disabled",
      ]),
      userManaged: Type.Optional(
        Type.Object(
          {
            storageAccountURI: text("Blob endpoint of the account.", { pattern: "^https://", maxLength: 1024 }),
          },
          { description: "The account of `UserManaged`." },
        ),
      ),
    },
    { description: "Boot log and screenshot; `Managed` when absent." },
  ),
  {
    rule: "self.storageAccountType != 'UserManaged' || has(self.userManaged)",
    message: "must be given where storageAccountType is UserManaged",
    fieldPath: ".userManaged",
  },
  {
    rule: "self.storageAccountType == 'UserManaged' || !has(self.userManaged)",
    message: "must be absent unless storageAccountType is UserManaged",
    fieldPath: ".userManaged",
  },
);

const digit = "[A-Za-z0-9+/][\\r\\n]*";
/** Base64 as encoders write it, line breaks included. */
const base64: Rule = {
  rule: `self.matches('^[\\r\\n]*((${digit}){4})*((${digit}){2}=[\\r\\n]*=[\\r\\n]*|(${digit}){3}=[\\r\\n]*)?$')`,
  message: "must be the base64 of one line of authorized_keys",
};

/** Fields that a machine and the template of a pool have alike; of their disks each has its own limits. */
export const computeFields = {
  vmSize: text("Size of the VM, such as `Standard_D2s_v5`."),
  image: Type.Optional(imageSpec),
  sshPublicKey: Type.Optional(
    ruled(
      text("Base64 of one line of `authorized_keys`, for the user `capi`; without it nobody can log in by SSH.", {
        maxLength: 16384,
      }),
      base64,
    ),
  ),
  additionalCapabilities: Type.Optional(
    Type.Object(
      { ultraSSDEnabled: Type.Optional(flag("Whether ultra disks may be attached; absent: if one is listed.")) },
      { description: "What the VM is enabled for beyond its size." },
    ),
  ),
  diagnostics: Type.Optional(
    Type.Object({ boot: Type.Optional(bootDiagnostics) }, { description: "What Azure records of the VM." }),
  ),
  securityProfile: Type.Optional(securityProfile),
  spotVMOptions: Type.Optional(spotVmOptions),
  networkInterfaces: Type.Optional(networkInterfaces),
  subnetName: Type.Optional(text("Deprecated in favour of `networkInterfaces[0].subnetName`.", { maxLength: 80 })),
  acceleratedNetworking: Type.Optional(flag("Deprecated in favour of `networkInterfaces[0].acceleratedNetworking`.")),
  vmExtensions: Type.Optional(listMap("Extensions to install.", "name", vmExtension)),
  disableVMBootstrapExtension: Type.Optional(
    flag("Leave out the extension that reports whether the bootstrap worked; true when absent."),
  ),
} as const;

const encrypts = valueOr("osDisk.managedDisk.securityProfile.securityEncryptionType", "''")("self");
const encryptsDisk = `${encrypts} == 'DiskWithVMGuestState'`;
const uefi = (flagName: string): string => valueOr(`securityProfile.uefiSettings.${flagName}`, "false")("self");
const securityType = valueOr("securityProfile.securityType", "''")("self");
const noInterfaces = `size(${valueOr("networkInterfaces", "[]")("self")}) == 0`;
const whereEncrypted = "where osDisk.managedDisk.securityProfile.securityEncryptionType is";

/** What the fields must be to each other, for confidential VMs and for the two ways to describe a network interface. */
export const computeRules: readonly Rule[] = [
  ...unlessUnchanged(
    ["osDisk", "securityProfile"],
    {
      rule: `${encrypts} == '' || ${securityType} == 'ConfidentialVM'`,
      message: `must be ConfidentialVM ${whereEncrypted} given`,
      fieldPath: ".securityProfile.securityType",
    },
    {
      rule: `${encrypts} != '' || ${securityType} != 'ConfidentialVM'`,
      message: "must be given where securityProfile.securityType is ConfidentialVM",
      fieldPath: ".osDisk.managedDisk.securityProfile.securityEncryptionType",
    },
    {
      rule: `${encrypts} == '' || ${uefi("vTpmEnabled")}`,
      message: `must be true ${whereEncrypted} given`,
      fieldPath: ".securityProfile.uefiSettings.vTpmEnabled",
    },
    {
      rule: `!(${encryptsDisk}) || ${uefi("secureBootEnabled")}`,
      message: `must be true ${whereEncrypted} DiskWithVMGuestState`,
      fieldPath: ".securityProfile.uefiSettings.secureBootEnabled",
    },
    {
      rule: `!(${encryptsDisk} && ${valueOr("securityProfile.encryptionAtHost", "false")("self")})`,
      message: `must not be true ${whereEncrypted} DiskWithVMGuestState`,
      fieldPath: ".securityProfile.encryptionAtHost",
    },
  ),
  ...unlessUnchanged(
    ["networkInterfaces", "subnetName", "acceleratedNetworking"],
    {
      rule: `${noInterfaces} || ${valueOr("subnetName", "''")("self")} == ''`,
      message: "must be absent where networkInterfaces are given: set networkInterfaces[0].subnetName",
      fieldPath: ".subnetName",
    },
    {
      rule: `${noInterfaces} || !has(self.acceleratedNetworking)`,
      message: "must be absent where networkInterfaces are given: set networkInterfaces[0].acceleratedNetworking",
      fieldPath: ".acceleratedNetworking",
    },
  ),
];
