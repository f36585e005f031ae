import { wishedService } from "./wishedService.ts";

const profile = (field: string): string => `properties.virtualMachineProfile.${field}`;

/** Written by merge patch: lists that go whole, keys of another name, secrets that are never shown, effects on the model. */
export const testScaleSets = wishedService({
  name: "testScaleSets",
  type: "Microsoft.Compute/virtualMachineScaleSets",
  rules: {
    writes: "patch",
    keys: {
      [profile("storageProfile.dataDisks")]: "lun",
      [profile("osProfile.linuxConfiguration.ssh.publicKeys")]: "path",
    },
    sets: ["zones"],
    immutable: ["location", "zones", "properties.orchestrationMode", "properties.platformFaultDomainCount"],
    yields: ["properties.singlePlacementGroup"],
    oneOf: [
      [
        profile("storageProfile.imageReference.id"),
        profile("storageProfile.imageReference.sharedGalleryImageId"),
        profile("storageProfile.imageReference.communityGalleryImageId"),
        profile("storageProfile.imageReference.publisher"),
      ],
    ],
    absentMeans: { "properties.overprovision": true, [profile("priority")]: "Regular" },
    effects: {
      "properties.virtualMachineProfile": "model",
      [profile("osProfile.computerNamePrefix")]: "replace",
      [profile("storageProfile.osDisk.osType")]: "replace",
    },
  },
});
