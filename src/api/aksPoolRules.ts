import {
  type ChangeRule,
  flagStays,
  isGiven,
  numberStays,
  textStays,
  valueStays,
  valueStaysOnceSet,
} from "./aksChange.ts";
import { poolNameFits } from "./aksPoolNames.ts";
import { askedOnChange } from "./askedOnChange.ts";
import type { Rule } from "./schema.ts";

/** What fields of a node pool demand of each other, also in a template. */
export const aksPoolRules: readonly Rule[] = [
  ...askedOnChange(["name", "osType"], {
    rule: `!${isGiven("self", "name")} || ${poolNameFits("self.name", "self")}`,
    message: "must be of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    fieldPath: ".name",
  }),
  ...askedOnChange(["mode", "osType"], {
    rule: "self.mode != 'System' || self.?osType.orValue('Linux') != 'Windows'",
    message: "must be User for Windows: AKS itself needs Linux nodes",
    fieldPath: ".mode",
  }),
  ...askedOnChange(["nodePublicIPPrefixID", "enableNodePublicIP"], {
    rule: `!${isGiven("self", "nodePublicIPPrefixID")} || self.?enableNodePublicIP.orValue(false)`,
    message: "must be absent unless enableNodePublicIP is true",
    fieldPath: ".nodePublicIPPrefixID",
  }),
  ...askedOnChange(["linuxOSConfig", "kubeletConfig"], {
    rule: "!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSizeMB) || !self.?kubeletConfig.?failSwapOn.orValue(true)",
    message: "must be absent unless kubeletConfig.failSwapOn is false",
    fieldPath: ".linuxOSConfig.swapFileSizeMB",
  }),
];

const byAzure = "make another pool and delete this one";

/** What neither a pool nor a template changes. */
const everywhere: readonly ChangeRule[] = [
  textStays("osType", byAzure),
  textStays("sku", byAzure),
  numberStays("osDiskSizeGB", byAzure),
  {
    field: "availabilityZones",
    holds: (now, was) =>
      `(has(${now}.availabilityZones) ? size(${now}.availabilityZones) : 0) == (has(${was}.availabilityZones) ? size(${was}.availabilityZones) : 0) && (!has(${now}.availabilityZones) || ${now}.availabilityZones.all(zone, zone in ${was}.availabilityZones))`,
    message: `must name the same zones, in any order: ${byAzure}`,
  },
  numberStays("maxPods", byAzure),
  textStays("osDiskType", byAzure),
  textStays("scaleSetPriority", byAzure),
  flagStays("enableUltraSSD", byAzure),
  flagStays("enableNodePublicIP", byAzure),
  textStays("nodePublicIPPrefixID", byAzure),
  textStays("kubeletDiskType", byAzure),
  valueStays("kubeletConfig", byAzure),
  valueStays("linuxOSConfig", byAzure),
  {
    field: "subnetName",
    holds: (now, was) =>
      `!${isGiven(was, "subnetName")} || has(${now}.subnetName) && ${now}.subnetName == ${was}.subnetName`,
    message: `must stay once it is set: ${byAzure}`,
  },
  valueStaysOnceSet("enableFIPS", byAzure),
];

export const aksPoolChanges: readonly ChangeRule[] = [
  ...everywhere,
  valueStaysOnceSet("enableEncryptionAtHost", byAzure),
];

/** What a template does not change; the rest may be edited in place and reaches every cluster of the class. */
export const aksPoolTemplateChanges: readonly ChangeRule[] = [
  ...everywhere,
  textStays("name", "pools of the class have it"),
];
