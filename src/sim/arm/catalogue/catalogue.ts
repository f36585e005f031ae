import type { World } from "../armState.ts";
import { coresInUse } from "../compute/machineProfile.ts";
import { type JsonObject, listAt, sameText, textAt } from "../json.ts";
import { page } from "../lists.ts";
import { addressOf, firstFree, isReserved, prefixOf } from "../network/addresses.ts";
import { subnetPrefixes } from "../network/ipConfigurations.ts";
import { type Answer, refuse } from "../protocol.ts";
import { subscriptionOf } from "../resourceTarget.ts";
import { find, located, ofType, referencesTo } from "../store.ts";
import { galleryImage, galleryVersions, imageSkus, imageVersions, kubernetesVersions } from "./images.ts";
import { regions } from "./regions.ts";
import { sizes } from "./sizes.ts";
import { allSkus, skusOf } from "./skus.ts";

type Lookup = (world: World, url: URL, match: readonly string[]) => Answer;

const usage = (unit: string, name: string, localized: string, current: number, limit: number): JsonObject => ({
  unit,
  currentValue: current,
  limit,
  name: { value: name, localizedValue: localized },
});

const count = (world: World, type: string, subscription: string, location: string): number =>
  ofType(world.state, type).filter(
    ({ id, body }) => sameText(subscriptionOf(id), subscription) && sameText(textAt(body, "location"), location),
  ).length;

const networkUsages: Lookup = (world, url, [subscription = "", location = ""]) => {
  const of = (type: string) => count(world, `Microsoft.Network/${type}`, subscription, location);
  const publicIps = world.state.options.quotas?.publicIps ?? 1000;
  return page(world, url, [
    usage("Count", "VirtualNetworks", "Virtual Networks", of("virtualNetworks"), 1000),
    usage("Count", "NetworkSecurityGroups", "Network Security Groups", of("networkSecurityGroups"), 5000),
    usage("Count", "PublicIPAddresses", "Public IP Addresses", of("publicIPAddresses"), publicIps),
    usage(
      "Count",
      "StandardSkuPublicIpAddresses",
      "Public IPv4 Addresses - Standard",
      of("publicIPAddresses"),
      publicIps,
    ),
    usage("Count", "NetworkInterfaces", "Network Interfaces", of("networkInterfaces"), 65_536),
    usage("Count", "LoadBalancers", "Load Balancers", of("loadBalancers"), 1000),
    usage("Count", "StandardSkuLoadBalancers", "Standard Load Balancers", of("loadBalancers"), 1000),
    usage("Count", "RouteTables", "Route Tables", of("routeTables"), 200),
    usage("Count", "NatGateways", "Nat Gateways", of("natGateways"), 1000),
    usage("Count", "PrivateEndpoints", "Private Endpoints", of("privateEndpoints"), 65_536),
  ]);
};

const computeUsages: Lookup = (world, url, [subscription = "", location = ""]) => {
  const { quotas } = world.state.options;
  const families = [...new Set(sizes.map(({ family }) => family))];
  return page(world, url, [
    usage("Count", "cores", "Total Regional vCPUs", coresInUse(world, subscription, location), quotas?.cores ?? 350),
    ...families.map((family) =>
      usage(
        "Count",
        family,
        `${family} vCPUs`,
        coresInUse(world, subscription, location, family),
        quotas?.families?.[family] ?? 350,
      ),
    ),
  ]);
};

const skus: Lookup = (world, url) => {
  const location = /location\s+eq\s+'([^']+)'/i.exec(url.searchParams.get("$filter") ?? "")?.[1];
  return page(world, url, location === undefined ? allSkus() : skusOf(location.toLowerCase().replaceAll(" ", "")));
};

const addressAvailability: Lookup = (world, url, [id = ""]) => {
  const network = find(world.state, id);
  if (network === undefined) return refuse(404, "ResourceNotFound", `The Resource '${id}' was not found.`);
  const text = url.searchParams.get("ipAddress") ?? "";
  const address = addressOf(text);
  for (const subnet of listAt(network.body, "properties", "subnets"))
    for (const prefix of subnetPrefixes(subnet).map(prefixOf)) {
      if (prefix === undefined || address === undefined || prefix.bits !== address.bits) continue;
      if (address.value < prefix.first || address.value > prefix.last) continue;
      const used = new Set(
        referencesTo(world.state, textAt(subnet, "id")).map(({ from }) =>
          textAt(located(world, from), "properties", "privateIPAddress"),
        ),
      );
      const available = !used.has(text) && !isReserved(address.value, prefix);
      const other = available ? undefined : firstFree(prefix, used);
      return { status: 200, body: { available, availableIPAddresses: other === undefined ? [] : [other] } };
    }
  return { status: 200, body: { available: false, availableIPAddresses: [] } };
};

const dnsNameAvailability: Lookup = (world, url, [, location = ""]) => {
  const fqdn = `${(url.searchParams.get("domainNameLabel") ?? "").toLowerCase()}.${location.toLowerCase()}.cloudapp.azure.com`;
  const taken = ofType(world.state, "Microsoft.Network/publicIPAddresses").some(
    ({ body }) => textAt(body, "properties", "dnsSettings", "fqdn") === fqdn,
  );
  return { status: 200, body: { available: !taken } };
};

const serviceTags: Lookup = (_world, _url, [, location = ""]) => ({
  status: 200,
  body: {
    name: "Public",
    cloud: "Public",
    changeNumber: "1",
    type: "Microsoft.Network/serviceTags",
    values: ["AzureCloud", "AzureLoadBalancer", "Internet", "Storage", "VirtualNetwork", `AzureCloud.${location}`].map(
      (name) => ({
        id: name,
        name,
        properties: { changeNumber: "1", region: "", systemService: "", addressPrefixes: [] },
      }),
    ),
  },
});

const locations: Lookup = (world, url, [subscription = ""]) =>
  page(
    world,
    url,
    regions.map(({ name, displayName, geography, zones }) => ({
      id: `/subscriptions/${subscription}/locations/${name}`,
      name,
      type: "Region",
      displayName,
      regionalDisplayName: `(${geography}) ${displayName}`,
      metadata: { regionType: "Physical", regionCategory: "Recommended", geographyGroup: geography, geography },
      availabilityZoneMappings: zones.map((zone) => ({ logicalZone: zone, physicalZone: `${name}-az${zone}` })),
    })),
  );

const plain = (items: readonly JsonObject[]): Answer => ({ status: 200, body: [...items] });

const health: Lookup = (world, url, [id = ""]) =>
  find(world.state, id) === undefined
    ? refuse(404, "ResourceNotFound", `The Resource '${id}' was not found.`)
    : {
        status: 200,
        body: {
          id: url.pathname,
          name: "current",
          type: "Microsoft.ResourceHealth/AvailabilityStatuses",
          properties: { availabilityState: "Available", reasonType: "", summary: "There are no known problems." },
        },
      };

const subscriptionPath = "^/subscriptions/([^/]+)";
const network = `${subscriptionPath}/providers/microsoft\\.network/locations/([^/]+)`;
const compute = `${subscriptionPath}/providers/microsoft\\.compute`;
const galleries = `${compute}/locations/([^/]+)/(?:communitygalleries|sharedgalleries)/([^/]+)/images/([^/]+)`;
const offerPath = `${compute}/locations/([^/]+)/publishers/[^/]+/artifacttypes/vmimage/offers/[^/]+/skus`;

/** What Azure knows without being told: lists that no resource is behind. */
const lookups: readonly (readonly [RegExp, Lookup])[] = [
  [new RegExp(`${compute}/skus$`, "i"), skus],
  [new RegExp(`${subscriptionPath}/locations$`, "i"), locations],
  [new RegExp(`${network}/usages$`, "i"), networkUsages],
  [new RegExp(`${network}/servicetags$`, "i"), serviceTags],
  [new RegExp(`${network}/checkdnsnameavailability$`, "i"), dnsNameAvailability],
  [/^(.*\/virtualnetworks\/[^/]+)\/checkipaddressavailability$/i, addressAvailability],
  [new RegExp(`${compute}/locations/([^/]+)/usages$`, "i"), computeUsages],
  [
    new RegExp(`${offerPath}/[^/]+/versions$`, "i"),
    (_world, url, [, location = ""]) => plain(imageVersions(url.pathname, location)),
  ],
  [new RegExp(`${offerPath}$`, "i"), (_world, url, [, location = ""]) => plain(imageSkus(url.pathname, location))],
  [
    new RegExp(`${galleries}/versions$`, "i"),
    (world, url, [, location = "", gallery = "", image = ""]) =>
      page(world, url, galleryVersions(gallery, image, location)),
  ],
  [
    new RegExp(`${galleries}$`, "i"),
    (_world, _url, [, location = "", gallery = "", image = ""]) => ({
      status: 200,
      body: galleryImage(gallery, image, location),
    }),
  ],
  [
    new RegExp(`${subscriptionPath}/providers/microsoft\\.containerservice/locations/([^/]+)/kubernetesversions$`, "i"),
    () => ({ status: 200, body: { values: [...kubernetesVersions()] } }),
  ],
  [/^(.*)\/providers\/microsoft\.resourcehealth\/availabilitystatuses\/current$/i, health],
];

/** The answer of a list that no resource is behind; undefined when the path is none. */
export const catalogueAnswer = (world: World, url: URL): Answer | undefined => {
  const path = url.pathname.replaceAll("%20", " ");
  for (const [pattern, lookup] of lookups) {
    const match = pattern.exec(path);
    if (match !== null) return lookup(world, url, match.slice(1));
  }
  return undefined;
};
