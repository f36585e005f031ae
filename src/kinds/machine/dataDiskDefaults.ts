import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import { uncachedStorage } from "../../api/machine/disks.ts";

type DataDisk = NonNullable<AzureMachineSpec["dataDisks"]>[number];

/** A disk that says where it is attached. */
export type AttachedDisk = DataDisk & { readonly lun: number };
export type CompleteDisk = AttachedDisk & { readonly cachingType: NonNullable<DataDisk["cachingType"]> };

/** Disks without a logical unit take the lowest free ones, in their order. */
export const withLuns = (disks: readonly DataDisk[]): readonly AttachedDisk[] => {
  const taken = new Set(disks.flatMap(({ lun }) => lun ?? []));
  const free = disks.keys().filter((unit) => !taken.has(unit));
  // As many units below the number of disks are free as disks have none.
  return disks.map((disk) => ({ ...disk, lun: disk.lun ?? free.next().value ?? 0 }));
};

/** Disks cache reads and writes, where their storage can be cached at all. */
export const withCaching = (disks: readonly AttachedDisk[]): readonly CompleteDisk[] =>
  disks.map((disk) => ({
    ...disk,
    cachingType:
      disk.cachingType ?? (uncachedStorage.includes(disk.managedDisk?.storageAccountType ?? "") ? "None" : "ReadWrite"),
  }));
