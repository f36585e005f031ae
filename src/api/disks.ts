import { Type } from "typebox";
import { int32, oneOf, text } from "./schema.ts";

const encryptionSet = (description: string) =>
  Type.Object({ id: Type.Optional(text("Resource id of the disk encryption set.")) }, { description });

const managedDisk = Type.Object(
  {
    storageAccountType: Type.Optional(text("Kind of storage, such as `Premium_LRS`; Azure chooses when absent.")),
    diskEncryptionSet: Type.Optional(encryptionSet("Key of the customer's own with which the disk is encrypted.")),
    securityProfile: Type.Optional(
      Type.Object(
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
      ),
    ),
  },
  { description: "Storage and encryption of the managed disk." },
);

const cachingTypes = ["None", "ReadOnly", "ReadWrite"] as const;

/** The disk that a machine boots from. */
export const osDiskSpec = Type.Object(
  {
    osType: text("`Linux` or `Windows`.", { default: "Linux" }),
    diskSizeGB: Type.Optional(int32("Size in GiB, 1 to 2048; that of the image when absent.")),
    managedDisk: Type.Optional(managedDisk),
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
);

/** One empty disk beside the OS disk. */
export const dataDiskSpec = Type.Object({
  nameSuffix: text("Ends the name `<machine>_<suffix>`; unique within the machine."),
  diskSizeGB: int32("Size in GiB, 4 to 32767."),
  managedDisk: Type.Optional(managedDisk),
  lun: Type.Optional(int32("Logical unit number, 0 to 63, unique; the lowest free one when absent.")),
  cachingType: Type.Optional(
    oneOf("Host caching; `ReadWrite` when absent, and `None` on ultra disks, which cannot be cached.", cachingTypes),
  ),
});
