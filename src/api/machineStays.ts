import { uncachedStorage } from "./disks.ts";
import { sameAssignmentName } from "./machineIdentity.ts";
import type { Rule } from "./schema.ts";
import { isSameAt, valueOr } from "./valueOr.ts";

/**
 * What of a machine stays, and when it counts as the same. An earlier provider wrote its defaults into specs; whoever
 * applies the manifest again without them, or takes them over into the manifest, changes nothing.
 */
export interface Stay {
  readonly field: string;
  /** Whether two specs mean the same, in CEL; `now` and `before` are the specs. */
  readonly same: (now: string, before: string) => string;
}

/** Two specs mean the same by what an expression makes of each. */
const by =
  (meaning: (spec: string) => string): Stay["same"] =>
  (now, before) =>
    `${meaning(now)} == ${meaning(before)}`;
const byValue = (path: string, fallback: string): Stay["same"] => by((spec) => valueOr(`${spec}.${path}`, fallback));
const every =
  (...parts: readonly Stay["same"][]): Stay["same"] =>
  (now, before) =>
    parts.map((part) => `(${part(now, before)})`).join(" && ");

const whole = (field: string): Stay => ({ field, same: (now, before) => isSameAt(now, before, field) });
const value = (field: string, fallback: string): Stay => ({ field, same: byValue(field, fallback) });

/** The default names the subscription of the cluster, which a machine does not know; any may be it. */
const orDefault =
  (field: string, pattern: string): Stay["same"] =>
  (now, before) => {
    const [is, was] = [now, before].map((spec) => valueOr(`${spec}.systemAssignedIdentityRole.${field}`, "''"));
    return `${is} == ${was} || (${is} == '' && ${was}.matches('${pattern}')) || (${was} == '' && ${is}.matches('${pattern}'))`;
  };
const contributor =
  "^/subscriptions/[^/]+/providers/Microsoft[.]Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c$";
const role: Stay = {
  field: "systemAssignedIdentityRole",
  same: every(
    sameAssignmentName,
    orDefault("definitionID", contributor),
    orDefault("scope", "^/subscriptions/[^/]+/?$"),
  ),
};

const uncached = uncachedStorage.map((type) => `'${type}'`).join(", ");
const caching = (disk: string): string =>
  valueOr(
    `${disk}.cachingType`,
    `(${valueOr(`${disk}.managedDisk.storageAccountType`, "''")} in [${uncached}] ? 'None' : 'ReadWrite')`,
  );
const units = Array.from({ length: 64 }, (_, unit) => unit).join(", ");
/** The units in the order of the disks; those left out are the lowest free ones below the number of disks. */
const luns = (disks: string): string => {
  const free = `[${units}].filter(unit, unit < size(${disks}) && !${disks}.exists(disk, has(disk.lun) && disk.lun == unit))`;
  const without = `${disks}.filter(disk, !has(disk.lun)).map(disk, disk.nameSuffix)`;
  const next = "without.indexOf(disk.nameSuffix)";
  // More disks than there are units were never a machine, but may have been let pass.
  const unit = `has(disk.lun) ? disk.lun : ${next} < size(free) ? free[${next}] : -1`;
  // The maps over lists of one item give their values a name.
  return `[${free}].map(free, [${without}].map(without, ${disks}.map(disk, ${unit})))`;
};
const sameDisks = every(
  by((disks) => `${disks}.map(disk, disk.nameSuffix)`),
  by((disks) => `${disks}.map(disk, disk.diskSizeGB)`),
  (now, before) =>
    `${now}.all(disk, ${before}.exists(was, was.nameSuffix == disk.nameSuffix && ${isSameAt("disk", "was", "managedDisk")}))`,
  by((disks) => `${disks}.map(disk, ${caching("disk")})`),
  by(luns),
);
const dataDisks: Stay = {
  field: "dataDisks",
  same: (now, before) => {
    const [has, had] = [now, before].map((spec) => `size(${valueOr(`${spec}.dataDisks`, "[]")}) > 0`);
    return `(${has}) == (${had}) && (!(${has}) || (${sameDisks(`${now}.dataDisks`, `${before}.dataDisks`)}))`;
  },
};

const price = (spec: string): string => `${spec}.spotVMOptions.maxPrice`;
const sameSpot = every(
  by((spec) =>
    valueOr(`${spec}.spotVMOptions.evictionPolicy`, `(has(${spec}.osDisk.diffDiskSettings) ? 'Delete' : 'Deallocate')`),
  ),
  by((spec) => `has(${price(spec)})`),
  (now, before) =>
    `!has(${price(now)}) || quantity(string(${price(now)})).compareTo(quantity(string(${price(before)}))) == 0`,
);
const spot: Stay = {
  field: "spotVMOptions",
  same: (now, before) =>
    `has(${now}.spotVMOptions) == has(${before}.spotVMOptions) && (!has(${now}.spotVMOptions) || (${sameSpot(now, before)}))`,
};

/** What each interface says, of the list or of the fields that came before it; without either there is one. */
const interfaces = (spec: string, ofEach: string, ofNone: string): string =>
  `(size(${valueOr(`${spec}.networkInterfaces`, "[]")}) > 0 ? ${spec}.networkInterfaces.map(it, ${ofEach}) : [${ofNone}])`;
const subnets = (spec: string): string =>
  interfaces(spec, valueOr("it.subnetName", "''"), valueOr(`${spec}.subnetName`, "''"));
const acceleration = (at: string): string =>
  `(has(${at}.acceleratedNetworking) ? string(${at}.acceleratedNetworking) : '')`;
const networkInterfaces: Stay = {
  field: "networkInterfaces",
  same: every(
    // An earlier provider wrote the subnet of the machine's role into the first interface.
    (now, before) =>
      `${subnets(now)} == ${subnets(before)} || (${subnets(before)}[0] == '' && ${subnets(now)} == [${subnets(now)}[0]] + ${subnets(before)}.filter(it, it != ''))`,
    by((spec) =>
      interfaces(spec, "has(it.privateIPConfigs) && it.privateIPConfigs > 0 ? it.privateIPConfigs : 1", "1"),
    ),
    by((spec) => interfaces(spec, acceleration("it"), acceleration(spec))),
  ),
};

/** Everything of a machine that Azure cannot change, or that is said once and for all. */
export const machineStays: readonly Stay[] = [
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
  {
    field: "diagnostics",
    same: every(
      byValue("diagnostics.boot.storageAccountType", "'Managed'"),
      byValue("diagnostics.boot.userManaged.storageAccountURI", "''"),
    ),
  },
  {
    field: "disableVMBootstrapExtension",
    same: (now, before) =>
      `!has(${before}.disableVMBootstrapExtension) || ${byValue("disableVMBootstrapExtension", "true")(now, before)}`,
  },
  networkInterfaces,
];

/** The rules of a machine about changes. */
export const machineStaysRules: readonly Rule[] = machineStays.map(({ field, same }) => ({
  rule: same("self", "oldSelf"),
  message: "must stay as it is: make a new machine for another one",
  fieldPath: `.${field}`,
  reason: "FieldValueForbidden",
}));
