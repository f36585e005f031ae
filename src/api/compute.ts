import { Type } from "typebox";
import { dataDiskSpec, osDiskSpec } from "./disks.ts";
import { imageSpec } from "./image.ts";
import { flag, integer, list, map, oneOf, quantity, text } from "./schema.ts";

/** What virtual machines and scale sets share. */

const securityProfile = Type.Object(
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
  subnetName: Type.Optional(text("Subnet; on the first interface the one of the machine's role when absent.")),
  privateIPConfigs: Type.Optional(integer("How many private IPv4 addresses it has; 1 when absent.")),
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

const bootDiagnostics = Type.Object(
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
);

/** Fields that a machine and the template of a pool have alike. */
export const computeFields = {
  vmSize: text("Size of the VM, such as `Standard_D2s_v5`."),
  image: Type.Optional(imageSpec),
  osDisk: osDiskSpec,
  dataDisks: Type.Optional(list("Empty disks beside the OS disk.", dataDiskSpec)),
  sshPublicKey: Type.Optional(
    text("Base64 of one line of `authorized_keys`, for the user `capi`; without it nobody can log in by SSH."),
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
  networkInterfaces: Type.Optional(list("Network interfaces; the first is the primary one.", networkInterface)),
  subnetName: Type.Optional(text("Deprecated in favour of `networkInterfaces[0].subnetName`.")),
  acceleratedNetworking: Type.Optional(flag("Deprecated in favour of `networkInterfaces[0].acceleratedNetworking`.")),
  vmExtensions: Type.Optional(list("Extensions to install.", vmExtension)),
  disableVMBootstrapExtension: Type.Optional(
    flag("Leave out the extension that reports whether the bootstrap worked; true when absent."),
  ),
} as const;
