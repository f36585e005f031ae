import { allOf, type Change, same, sameAt } from "../cel/change.ts";
import type { ChangeRule } from "../cel/changeRule.ts";
import { filled, type Part, present, valueOr } from "../cel/parts.ts";
import { uncachedStorage } from "./disks.ts";
import { contributor, sameAssignmentName } from "./machineIdentity.ts";

/** What of a machine stays: everything that Azure cannot change, or that is said once and for all. */

const forbidden = (field: string, holds: Change): ChangeRule => ({
  field,
  holds,
  message: "must stay as it is: make a new machine for another one",
  reason: "FieldValueForbidden",
});
const whole = (field: string): ChangeRule => forbidden(field, sameAt(field));
const value = (field: string, fallback: string): ChangeRule => forbidden(field, same(valueOr(field, fallback)));

/** The default names the subscription of the cluster, which a machine does not know; any may be it. */
const orDefault =
  (field: string, pattern: string): Change =>
  (now, was) => {
    const [is, had] = [now, was].map(valueOr(`systemAssignedIdentityRole.${field}`, "''"));
    return `${is} == ${had} || (${is} == '' && ${had}.matches('${pattern}')) || (${had} == '' && ${is}.matches('${pattern}'))`;
  };
const definition = `^/subscriptions/[^/]+/providers/Microsoft[.]Authorization/roleDefinitions/${contributor}$`;
const role = forbidden(
  "systemAssignedIdentityRole",
  allOf(sameAssignmentName, orDefault("definitionID", definition), orDefault("scope", "^/subscriptions/[^/]+/?$")),
);

const uncached = uncachedStorage.map((type) => `'${type}'`).join(", ");
const caching = valueOr(
  "cachingType",
  (disk) => `(${valueOr("managedDisk.storageAccountType", "''")(disk)} in [${uncached}] ? 'None' : 'ReadWrite')`,
);
const units = Array.from({ length: 64 }, (_, unit) => unit).join(", ");
/** The units in the order of the disks; those left out are the lowest free ones below the number of disks. */
const luns: Part = (disks) => {
  const free = `[${units}].filter(unit, unit < size(${disks}) && !${disks}.exists(disk, has(disk.lun) && disk.lun == unit))`;
  const without = `${disks}.filter(disk, !has(disk.lun)).map(disk, disk.nameSuffix)`;
  const next = "without.indexOf(disk.nameSuffix)";
  // More disks than there are units were never a machine, but may have been let pass.
  const unit = `has(disk.lun) ? disk.lun : ${next} < size(free) ? free[${next}] : -1`;
  // The maps over lists of one item give their values a name.
  return `[${free}].map(free, [${without}].map(without, ${disks}.map(disk, ${unit})))`;
};
const sameDisks = allOf(
  same((disks) => `${disks}.map(disk, disk.nameSuffix)`),
  same((disks) => `${disks}.map(disk, disk.diskSizeGB)`),
  (now, was) =>
    `${now}.all(disk, ${was}.exists(was, was.nameSuffix == disk.nameSuffix && ${sameAt("managedDisk")("disk", "was")}))`,
  same((disks) => `${disks}.map(disk, ${caching("disk")})`),
  same(luns),
);
const hasDisks = filled("dataDisks");
const dataDisks = forbidden(
  "dataDisks",
  (now, was) =>
    `${same(hasDisks)(now, was)} && (!${hasDisks(now)} || (${sameDisks(`${now}.dataDisks`, `${was}.dataDisks`)}))`,
);

const price: Part = (spec) => `${spec}.spotVMOptions.maxPrice`;
const amount: Part = (spec) => `quantity(string(${price(spec)}))`;
const sameSpot = allOf(
  same(
    valueOr(
      "spotVMOptions.evictionPolicy",
      (spec) => `(has(${spec}.osDisk.diffDiskSettings) ? 'Delete' : 'Deallocate')`,
    ),
  ),
  same((spec) => `has(${price(spec)})`),
  (now, was) => `!has(${price(now)}) || ${amount(now)}.compareTo(${amount(was)}) == 0`,
);
const isSpot = present("spotVMOptions");
const spot = forbidden(
  "spotVMOptions",
  (now, was) => `${same(isSpot)(now, was)} && (!${isSpot(now)} || (${sameSpot(now, was)}))`,
);

/** What each interface says, of the list or of the fields that came before it; without either there is one. */
const interfaces = (spec: string, ofEach: string, ofNone: string): string =>
  `(${filled("networkInterfaces")(spec)} ? ${spec}.networkInterfaces.map(it, ${ofEach}) : [${ofNone}])`;
const subnetName = valueOr("subnetName", "''");
const subnets: Part = (spec) => interfaces(spec, subnetName("it"), subnetName(spec));
const acceleration: Part = (at) => `(has(${at}.acceleratedNetworking) ? string(${at}.acceleratedNetworking) : '')`;
const networkInterfaces = forbidden(
  "networkInterfaces",
  allOf(
    // An earlier provider wrote the subnet of the machine's role into the first interface.
    (now, was) =>
      `${same(subnets)(now, was)} || (${subnets(was)}[0] == '' && ${subnets(now)} == [${subnets(now)}[0]] + ${subnets(was)}.filter(it, it != ''))`,
    same((spec) =>
      interfaces(spec, "has(it.privateIPConfigs) && it.privateIPConfigs > 0 ? it.privateIPConfigs : 1", "1"),
    ),
    same((spec) => interfaces(spec, acceleration("it"), acceleration(spec))),
  ),
);

/** Whether a VM does without the extension that reports its bootstrap: may be said later, and then stays. */
export const bootstrapExtensionStays = forbidden(
  "disableVMBootstrapExtension",
  (now, was) =>
    `!has(${was}.disableVMBootstrapExtension) || ${same(valueOr("disableVMBootstrapExtension", "true"))(now, was)}`,
);

/** What of a machine stays. */
export const machineStays: readonly ChangeRule[] = [
  whole("image"),
  value("identity", "'None'"),
  value("userAssignedIdentities", "[]"),
  role,
  whole("osDisk"),
  dataDisks,
  value("sshPublicKey", "''"),
  value("allocatePublicIP", "false"),
  value("enableIPForwarding", "false"),
  spot,
  whole("securityProfile"),
  value("capacityReservationGroupID", "''"),
  value("virtualMachineScaleSetID", "''"),
  value("disableExtensionOperations", "false"),
  forbidden(
    "diagnostics",
    allOf(
      same(valueOr("diagnostics.boot.storageAccountType", "'Managed'")),
      same(valueOr("diagnostics.boot.userManaged.storageAccountURI", "''")),
    ),
  ),
  bootstrapExtensionStays,
  networkInterfaces,
];
