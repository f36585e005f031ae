import { Type } from "typebox";
import { valueOr } from "../cel/parts.ts";
import { int32, listMap, oneOf, type Rule, ruled, text } from "../schema.ts";
import { idLimits, isIdOf } from "./resourceIdRule.ts";

/** Kinds of storage (https://learn.microsoft.com/azure/virtual-machines/disks-types). */
const storageTypes = [
  "Premium_LRS",
  "PremiumV2_LRS",
  "Premium_ZRS",
  "Standard_LRS",
  "StandardSSD_LRS",
  "StandardSSD_ZRS",
  "UltraSSD_LRS",
] as const;
/** Storage that no host can cache (https://learn.microsoft.com/azure/virtual-machines/disks-types#ultra-disk-limitations). */
export const uncachedStorage: readonly string[] = ["UltraSSD_LRS", "PremiumV2_LRS"];
const quoted = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(", ");

const encryptionSet = (description: string) =>
  Type.Object(
    {
      id: Type.Optional(
        ruled(
          text("Resource id of the disk encryption set.", idLimits),
          isIdOf("Microsoft.Compute/diskEncryptionSets"),
        ),
      ),
    },
    { description },
  );

const diskSecurity = Type.Object(
  {
    securityEncryptionType: Type.Optional(
      oneOf("What a confidential VM encrypts: its guest state, or the disk as well.", [
        "VMGuestStateOnly",
        "DiskWithVMGuestState",
      ]),
    ),
    diskEncryptionSet: Type.Optional(
      encryptionSet("Key of the customer's own for disk and guest state; needs `DiskWithVMGuestState`."),
    ),
  },
  { description: "How the disk of a confidential VM is encrypted; only the OS disk may have it." },
);

const managedDisk = <Security extends typeof diskSecurity>(securityProfile: Security, ...rules: readonly Rule[]) =>
  ruled(
    Type.Object(
      {
        storageAccountType: Type.Optional(text("Kind of storage, such as `Premium_LRS`; Azure chooses when absent.")),
        diskEncryptionSet: Type.Optional(encryptionSet("Key of the customer's own with which the disk is encrypted.")),
        securityProfile: Type.Optional(securityProfile),
      },
      { description: "Storage and encryption of the managed disk." },
    ),
    ...rules,
  );

const storage = valueOr("storageAccountType", "''")("self");
const knownStorage: Rule = {
  rule: `${storage} in [${quoted(storageTypes)}]`,
  message: `must be one of ${storageTypes.join(", ")}`,
  fieldPath: ".storageAccountType",
};
/** Pools were let leave the choice to Azure. */
const knownStorageIfAny: Rule = { ...knownStorage, rule: `${storage} == '' || ${knownStorage.rule}` };

const osManagedDisk = managedDisk(
  ruled(diskSecurity, {
    rule: `${valueOr("diskEncryptionSet.id", "''")("self")} == '' || ${valueOr("securityEncryptionType", "''")("self")} == 'DiskWithVMGuestState'`,
    message: "must be absent unless securityEncryptionType is DiskWithVMGuestState",
    fieldPath: ".diskEncryptionSet",
  }),
  knownStorage,
  {
    rule: `${storage} != 'UltraSSD_LRS'`,
    message: "must not be UltraSSD_LRS: no machine boots from an ultra disk",
    fieldPath: ".storageAccountType",
  },
);

const cachingTypes = ["None", "ReadOnly", "ReadWrite"] as const;

const osTypeWords = "must be Linux or Windows";
const osTypeRule = "self == 'Windows' || self.lowerAscii() == 'linux'";

const osDisk = (osType: Rule) =>
  ruled(
    Type.Object(
      {
        osType: ruled(text("`Linux` or `Windows`.", { default: "Linux" }), osType),
        diskSizeGB: Type.Optional(int32("Size in GiB; that of the image when absent.", { minimum: 1, maximum: 2048 })),
        managedDisk: Type.Optional(osManagedDisk),
        diffDiskSettings: Type.Optional(
          Type.Object(
            {
              option: oneOf("The disk lives on the host and is lost with the VM.", ["Local"]),
              placement: Type.Optional(
                oneOf("Which storage of the host holds it; Azure chooses when absent.", [
                  "CacheDisk",
                  "NvmeDisk",
                  "ResourceDisk",
                ]),
              ),
            },
            { description: "Makes the disk ephemeral; the VM size must support it." },
          ),
        ),
        cachingType: Type.Optional(oneOf("Host caching.", cachingTypes, { default: "None" })),
      },
      { description: "The disk that the machine boots from." },
    ),
    {
      rule: `!has(self.diffDiskSettings) || ${valueOr("managedDisk.diskEncryptionSet.id", "''")("self")} == ''`,
      message: "must be absent where diffDiskSettings makes the disk ephemeral",
      fieldPath: ".managedDisk.diskEncryptionSet",
    },
  );

/** The disk that a machine boots from. */
export const osDiskSpec = osDisk({ rule: osTypeRule, message: osTypeWords });

/** The disk that an instance of a pool boots from; an empty `osType` always meant Linux there. */
export const poolOsDiskSpec = osDisk({ rule: `self == '' || ${osTypeRule}`, message: osTypeWords });

interface DataDiskLimits {
  readonly smallest: number;
  readonly largest: number;
  readonly storage: Rule;
}

const dataDisk = ({ smallest, largest, storage }: DataDiskLimits) =>
  ruled(
    Type.Object({
      nameSuffix: ruled(text("Ends the name `<machine>_<suffix>`; unique within the machine.", { maxLength: 80 }), {
        rule: "self.matches('^[A-Za-z0-9_.-]*[A-Za-z0-9_]$')",
        message:
          "must have letters, digits, underscores, dots and hyphens, and end with a letter, a digit or an underscore",
      }),
      diskSizeGB: int32("Size in GiB.", { minimum: smallest, maximum: largest }),
      managedDisk: Type.Optional(managedDisk(diskSecurity, storage)),
      // No VM size takes more than 64 data disks: https://learn.microsoft.com/azure/virtual-machines/sizes
      lun: Type.Optional(
        int32("Logical unit number, unique; the lowest free one when absent.", { minimum: 0, maximum: 63 }),
      ),
      cachingType: Type.Optional(
        oneOf(
          "Host caching; `ReadWrite` when absent, and `None` on ultra disks and Premium SSD v2, which cannot be cached.",
          cachingTypes,
        ),
      ),
    }),
    {
      rule: `${valueOr("cachingType", "'None'")("self")} == 'None' || !(${valueOr("managedDisk.storageAccountType", "''")("self")} in [${quoted(uncachedStorage)}])`,
      message: `must be None on ${uncachedStorage.join(" and ")}, which cannot be cached`,
      fieldPath: ".cachingType",
    },
  );

const dataDisks = (limits: DataDiskLimits) =>
  ruled(listMap("Empty disks beside the OS disk.", "nameSuffix", dataDisk(limits), { maxItems: 64 }), {
    rule: "self.all(disk, !has(disk.lun) || self.exists_one(other, has(other.lun) && other.lun == disk.lun))",
    message: "must not give one lun to two disks",
  });

/** Empty disks of a machine. */
export const dataDisksSpec = dataDisks({ smallest: 4, largest: 32767, storage: knownStorage });

/** Empty disks of an instance of a pool, which were never held to the limits of machines: only to those of Azure. */
export const poolDataDisksSpec = dataDisks({ smallest: 1, largest: 65536, storage: knownStorageIfAny });
