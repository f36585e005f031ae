import type { Reference, World } from "../armState.ts";
import { fill, fills, omitEmpty, readOnly } from "../fieldRules.ts";
import { type JsonObject, listAt, objectAt, propertiesOf, textAt, textsAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { nameOf } from "../resourceTarget.ts";
import { referencesTo } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { overlaps, type Prefix, prefixOf, within } from "./addresses.ts";
import { heldBy, listReferrers } from "./backReferences.ts";
import { subnetPrefixes } from "./ipConfigurations.ts";
import { checkPeerings, disconnectPeers, readyPeerings, settlePeerings } from "./peerings.ts";

const bad = (code: string, message: string): Answer => refuse(400, code, message, { details: [] });

const badNotation = (id: string, prefixes: readonly string[]): Answer | undefined => {
  const wrong = prefixes.find((text) => prefixOf(text)?.aligned !== true);
  return wrong === undefined
    ? undefined
    : bad("InvalidCIDRNotation", `The address prefix ${wrong} in resource ${id} has an invalid CIDR notation.`);
};

const parsed = (prefixes: readonly string[]): readonly Prefix[] =>
  prefixes.map(prefixOf).filter((prefix) => prefix !== undefined);

const checkSubnets = (draft: Draft): Answer | undefined => {
  const space = parsed(textsAt(draft.body, "properties", "addressSpace", "addressPrefixes"));
  const earlier: { readonly name: string; readonly prefix: Prefix }[] = [];
  for (const subnet of listAt(draft.body, "properties", "subnets")) {
    const name = textAt(subnet, "name");
    const prefixes = subnetPrefixes(subnet);
    const notation = badNotation(textAt(subnet, "id"), prefixes);
    if (notation !== undefined) return notation;
    for (const prefix of parsed(prefixes)) {
      if (!space.some((range) => within(prefix, range)))
        return bad("NetcfgInvalidSubnet", `Subnet '${name}' is not valid in virtual network '${nameOf(draft.id)}'.`);
      const clash = earlier.find((other) => overlaps(other.prefix, prefix));
      if (clash !== undefined)
        return bad(
          "NetcfgSubnetRangesOverlap",
          `Subnet '${name}' is not valid because its IP address range overlaps with that of an existing subnet '${clash.name}'.`,
        );
      earlier.push({ name, prefix });
    }
  }
  return undefined;
};

/** A prefix with addresses in use cannot be taken away. */
const checkPrefixesKept = (draft: Draft): Answer | undefined => {
  for (const before of listAt(draft.existing?.body, "properties", "subnets")) {
    const now = listAt(draft.body, "properties", "subnets").find((item) => item["name"] === before["name"]);
    if (now === undefined) continue;
    const lost = subnetPrefixes(before).find((prefix) => !subnetPrefixes(now).includes(prefix));
    if (lost !== undefined && referencesTo(draft.world.state, textAt(before, "id")).length > 0)
      return bad(
        "InUsePrefixCannotBeDeleted",
        `IpPrefix ${lost} on Subnet ${textAt(before, "name")} has active allocations and cannot be deleted.`,
      );
  }
  return undefined;
};

const spell = (subnet: JsonObject, form: "single" | "list" | "both"): void => {
  const properties = propertiesOf(subnet);
  const [only, ...more] = subnetPrefixes(subnet);
  if (only === undefined || more.length > 0) return;
  if (form === "list") delete properties["addressPrefix"];
  else properties["addressPrefix"] = only;
  if (form === "single") delete properties["addressPrefixes"];
  else properties["addressPrefixes"] = [only];
};

const compute = (draft: Draft): void => {
  const form = draft.world.state.options.subnetPrefixes ?? "asSent";
  for (const subnet of listAt(draft.body, "properties", "subnets")) {
    if (form !== "asSent") spell(subnet, form);
    for (const delegation of listAt(subnet, "properties", "delegations")) {
      delegation["id"] = `${textAt(subnet, "id")}/delegations/${textAt(delegation, "name")}`;
      delegation["type"] = "Microsoft.Network/virtualNetworks/subnets/delegations";
    }
  }
  readyPeerings(draft);
};

const usesAddress = heldBy(/\/(networkInterfaces|loadBalancers|bastionHosts|virtualNetworkGateways)$/i);

const subnetInUse = (_world: World, id: string, references: readonly Reference[]): Answer | undefined => {
  const user = references.find(({ path }) => /\.subnet$/i.test(path));
  return user === undefined
    ? undefined
    : bad(
        "InUseSubnetCannotBeDeleted",
        `Subnet ${nameOf(id)} is in use by ${user.from} and cannot be deleted. In order to delete the subnet, delete all the resources within the subnet. See aka.ms/deletesubnet.`,
      );
};

/** Virtual networks with their subnets and peerings, which are also addressable on their own. */
export const virtualNetworks: TypeRules = {
  type: "Microsoft.Network/virtualNetworks",
  etag: "weak",
  patch: "tags",
  children: [
    { collection: "subnets", writable: true, always: true, keptSince: "2023-11-01" },
    { collection: "virtualNetworkPeerings", writable: true, always: true, keptSince: "", retryAfterSeconds: 10 },
  ],
  fields: [
    ...readOnly("properties.subnets[].properties", "ipConfigurations", "privateEndpoints"),
    fill("properties.enableDdosProtection", false),
    fill("properties.privateEndpointVNetPolicies", "Disabled"),
    ...fills("properties.subnets[].properties", {
      delegations: [],
      privateEndpointNetworkPolicies: "Disabled",
      privateLinkServiceNetworkPolicies: "Enabled",
    }),
    omitEmpty("properties.subnets[].properties.serviceEndpoints"),
    fill("properties.subnets[].properties.serviceEndpoints[].locations", ["*"]),
    fill("properties.subnets[].properties.serviceEndpoints[].provisioningState", "Succeeded"),
    ...fills("properties.subnets[].properties.delegations[].properties", {
      actions: ["Microsoft.Network/virtualNetworks/subnets/join/action"],
      provisioningState: "Succeeded",
    }),
    ...fills("properties.virtualNetworkPeerings[].properties", {
      allowVirtualNetworkAccess: true,
      allowForwardedTraffic: false,
      allowGatewayTransit: false,
      useRemoteGateways: false,
      doNotVerifyRemoteGateways: false,
      peerCompleteVnets: true,
      routeServiceVips: {},
    }),
  ],
  check: (draft) =>
    firstRefusal(
      () => badNotation(draft.id, textsAt(draft.body, "properties", "addressSpace", "addressPrefixes")),
      () => checkSubnets(draft),
      () => checkPrefixesKept(draft),
      () => checkPeerings(draft),
    ),
  compute,
  provisioned: settlePeerings,
  childInUse: (world, id, references) =>
    /\/subnets\/[^/]+$/i.test(id) ? subnetInUse(world, id, references) : undefined,
  inUse: (world, resource) => {
    for (const subnet of listAt(resource.body, "properties", "subnets")) {
      const id = textAt(subnet, "id");
      const refusal = subnetInUse(world, id, referencesTo(world.state, id));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  },
  removed: disconnectPeers,
  view: (world, _resource, body) => {
    for (const subnet of listAt(body, "properties", "subnets")) {
      const id = textAt(subnet, "id");
      const properties = objectAt(subnet, "properties");
      listReferrers(world, properties, "ipConfigurations", id, usesAddress);
      listReferrers(world, properties, "privateEndpoints", id, heldBy(/\/privateEndpoints$/i));
    }
  },
};
