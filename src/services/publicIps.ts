import { byDefault, type Marked, yielded } from "../core/marked.ts";
import { defineService } from "../core/service.ts";
import type { PublicIPAddressBody } from "../wire/generated/network.ts";
import { ids } from "./ids.ts";
import { marked } from "./parts/choice.ts";
import type { ClusterScope, PublicIp } from "./scope.ts";
import { ownedTags } from "./tags.ts";

type DnsSettings = NonNullable<NonNullable<PublicIPAddressBody["properties"]>["dnsSettings"]>;

const dnsSettings = ({ dnsName, isFoundElsewhere }: PublicIp): Marked<DnsSettings> | undefined => {
  if (dnsName === undefined) return undefined;
  const { value: fqdn, asked } = dnsName;
  const settings: DnsSettings = { domainNameLabel: fqdn.split(".")[0] ?? fqdn, fqdn };
  // A label that changed could take the name of the endpoint away from the cluster.
  return isFoundElsewhere === true ? yielded<DnsSettings>(settings) : marked<DnsSettings>({ value: settings, asked });
};

/**
 * Public IP addresses of load balancers, NAT gateways and the bastion host. An address that exists without our tag is
 * used as it is, as long as it has the name under which it is to be found. Zones, version, allocation and tags of an address are fixed by Azure at creation.
 */
export const publicIps = defineService<ClusterScope, PublicIPAddressBody>({
  name: "publicIps",
  label: "publicips",
  type: "Microsoft.Network/publicIPAddresses",
  condition: "PublicIPsReady",
  after: ["resourceGroups"],
  ownership: "tag",
  remove: "withGroup",
  rules: {
    writes: "overlay",
    sets: ["zones"],
    agrees: ["properties.dnsSettings.fqdn"],
    keys: { "properties.ipTags": "ipTagType" },
    compare: { "properties.dnsSettings.domainNameLabel": "ignoreCase", "properties.dnsSettings.fqdn": "ignoreCase" },
    immutable: [
      "location",
      "extendedLocation.name",
      "extendedLocation.type",
      "zones",
      "sku.name",
      "sku.tier",
      "properties.publicIPAddressVersion",
      "properties.publicIPAllocationMethod",
      "properties.ipTags",
    ],
    absentMeans: { "properties.idleTimeoutInMinutes": 4 },
  },
  desired: (scope) =>
    scope.publicIps.map((ip) => ({
      id: ids.publicIp(scope, ip.name),
      onlyBeside: ip.implied === true ? ids.virtualNetwork(scope) : undefined,
      body: {
        location: scope.location,
        extendedLocation: ip.extendedLocation,
        zones: ip.zones === undefined ? undefined : marked(ip.zones),
        sku: byDefault({ name: "Standard" }),
        tags: ownedTags(scope, { name: ip.name }),
        properties: {
          publicIPAddressVersion: byDefault("IPv4"),
          publicIPAllocationMethod: byDefault("Static"),
          dnsSettings: dnsSettings(ip),
          ipTags: ip.ipTags.length === 0 ? undefined : ip.ipTags.map(({ type, tag }) => ({ ipTagType: type, tag })),
        },
      },
    })),
});
