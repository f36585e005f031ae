import { nextGuid, type Resource, type World } from "../armState.ts";
import { fill, fills, readOnly, writeOnly } from "../fieldRules.ts";
import { clone, type JsonObject, listAt, objectAt, propertiesOf, sameText, textAt, textsAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { keyOf, nameOf } from "../resourceTarget.ts";
import { drop, find, referencesTo, under } from "../store.ts";
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

const demandOf = (draft: Draft): Demand => ({
  id: draft.id,
  size: textAt(draft.body, "properties", "hardwareProfile", "vmSize"),
  location: textAt(draft.body, "location"),
  zones: textsAt(draft.body, "zones"),
  count: 1,
});

const nicIdsOf = (body: JsonObject): readonly string[] =>
  listAt(body, "properties", "networkProfile", "networkInterfaces").map((nic) => textAt(nic, "id"));

const bad = (code: string, message: string, target?: string): Answer =>
  refuse(409, code, message, target === undefined ? {} : { target });

/** What no update may change. Source: https://learn.microsoft.com/rest/api/compute/virtual-machines/create-or-update */
const immutable = [
  ["osProfile", "computerName"],
  ["osProfile", "adminUsername"],
  ["storageProfile", "imageReference"],
] as const;

const checkImmutable = ({ existing, body }: Draft): Answer | undefined => {
  if (existing === undefined) return undefined;
  for (const path of immutable) {
    const before = JSON.stringify(objectAt(existing.body, "properties", path[0])[path[1]]);
    const now = objectAt(body, "properties", path[0])[path[1]];
    if (now !== undefined && before !== undefined && JSON.stringify(now) !== before)
      return bad("PropertyChangeNotAllowed", `Changing property '${path.at(-1)}' is not allowed.`, path.at(-1));
  }
  return undefined;
};

const checkNics = ({ world, body, id }: Draft): Answer | undefined => {
  for (const nicId of nicIdsOf(body)) {
    const other = referencesTo(world.state, nicId).find(
      ({ holder, type }) => holder !== keyOf(id) && /\/virtualMachines$/i.test(type),
    );
    if (other !== undefined)
      return refuse(400, "NicInUse", `Network Interface ${nicId} is used by existing resource ${other.from}.`);
    if ((world.state.reservedNics.get(keyOf(nicId)) ?? 0) > world.nowMs)
      return refuse(
        400,
        "NicReservedForAnotherVm",
        `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved NIC(s): ${nicId}.`,
      );
  }
  return undefined;
};

const compute = ({ world, body, existing }: Draft): void => {
  const properties = propertiesOf(body);
  properties["vmId"] ??= nextGuid(world.state);
  properties["timeCreated"] ??= new Date(world.nowMs).toISOString();
  if ((world.state.options.defaults ?? "azure") === "azure") fillSystemDisk(properties, "ReadWrite");
  const system = objectAt(properties, "storageProfile", "osDisk");
  if (Object.keys(system).length === 0) return;
  const before = objectAt(existing?.body, "properties", "storageProfile", "osDisk");
  for (const name of ["name", "osType"]) if (before[name] !== undefined) system[name] ??= clone(before[name]);
  const managed = objectAt(system, "managedDisk");
  const { id } = objectAt(before, "managedDisk");
  if (id !== undefined && Object.keys(managed).length > 0) managed["id"] ??= id;
};

/** The disk gets its name, and becomes a resource, when the machine is made. */
const provisioned = (world: World, machine: Resource): void => {
  const system = objectAt(machine.body, "properties", "storageProfile", "osDisk");
  const unnamed = Object.keys(system).length > 0 && textAt(system, "managedDisk", "id") === "";
  if (unnamed) system["name"] ??= `${nameOf(machine.id)}_OsDisk_1_${nextGuid(world.state).replaceAll("-", "")}`;
  attachDisks(world, machine);
};

const reserveNics = (world: World, machine: Resource): void => {
  const lastsMs = world.state.options.nicReservationMs ?? 0;
  if (lastsMs === 0) return;
  for (const nicId of nicIdsOf(machine.body)) world.state.reservedNics.set(keyOf(nicId), world.nowMs + lastsMs);
};

const removed = (world: World, machine: Resource): void => {
  releaseDisks(world, machine);
  reserveNics(world, machine);
  for (const nic of listAt(machine.body, "properties", "networkProfile", "networkInterfaces")) {
    const owned =
      textAt(nic, "properties", "deleteOption") === "Delete" ? find(world.state, textAt(nic, "id")) : undefined;
    if (owned !== undefined) drop(world, owned);
  }
};

const powerAfter: Readonly<Record<string, string>> = {
  start: "running",
  restart: "running",
  redeploy: "running",
  reimage: "running",
  poweroff: "stopped",
  deallocate: "deallocated",
};

/** Power state and provisioning state in the words of an instance view. */
export const instanceView = (resource: Resource): JsonObject => {
  const power = String(resource.notes["power"] ?? "running");
  const state = textAt(resource.body, "properties", "provisioningState").toLowerCase() || "succeeded";
  return {
    computerName: textAt(resource.body, "properties", "osProfile", "computerName") || nameOf(resource.id),
    hyperVGeneration: "V2",
    vmAgent: {
      vmAgentVersion: "2.11.1.12",
      statuses: [{ code: "ProvisioningState/succeeded", level: "Info", displayStatus: "Ready" }],
    },
    statuses: [
      {
        code: `ProvisioningState/${state}`,
        level: state === "failed" ? "Error" : "Info",
        displayStatus: `Provisioning ${state}`,
      },
      { code: `PowerState/${power}`, level: "Info", displayStatus: `VM ${power}` },
    ],
  };
};

/** POST on a machine: power actions. */
export const machineAction = (resource: Resource, action: string): ActionResult | undefined => {
  const power = powerAfter[action];
  if (power === undefined) return undefined;
  return {
    kind: "operation",
    finish: () => {
      resource.notes["power"] = power;
    },
  };
};

/** Fields of an operating system profile that are accepted and never shown. */
const secretFields = ["adminPassword", "customData"].map((name) => writeOnly(`properties.osProfile.${name}`));

/** Virtual machines: their disks are resources of their own. */
export const virtualMachines: TypeRules = {
  type: "Microsoft.Compute/virtualMachines",
  etag: "quoted",
  zonal: true,
  owned: ["vmId", "timeCreated"],
  put: { retryAfterSeconds: 10, updateRetryAfterSeconds: undefined },
  fields: [
    ...readOnly("", "resources"),
    ...readOnly("properties", "instanceView"),
    ...secretFields,
    writeOnly("properties.userData"),
    ...fills("properties.osProfile", osProfileDefaults),
    ...fills("properties.storageProfile.osDisk", { caching: "ReadWrite", deleteOption: "Detach" }),
    fill("properties.storageProfile.dataDisks", []),
    ...fills("properties.storageProfile.dataDisks[]", { toBeDetached: false, deleteOption: "Detach" }),
  ],
  compute,
  check: (draft) =>
    firstRefusal(
      () => checkImmutable(draft),
      () => sizeOnSale(draft.world, demandOf(draft)),
      () => withinQuota(draft.world, demandOf(draft)),
      () => checkNics(draft),
    ),
  fails: (draft) => (draft.existing === undefined ? allocationFailure(draft.world, demandOf(draft)) : undefined),
  provisioned,
  removed,
  action: (_world, resource, action) => machineAction(resource, action),
  view: (world, resource, body, expand) => {
    const properties = propertiesOf(body);
    if (/instanceView/i.test(expand)) properties["instanceView"] = instanceView(resource);
    const userData = resource.secrets["properties.userData"];
    if (/userData/i.test(expand) && userData !== undefined) properties["userData"] = userData;
    const extensions = under(world.state, resource.key).filter(({ type }) => /\/extensions$/i.test(type));
    if (extensions.length > 0) body["resources"] = extensions.map((extension) => clone(extension.body));
  },
};

/** Extensions of a machine; their protected settings are never shown. */
export const virtualMachineExtensions: TypeRules = {
  type: "Microsoft.Compute/virtualMachines/extensions",
  put: { retryAfterSeconds: 10 },
  fields: [
    writeOnly("properties.protectedSettings"),
    fill("properties.suppressFailures", false),
    fill("properties.autoUpgradeMinorVersion", false),
  ],
};

/** Availability sets; each lists its machines. */
export const availabilitySets: TypeRules = {
  type: "Microsoft.Compute/availabilitySets",
  hasState: false,
  put: { how: "sync", created: 200 },
  remove: { how: "sync" },
  readsOnly: ["virtualMachines"],
  fields: [
    ...readOnly("properties", "virtualMachines"),
    fill("sku", { name: "Classic" }),
    ...fills("properties", { platformUpdateDomainCount: 5, platformFaultDomainCount: 2 }),
  ],
  inUse: (world, resource) =>
    referencesTo(world.state, resource.id).length === 0
      ? undefined
      : bad(
          "OperationNotAllowed",
          `Availability Set '${nameOf(resource.id)}' cannot be deleted, it still has virtual machines.`,
        ),
  view: (world, resource, body) => {
    propertiesOf(body)["virtualMachines"] = referencesTo(world.state, resource.id)
      .filter(({ type }) => sameText(type, "Microsoft.Compute/virtualMachines"))
      .map(({ from }) => ({ id: from }));
  },
};
