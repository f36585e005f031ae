import { nextGuid, type Resource, type World } from "../armState.ts";
import { applyFields, fill } from "../fieldRules.ts";
import { type JsonObject, listAt, numberAt, objectAt, propertiesOf, textAt } from "../json.ts";
import { refuse } from "../protocol.ts";
import { ensureResource } from "../resource.ts";
import { groupIdOf, nameOf } from "../resourceTarget.ts";
import { drop, find, save } from "../store.ts";
import type { TypeRules } from "../typeRules.ts";

const type = "Microsoft.Compute/disks";

const filled = [
  fill("sku", { name: "Standard_LRS" }),
  fill("properties.networkAccessPolicy", "AllowAll"),
  fill("properties.publicNetworkAccess", "Enabled"),
  fill("properties.encryption", { type: "EncryptionAtRestWithPlatformKey" }),
];

/** What Azure adds to a disk only when it is there. */
const fillDisk = (world: World, disk: Resource): void => {
  const properties = propertiesOf(disk.body);
  properties["diskState"] ??= "Unattached";
  properties["timeCreated"] ??= new Date(world.nowMs).toISOString();
  properties["uniqueId"] ??= nextGuid(world.state);
  properties["diskSizeBytes"] = (numberAt(properties, "diskSizeGB") ?? 0) * 1_073_741_824;
  const defaults = world.state.options.defaults ?? "azure";
  applyFields(filled, disk.body, disk.secrets, defaults);
  const sku = objectAt(disk.body, "sku");
  if (defaults === "azure") sku["tier"] ??= textAt(sku, "name").replace(/_.*$/, "");
};

/** Managed disks. */
export const disks: TypeRules = {
  type,
  zonal: true,
  owned: ["diskState", "uniqueId", "timeCreated", "diskSizeBytes"],
  put: { created: 202, updated: 202, creating: "Updating", retryAfterSeconds: 2 },
  provisioned: (world, disk) => fillDisk(world, disk),
  compute: ({ body, existing }) => {
    if (existing?.body["managedBy"] !== undefined) body["managedBy"] = existing.body["managedBy"];
  },
  inUse: (_world, resource) =>
    textAt(resource.body, "managedBy") === ""
      ? undefined
      : refuse(
          409,
          "OperationNotAllowed",
          `Disk ${nameOf(resource.id)} is attached to VM ${textAt(resource.body, "managedBy")}.`,
        ),
};

/** Every disk of a storage profile, the operating system's first. */
export const disksOf = (body: JsonObject): readonly JsonObject[] => {
  const storage = objectAt(body, "properties", "storageProfile");
  const system = objectAt(storage, "osDisk");
  return [...(Object.keys(system).length > 0 ? [system] : []), ...listAt(storage, "dataDisks")];
};

/** Makes or attaches the disks of a machine, and writes their ids into its body. */
export const attachDisks = (world: World, machine: Resource): void => {
  for (const entry of disksOf(machine.body)) {
    const name = textAt(entry, "name");
    const given = textAt(entry, "managedDisk", "id");
    const id = given || `${groupIdOf(machine.id) ?? ""}/providers/${type}/${name}`;
    if (name === "" && given === "") continue;
    const disk = ensureResource(world, id, type, () => ({
      location: machine.body["location"] ?? "",
      ...(machine.body["zones"] === undefined ? {} : { zones: machine.body["zones"] }),
      sku: { name: textAt(entry, "managedDisk", "storageAccountType") || "Premium_LRS" },
      properties: {
        provisioningState: "Succeeded",
        diskSizeGB: entry["diskSizeGB"] ?? 30,
        creationData: { createOption: entry["createOption"] ?? "Empty" },
      },
    }));
    fillDisk(world, disk);
    disk.body["managedBy"] = machine.id;
    propertiesOf(disk.body)["diskState"] = "Attached";
    save(world.state, disk);
    const managed = objectAt(entry, "managedDisk");
    entry["managedDisk"] = { storageAccountType: "Premium_LRS", ...managed, id: disk.id };
    entry["name"] ??= nameOf(disk.id);
  }
};

/** What a machine's disks do when it goes: away with it, or free again. */
export const releaseDisks = (world: World, machine: Resource): void => {
  for (const entry of disksOf(machine.body)) {
    const disk = find(world.state, textAt(entry, "managedDisk", "id"));
    if (disk === undefined) continue;
    if (textAt(entry, "deleteOption") === "Delete") drop(world, disk);
    else {
      delete disk.body["managedBy"];
      propertiesOf(disk.body)["diskState"] = "Unattached";
      save(world.state, disk);
    }
  }
};
