import { nextNumber, type Resource, type World } from "../armState.ts";
import { fill, readOnly } from "../fieldRules.ts";
import { isObject, objectAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { subscriptionOf } from "../resourceTarget.ts";
import { ofType, referencesTo } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";
import { heldBy, nameReferrer } from "./backReferences.ts";

const fqdnOf = (label: string, location: string): string => `${label.toLowerCase()}.${location}.cloudapp.azure.com`;

const compute = ({ body }: Draft): void => {
  const properties = propertiesOf(body);
  const standard = textAt(body, "sku", "name") === "Standard";
  if (properties["publicIPAllocationMethod"] === undefined && isObject(body["sku"]))
    properties["publicIPAllocationMethod"] = standard ? "Static" : "Dynamic";
  const label = textAt(properties, "dnsSettings", "domainNameLabel");
  if (label !== "") objectAt(properties, "dnsSettings")["fqdn"] = fqdnOf(label, textAt(body, "location"));
};

const checkLabel = ({ world, body, id }: Draft): Answer | undefined => {
  const fqdn = textAt(body, "properties", "dnsSettings", "fqdn");
  if (fqdn === "") return undefined;
  const other = ofType(world.state, "Microsoft.Network/publicIPAddresses").find(
    (resource) => resource.id !== id && textAt(resource.body, "properties", "dnsSettings", "fqdn") === fqdn,
  );
  return other === undefined
    ? undefined
    : refuse(400, "DnsRecordInUse", `DNS record ${fqdn} is already used by another public IP.`, { details: [] });
};

const checkQuota = ({ world, existing, id, body }: Draft): Answer | undefined => {
  const limit = world.state.options.quotas?.publicIps;
  if (limit === undefined || existing !== undefined) return undefined;
  const count = ofType(world.state, "Microsoft.Network/publicIPAddresses").filter(
    (resource) =>
      sameText(subscriptionOf(resource.id), subscriptionOf(id)) &&
      textAt(resource.body, "location") === textAt(body, "location"),
  ).length;
  return count < limit
    ? undefined
    : refuse(
        400,
        "PublicIPCountLimitReached",
        `Cannot create more than ${limit} public IP addresses for this subscription in this region.`,
        { details: [] },
      );
};

/** Invented addresses, from a range that is set aside for benchmarks (RFC 2544) so that nothing real is ever hit. */
const invented = (world: World, version: string): string => {
  const number = nextNumber(world.state);
  return version === "IPv6" ? `2001:db8::${number.toString(16)}` : `198.18.${(number >> 8) & 255}.${number & 255}`;
};

const provisioned = (world: World, resource: Resource): void => {
  const properties = propertiesOf(resource.body);
  if (properties["publicIPAllocationMethod"] === "Static" || referencesTo(world.state, resource.id).length > 0)
    properties["ipAddress"] ??= invented(world, textAt(properties, "publicIPAddressVersion"));
};

/** Public IP addresses. */
export const publicIpAddresses: TypeRules = {
  type: "Microsoft.Network/publicIPAddresses",
  etag: "weak",
  patch: "tags",
  zonal: true,
  put: { retryAfterSeconds: 1 },
  owned: ["ipAddress"],
  fields: [
    ...readOnly("properties", "ipConfiguration", "natGateway"),
    fill("sku", { name: "Basic", tier: "Regional" }),
    fill("sku.tier", "Regional"),
    fill("properties.publicIPAddressVersion", "IPv4"),
    fill("properties.idleTimeoutInMinutes", 4),
    fill("properties.ipTags", []),
    fill("properties.ddosSettings", { protectionMode: "VirtualNetworkInherited" }),
  ],
  check: (draft) =>
    firstRefusal(
      () => checkQuota(draft),
      () => checkLabel(draft),
    ),
  compute,
  provisioned,
  inUse: (world, resource) => {
    const user = referencesTo(world.state, resource.id)[0];
    return user === undefined
      ? undefined
      : refuse(
          400,
          "PublicIPAddressCannotBeDeleted",
          `Public IP address ${resource.id} can not be deleted since it is still allocated to resource ${user.from}. In order to delete the public IP, disassociate/detach the Public IP address from the resource. To learn how to do this, see aka.ms/deletepublicip.`,
          { details: [] },
        );
  },
  view: (world, resource, body) => {
    const properties = propertiesOf(body);
    const configuration = heldBy(/\/(networkInterfaces|loadBalancers|bastionHosts)$/i);
    nameReferrer(world, properties, "ipConfiguration", resource.id, configuration);
    nameReferrer(world, properties, "natGateway", resource.id, heldBy(/\/natGateways$/i));
  },
};
