import type { World } from "../armState.ts";
import { fill } from "../fieldRules.ts";
import { isObject, type JsonObject, listAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { keyOf, nameOf } from "../resourceTarget.ts";
import { under } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";

const recordSets = (world: World, zoneKey: string): number =>
  under(world.state, zoneKey).filter((resource) => !/\/virtualNetworkLinks$/i.test(resource.type)).length;

const links = (world: World, zoneKey: string) =>
  under(world.state, zoneKey).filter((resource) => /\/virtualNetworkLinks$/i.test(resource.type));

/** Private DNS zones. */
export const privateDnsZones: TypeRules = {
  type: "Microsoft.Network/privateDnsZones",
  location: "global",
  etag: "guid",
  patch: "merge",
  put: { created: 202, updated: 202, body: false, creating: "Creating", retryAfterSeconds: 30 },
  remove: { retryAfterSeconds: 30 },
  inUse: (world, resource) =>
    links(world, resource.key).length === 0
      ? undefined
      : refuse(409, "CannotDeleteResource", "Can not delete resource before nested resources are deleted."),
  view: (world, resource, body) => {
    Object.assign(propertiesOf(body), {
      // The SOA record is there from the start.
      numberOfRecordSets: recordSets(world, resource.key) + 1,
      maxNumberOfRecordSets: 25_000,
      numberOfVirtualNetworkLinks: links(world, resource.key).length,
      maxNumberOfVirtualNetworkLinks: 1_000,
      numberOfVirtualNetworkLinksWithRegistration: 0,
      maxNumberOfVirtualNetworkLinksWithRegistration: 100,
    });
  },
};

const linkType = /\/virtualNetworkLinks$/i;
const zoneIdOf = (linkId: string): string => linkId.split("/").slice(0, -2).join("/");
const networkOf = (body: JsonObject): string => keyOf(textAt(body, "properties", "virtualNetwork", "id"));

/**
 * A network is linked to one zone of a name, and to one zone once
 * (https://learn.microsoft.com/azure/dns/private-dns-virtual-network-links).
 */
const checkLink = ({ world, id, body }: Draft): Answer | undefined => {
  const name = nameOf(zoneIdOf(id));
  const others = [...world.state.resources.values()].filter(
    (one) => linkType.test(one.type) && one.key !== keyOf(id) && networkOf(one.body) === networkOf(body),
  );
  const clash = others.find((one) => sameText(nameOf(zoneIdOf(one.id)), name));
  return clash === undefined
    ? undefined
    : refuse(
        400,
        "BadRequest",
        `A virtual network cannot be linked to multiple zones with overlapping namespaces. You tried to link virtual network with '${name}' and '${nameOf(zoneIdOf(clash.id))}' zones.`,
      );
};

/** Links of a private DNS zone to virtual networks. */
export const virtualNetworkLinks: TypeRules = {
  type: "Microsoft.Network/privateDnsZones/virtualNetworkLinks",
  location: "global",
  etag: "quoted",
  put: { created: 202, updated: 202, body: false, creating: "Creating", retryAfterSeconds: 30 },
  remove: { retryAfterSeconds: 30 },
  fields: [fill("properties.registrationEnabled", false)],
  check: checkLink,
  provisioned: (_world, resource) => {
    propertiesOf(resource.body)["virtualNetworkLinkState"] = "Completed";
  },
};

const computeRecord = (draft: Draft): void => {
  const zone = draft.id.split("/").at(-3) ?? "";
  const name = textAt(draft.body, "name");
  const properties: JsonObject = propertiesOf(draft.body);
  properties["fqdn"] = name === "@" ? `${zone}.` : `${name}.${zone}.`;
  properties["isAutoRegistered"] = false;
};

const recordType = (kind: string, records: string): TypeRules => ({
  type: `Microsoft.Network/privateDnsZones/${kind}`,
  location: "none",
  etag: "guid",
  hasState: false,
  put: { how: "sync" },
  remove: { how: "sync" },
  fields: [fill("properties.ttl", 3600)],
  compute: computeRecord,
  check: ({ body, id }) =>
    listAt(body, "properties", records).length > 0 || isObject(propertiesOf(body)[records])
      ? undefined
      : refuse(400, "BadRequest", `The resource record set ${id} has no resource records.`),
});

/** Address records of a private DNS zone. */
export const aRecords: TypeRules = recordType("A", "aRecords");
export const aaaaRecords: TypeRules = recordType("AAAA", "aaaaRecords");
export const cnameRecords: TypeRules = recordType("CNAME", "cnameRecord");
