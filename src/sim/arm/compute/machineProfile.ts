import type { World } from "../armState.ts";
import { sizeOf } from "../catalogue/sizes.ts";
import { isObject, type JsonObject, numberAt, objectAt, sameText, textAt } from "../json.ts";
import type { Shortage } from "../options.ts";
import { type Answer, refuse } from "../protocol.ts";
import { subscriptionOf } from "../resourceTarget.ts";
import { ofType } from "../store.ts";

/** A request for machines: how many of which size, where. */
export interface Demand {
  readonly id: string;
  readonly size: string;
  readonly location: string;
  readonly zones: readonly string[];
  readonly count: number;
}

const shortageFor = (world: World, demand: Demand): Shortage | undefined =>
  world.state.options.shortages?.find(
    (shortage) =>
      sameText(shortage.size, demand.size) &&
      (shortage.location === undefined || sameText(shortage.location, demand.location)) &&
      (shortage.zone === undefined || demand.zones.includes(shortage.zone)),
  );

/** Refuses sizes that a region does not sell. */
export const sizeOnSale = (world: World, demand: Demand): Answer | undefined => {
  const shortage = shortageFor(world, demand);
  if (shortage?.code !== "SkuNotAvailable") return undefined;
  return refuse(
    409,
    "SkuNotAvailable",
    `The requested VM size for resource '${demand.id}' is currently not available in location '${demand.location}' zones '${demand.zones.join(",")}' for subscription '${subscriptionOf(demand.id)}'. Please try another size or deploy to a different location or zones. See https://aka.ms/azureskunotavailable for details.`,
  );
};

/** The failure of an allocation that is found out only later. */
export const allocationFailure = (world: World, demand: Demand): { code: string; message: string } | undefined => {
  const shortage = shortageFor(world, demand);
  if (shortage === undefined || shortage.code === "SkuNotAvailable") return undefined;
  return {
    code: shortage.code,
    message: `Allocation failed. We do not have sufficient capacity for the requested VM size ${demand.size} in this region or zone.`,
  };
};

const coresOf = (size: string): number => sizeOf(size)?.cores ?? 2;

const machines = (
  world: World,
  subscription: string,
  location: string,
): readonly { id: string; size: string; count: number }[] =>
  [
    ...ofType(world.state, "Microsoft.Compute/virtualMachines").map(({ id, body }) => ({
      id,
      body,
      size: textAt(body, "properties", "hardwareProfile", "vmSize"),
      count: textAt(body, "properties", "virtualMachineScaleSet", "id") === "" ? 1 : 0,
    })),
    ...ofType(world.state, "Microsoft.Compute/virtualMachineScaleSets").map(({ id, body }) => ({
      id,
      body,
      size: textAt(body, "sku", "name"),
      count: numberAt(body, "sku", "capacity") ?? 0,
    })),
  ].filter(({ id, body }) => sameText(subscriptionOf(id), subscription) && textAt(body, "location") === location);

/** Cores in use in a region, of one family or of all. */
export const coresInUse = (
  world: World,
  subscription: string,
  location: string,
  family?: string,
  except = "",
): number =>
  machines(world, subscription, location)
    .filter(({ id, size }) => id !== except && (family === undefined || sizeOf(size)?.family === family))
    .reduce((sum, { size, count }) => sum + coresOf(size) * count, 0);

const overQuota = (demand: Demand, what: string, limit: number, current: number, wanted: number): Answer | undefined =>
  current + wanted <= limit
    ? undefined
    : refuse(
        409,
        "OperationNotAllowed",
        `Operation could not be completed as it results in exceeding approved ${what} Cores quota. Additional details - Deployment Model: Resource Manager, Location: ${demand.location}, Current Limit: ${limit}, Current Usage: ${current}, Additional Required: ${wanted}, (Minimum) New Limit Required: ${current + wanted}.`,
      );

/** Refuses what goes beyond the cores of a region or of a family. */
export const withinQuota = (world: World, demand: Demand): Answer | undefined => {
  const { quotas } = world.state.options;
  const subscription = subscriptionOf(demand.id);
  const wanted = coresOf(demand.size) * demand.count;
  const family = sizeOf(demand.size)?.family ?? "";
  const ofFamily = quotas?.families?.[family];
  const regional =
    quotas?.cores === undefined
      ? undefined
      : overQuota(
          demand,
          "Total Regional",
          quotas.cores,
          coresInUse(world, subscription, demand.location, undefined, demand.id),
          wanted,
        );
  if (regional !== undefined || ofFamily === undefined) return regional;
  return overQuota(
    demand,
    family,
    ofFamily,
    coresInUse(world, subscription, demand.location, family, demand.id),
    wanted,
  );
};

/** What Azure makes of the disk of the operating system at once: with an image, there is one without being asked for. */
export const fillSystemDisk = (profile: JsonObject, caching: string): void => {
  const storage = objectAt(profile, "storageProfile");
  if (isObject(storage["imageReference"])) storage["osDisk"] ??= { createOption: "FromImage" };
  const disk = storage["osDisk"];
  if (!isObject(disk)) return;
  const windows = isObject(objectAt(profile, "osProfile")["windowsConfiguration"]);
  disk["osType"] ??= windows ? "Windows" : "Linux";
  disk["caching"] ??= caching;
  if (!sameText(textAt(disk, "createOption"), "FromImage")) return;
  disk["diskSizeGB"] ??= 30;
  disk["managedDisk"] = { storageAccountType: "Premium_LRS", ...objectAt(disk, "managedDisk") };
};

/** What Azure adds to an operating system profile. */
export const osProfileDefaults: JsonObject = {
  secrets: [],
  allowExtensionOperations: true,
  requireGuestProvisionSignal: true,
};
