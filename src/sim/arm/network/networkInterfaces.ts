import { createHash } from "node:crypto";
import type { Resource, World } from "../armState.ts";
import { fill, fills, readOnly } from "../fieldRules.ts";
import { type JsonObject, listAt, objectAt, propertiesOf, textAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { referencesTo } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { heldBy, nameReferrer } from "./backReferences.ts";
import { allocateAddresses, checkAddresses, publicIpIds, publicIpsFree } from "./ipConfigurations.ts";

const isMachine = heldBy(/\/virtualMachines$/i);

/** A hardware address from Microsoft's block, the same for the same id. */
const macOf = (id: string): string => {
  const hash = createHash("sha256").update(id.toLowerCase()).digest("hex").toUpperCase();
  return `00-0D-3A-${hash.slice(0, 2)}-${hash.slice(2, 4)}-${hash.slice(4, 6)}`;
};

/** The names inside a virtual network end alike. */
const suffixOf = (configurations: readonly JsonObject[]): string => {
  const networkId = textAt(configurations[0], "properties", "subnet", "id").split("/").slice(0, -2).join("/");
  const hash = createHash("sha256").update(networkId.toLowerCase()).digest("hex");
  return `${hash.slice(0, 26)}.xx.internal.cloudapp.net`;
};

const compute = (draft: Draft): void => {
  const configurations = listAt(draft.body, "properties", "ipConfigurations");
  if ((draft.world.state.options.defaults ?? "azure") === "azure")
    for (const [at, configuration] of configurations.entries()) propertiesOf(configuration)["primary"] ??= at === 0;
  allocateAddresses(draft, "ipConfigurations");
  if ((draft.world.state.options.defaults ?? "azure") === "azure")
    objectAt(draft.body, "properties", "dnsSettings")["internalDomainNameSuffix"] = suffixOf(configurations);
};

const reserved = (world: World, resource: Resource): Answer | undefined => {
  const untilMs = world.state.reservedNics.get(resource.key) ?? 0;
  return untilMs <= world.nowMs
    ? undefined
    : refuse(
        400,
        "NicReservedForAnotherVm",
        `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved NIC(s): ${resource.id}.`,
        { details: [] },
      );
};

const inUse = (world: World, resource: Resource): Answer | undefined => {
  const machine = referencesTo(world.state, resource.id).find(isMachine);
  return machine === undefined
    ? reserved(world, resource)
    : refuse(
        400,
        "NicInUse",
        `Network Interface ${resource.id} is used by existing resource ${machine.from}. In order to delete the network interface, it must be dissociated from the resource. To learn more, see aka.ms/deletenic.`,
        { details: [] },
      );
};

/** Network interfaces. Membership in pools and NAT rules is written here. */
export const networkInterfaces: TypeRules = {
  type: "Microsoft.Network/networkInterfaces",
  etag: "weak",
  patch: "tags",
  put: { atOnce: true },
  children: [{ collection: "ipConfigurations", writable: false, always: true }],
  fields: [
    ...readOnly("properties", "virtualMachine", "macAddress", "primary", "privateEndpoint"),
    ...fills("properties", {
      enableAcceleratedNetworking: false,
      enableIPForwarding: false,
      disableTcpStateTracking: false,
      vnetEncryptionSupported: false,
      nicType: "Standard",
      hostedWorkloads: [],
      tapConfigurations: [],
      auxiliaryMode: "None",
      auxiliarySku: "None",
    }),
    fill("properties.dnsSettings", {}),
    fill("properties.dnsSettings.dnsServers", []),
    fill("properties.dnsSettings.appliedDnsServers", []),
    ...fills("properties.ipConfigurations[].properties", {
      privateIPAddressVersion: "IPv4",
      privateIPAllocationMethod: "Dynamic",
    }),
  ],
  compute,
  check: (draft) =>
    firstRefusal(
      () => publicIpsFree(draft, publicIpIds(draft.body, "ipConfigurations")),
      () => checkAddresses(draft, "ipConfigurations"),
    ),
  inUse,
  view: (world, resource, body) => {
    const properties = propertiesOf(body);
    nameReferrer(world, properties, "virtualMachine", resource.id, isMachine);
    if (properties["virtualMachine"] === undefined) return;
    properties["primary"] = true;
    properties["macAddress"] = macOf(resource.id);
  },
};
