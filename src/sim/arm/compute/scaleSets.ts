import { nextGuid, type Resource, type World } from "../armState.ts";
import { fill, fills, writeOnly } from "../fieldRules.ts";
import { clone, type JsonObject, numberAt, objectAt, propertiesOf, sameText, textAt, textsAt } from "../json.ts";
import { firstRefusal } from "../protocol.ts";
import { newResource } from "../resource.ts";
import { groupIdOf, keyOf, nameOf } from "../resourceTarget.ts";
import { drop, find, ofType, save, under } from "../store.ts";
import type { ActionResult, Draft, TypeRules } from "../typeRules.ts";
import { attachDisks, releaseDisks } from "./disks.ts";
import {
  allocationFailure,
  type Demand,
  fillSystemDisk,
  osProfileDefaults,
  sizeOnSale,
  withinQuota,
} from "./machineProfile.ts";
import { instanceView, machineAction } from "./virtualMachines.ts";

const uniformInstance = "Microsoft.Compute/virtualMachineScaleSets/virtualMachines";

const isFlexible = (set: Resource): boolean =>
  sameText(textAt(set.body, "properties", "orchestrationMode"), "Flexible");

/** The instances of a scale set: below it, or machines that name it. */
export const instancesOf = (world: World, set: Resource): readonly Resource[] =>
  isFlexible(set)
    ? ofType(world.state, "Microsoft.Compute/virtualMachines").filter(
        ({ body }) => keyOf(textAt(body, "properties", "virtualMachineScaleSet", "id")) === set.key,
      )
    : under(world.state, set.key).filter(({ type }) => sameText(type, uniformInstance));

const profileOf = (set: Resource): JsonObject => objectAt(set.body, "properties", "virtualMachineProfile");

const instanceBody = (world: World, set: Resource, number: number): JsonObject => {
  const profile = profileOf(set);
  const zones = textsAt(set.body, "zones");
  const prefix = textAt(profile, "osProfile", "computerNamePrefix") || nameOf(set.id);
  return {
    location: set.body["location"] ?? "",
    ...(set.body["tags"] === undefined ? {} : { tags: clone(set.body["tags"]) }),
    ...(zones.length === 0 ? {} : { zones: [zones[number % zones.length]!] }),
    properties: {
      provisioningState: "Succeeded",
      vmId: nextGuid(world.state),
      hardwareProfile: { vmSize: textAt(set.body, "sku", "name") },
      storageProfile: clone(objectAt(profile, "storageProfile")),
      osProfile: {
        ...clone(objectAt(profile, "osProfile")),
        computerName: `${prefix}${number.toString(36).padStart(6, "0")}`,
      },
      networkProfile: { networkInterfaces: [] },
      ...(isFlexible(set)
        ? { virtualMachineScaleSet: { id: set.id } }
        : { latestModelApplied: true, modelDefinitionApplied: "VirtualMachineScaleSet" }),
    },
  };
};

const addInstance = (world: World, set: Resource): void => {
  const number = Number(set.notes["next"] ?? 0);
  set.notes["next"] = number + 1;
  const flexible = isFlexible(set);
  const name = flexible ? `${nameOf(set.id)}_${number.toString(16).padStart(8, "0")}` : String(number);
  const id = flexible
    ? `${groupIdOf(set.id) ?? ""}/providers/Microsoft.Compute/virtualMachines/${name}`
    : `${set.id}/virtualMachines/${number}`;
  const instance = newResource(
    world,
    id,
    flexible ? "Microsoft.Compute/virtualMachines" : uniformInstance,
    instanceBody(world, set, number),
  );
  if (flexible) {
    objectAt(instance.body, "properties", "storageProfile", "osDisk")["name"] ??= `${name}_disk1`;
    save(world.state, instance);
    attachDisks(world, instance);
  } else
    Object.assign(instance.body, {
      name: `${nameOf(set.id)}_${number}`,
      instanceId: String(number),
      sku: clone(objectAt(set.body, "sku")),
    });
  save(world.state, instance);
};

const removeInstance = (world: World, instance: Resource): void => {
  drop(world, instance);
  releaseDisks(world, instance);
};

/** Brings the number of instances to the capacity; the newest go first. */
export const scale = (world: World, set: Resource): void => {
  const wanted = numberAt(set.body, "sku", "capacity") ?? 0;
  const present = instancesOf(world, set);
  for (let count = present.length; count < wanted; count += 1) addInstance(world, set);
  for (const instance of present.slice(wanted)) removeInstance(world, instance);
};

const imageOf = (body: JsonObject): string =>
  JSON.stringify(objectAt(body, "storageProfile")["imageReference"] ?? null);

/** Instances whose image differs from the model's are marked. */
const markStale = (world: World, set: Resource): void => {
  if (isFlexible(set)) return;
  for (const instance of instancesOf(world, set)) {
    const properties = propertiesOf(instance.body);
    properties["latestModelApplied"] = imageOf(properties) === imageOf(profileOf(set));
    save(world.state, instance);
  }
};

const upgrade = (world: World, set: Resource, ids: readonly string[]): void => {
  for (const instance of instancesOf(world, set)) {
    if (!ids.includes("*") && !ids.includes(textAt(instance.body, "instanceId"))) continue;
    const properties = propertiesOf(instance.body);
    const image = profileOf(set)["storageProfile"];
    objectAt(properties, "storageProfile")["imageReference"] = clone(objectAt(image)["imageReference"] ?? null);
    properties["latestModelApplied"] = true;
    save(world.state, instance);
  }
};

const deleteInstances = (world: World, set: Resource, ids: readonly string[]): void => {
  const gone = instancesOf(world, set).filter(
    ({ body, id }) => ids.includes(textAt(body, "instanceId")) || ids.includes(nameOf(id)),
  );
  for (const instance of gone) removeInstance(world, instance);
  shrink(world, set, gone.length);
};

const shrink = (world: World, set: Resource, by: number): void => {
  const sku = objectAt(set.body, "sku");
  sku["capacity"] = Math.max(0, (numberAt(sku, "capacity") ?? 0) - by);
  save(world.state, set);
};

const action = (set: Resource, name: string, body: JsonObject): ActionResult | undefined => {
  const ids = textsAt(body, "instanceIds");
  if (name === "manualupgrade") return { kind: "operation", finish: (world) => upgrade(world, set, ids) };
  if (name === "delete") return { kind: "operation", finish: (world) => deleteInstances(world, set, ids) };
  return undefined;
};

const demandOf = ({ id, body }: Draft): Demand => ({
  id,
  size: textAt(body, "sku", "name"),
  location: textAt(body, "location"),
  zones: textsAt(body, "zones"),
  count: numberAt(body, "sku", "capacity") ?? 0,
});

const nicModel = "properties.virtualMachineProfile.networkProfile.networkInterfaceConfigurations[].properties";

/** Scale sets, uniform and flexible, with their instances. */
export const virtualMachineScaleSets: TypeRules = {
  type: "Microsoft.Compute/virtualMachineScaleSets",
  etag: "quoted",
  owned: ["uniqueId", "timeCreated"],
  put: { retryAfterSeconds: 10 },
  fields: [
    writeOnly("properties.virtualMachineProfile.osProfile.adminPassword"),
    writeOnly("properties.virtualMachineProfile.osProfile.customData"),
    writeOnly("properties.virtualMachineProfile.userData"),
    writeOnly("properties.virtualMachineProfile.extensionProfile.extensions[].properties.protectedSettings"),
    fill("sku.tier", "Standard"),
    ...fills("properties", {
      singlePlacementGroup: false,
      overprovision: true,
      orchestrationMode: "Uniform",
      platformFaultDomainCount: 1,
      doNotRunExtensionsOnOverprovisionedVMs: false,
    }),
    ...fills("properties.virtualMachineProfile.osProfile", osProfileDefaults),
    ...fills(nicModel, { enableAcceleratedNetworking: false, enableIPForwarding: false }),
    fill(`${nicModel}.dnsSettings`, { dnsServers: [] }),
    fill(`${nicModel}.ipConfigurations[].properties.privateIPAddressVersion`, "IPv4"),
  ],
  compute: ({ world, body }) => {
    const properties = propertiesOf(body);
    if ((world.state.options.defaults ?? "azure") === "azure")
      fillSystemDisk(objectAt(properties, "virtualMachineProfile"), "None");
    properties["uniqueId"] ??= nextGuid(world.state);
    properties["timeCreated"] ??= new Date(world.nowMs).toISOString();
  },
  check: (draft) =>
    firstRefusal(
      () => sizeOnSale(draft.world, demandOf(draft)),
      () => withinQuota(draft.world, demandOf(draft)),
    ),
  fails: (draft) => allocationFailure(draft.world, demandOf(draft)),
  provisioned: (world, set) => {
    scale(world, set);
    markStale(world, set);
  },
  removed: (world, set) => {
    for (const instance of instancesOf(world, set)) removeInstance(world, instance);
  },
  action: (_world, set, name, body) => action(set, name, body),
};

/** Instances of uniform scale sets. */
export const scaleSetInstances: TypeRules = {
  type: uniformInstance,
  location: "optional",
  owned: ["vmId"],
  removed: (world, instance) => {
    const set = find(world.state, instance.id.split("/").slice(0, -2).join("/"));
    if (set !== undefined) shrink(world, set, 1);
    releaseDisks(world, instance);
  },
  action: (_world, instance, name) => machineAction(instance, name),
  view: (_world, instance, body, expand) => {
    if (/instanceView/i.test(expand)) propertiesOf(body)["instanceView"] = instanceView(instance);
  },
};

/** Instances as the list of a flexible scale set shows them. */
export const flexibleInstanceView = (body: JsonObject): JsonObject => ({
  ...body,
  instanceId: textAt(body, "name"),
  type: uniformInstance,
  properties: { ...propertiesOf(body), latestModelApplied: true },
});
