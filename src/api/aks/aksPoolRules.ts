import {
  type ChangeRule,
  flagStays,
  numberStays,
  textStays,
  valueStays,
  valueStaysOnceSet,
} from "../cel/changeRule.ts";
import { everyOf, given, valueOr } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import type { Rule } from "../schema.ts";
import { poolNameFits } from "./aksPoolNames.ts";

/** What fields of a node pool demand of each other, also in a template. */
export const aksPoolRules: readonly Rule[] = [
  ...unlessUnchanged(["name", "osType"], {
    rule: `!${given("name")("self")} || ${poolNameFits("self.name", "self")}`,
    message: "must be of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    fieldPath: ".name",
  }),
  ...unlessUnchanged(["mode", "osType"], {
    rule: `self.mode != 'System' || ${valueOr("osType", "'Linux'")("self")} != 'Windows'`,
    message: "must be User for Windows: AKS itself needs Linux nodes",
    fieldPath: ".mode",
  }),
  ...unlessUnchanged(["nodePublicIPPrefixID", "enableNodePublicIP"], {
    rule: `!${given("nodePublicIPPrefixID")("self")} || ${valueOr("enableNodePublicIP", "false")("self")}`,
    message: "must be absent unless enableNodePublicIP is true",
    fieldPath: ".nodePublicIPPrefixID",
  }),
  ...unlessUnchanged(["linuxOSConfig", "kubeletConfig"], {
    rule: `!has(self.linuxOSConfig) || !has(self.linuxOSConfig.swapFileSizeMB) || !${valueOr("kubeletConfig.failSwapOn", "true")("self")}`,
    message: "must be absent unless kubeletConfig.failSwapOn is false",
    fieldPath: ".linuxOSConfig.swapFileSizeMB",
  }),
];

const byAzure = "make another pool and delete this one";
const zones = valueOr("availabilityZones", "[]");

/** What neither a pool nor a template changes. */
const everywhere: readonly ChangeRule[] = [
  textStays("osType", byAzure),
  textStays("sku", byAzure),
  numberStays("osDiskSizeGB", byAzure),
  {
    field: "availabilityZones",
    holds: (now, was) =>
      `size(${zones(now)}) == size(${zones(was)}) && ${everyOf("availabilityZones", "zone", `zone in ${was}.availabilityZones`)(now)}`,
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
      `!${given("subnetName")(was)} || has(${now}.subnetName) && ${now}.subnetName == ${was}.subnetName`,
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
