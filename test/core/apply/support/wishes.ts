import fc from "fast-check";
import type { Service } from "../../../../src/core/service.ts";
import type { Json, JsonObject } from "../../../../src/core/types.ts";
import { testClusters, testPools } from "../../../support/testServices/askedAks.ts";
import { testNetworks, testSecurityGroups } from "../../../support/testServices/overlayNetwork.ts";
import { testScaleSets } from "../../../support/testServices/patchVm.ts";
import type { TestScope, Wish } from "../../../support/testServices/wish.ts";

/** Where in a body something is, and what. Items of lists are named by their key. */
export interface Spot {
  readonly path: readonly string[];
  readonly value: Json;
}

/** A test service with what users wish of it and what others do to it, all of which the simulated Azure takes. */
export interface WishedService {
  readonly service: Service<TestScope>;
  readonly name: string;
  readonly wish: fc.Arbitrary<Wish>;
  /** What others add, and that no wish names. */
  readonly additions: readonly Spot[];
  /** What others do to what wishes name. */
  readonly meddling: readonly ((body: JsonObject) => JsonObject)[];
  /** What must be there first: type and name. */
  readonly parents?: readonly string[];
  /** Places that keep the value of the creation. */
  readonly kept?: readonly string[];
  /** What a cleared field has instead of nothing. */
  readonly resting: Readonly<Record<string, Json>>;
}

type Entry = readonly [path: string, value: Json | undefined];
const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A body with these values at these dotted paths, and none where the value is undefined. */
export const bodyWith = (base: JsonObject, entries: readonly Entry[]): JsonObject =>
  entries.reduce((body, [path, value]) => (value === undefined ? body : put(body, path.split("."), value)), base);

/** A body with a value at a path; an item of a list is found, or added, under its name. */
export const put = (body: JsonObject, [step = "", ...rest]: readonly string[], value: Json): JsonObject => {
  if (rest.length === 0) return { ...body, [step]: value };
  const child = body[step] ?? (step === "nodeTaints" ? [] : undefined);
  if (!Array.isArray(child)) return { ...body, [step]: put(isObject(child) ? child : {}, rest, value) };
  const [name = "", ...below] = rest;
  const others = child.filter((item: Json) => (isObject(item) ? item["name"] !== name : item !== name));
  const own = child.find((item: Json) => isObject(item) && item["name"] === name);
  const item = below.length === 0 ? value : put(isObject(own) ? own : { name }, below, value);
  return { ...body, [step]: [...others, item] };
};

/** The value at a path; undefined when there is none. */
export const at = (value: Json | undefined, path: readonly string[]): Json | undefined => {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (Array.isArray(value)) {
    const found = value.find(
      (item: Json) =>
        item === step || (isObject(item) && [item["name"], item["lun"], item["path"]].map(String).includes(step)),
    );
    return at(found, rest);
  }
  return isObject(value) ? at(value[step], rest) : undefined;
};

const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const tags = fc.dictionary(fc.constantFrom("env", "Cost", "a.b"), fc.constantFrom("1", "2"), {
  maxKeys: 3,
  noNullPrototype: true,
});

const prefixes = fc.oneof(
  fc.constantFrom("10.0.0.0/8", "VirtualNetwork", "*").map((one) => ["sourceAddressPrefix", one] as const),
  fc
    .shuffledSubarray(["10.0.0.0/8", "172.16.0.0/12", "fd00::/8"], { minLength: 2 })
    .map((many) => ["sourceAddressPrefixes", many] as const),
);
const ruleNames = ["r0", "r1", "r2"];
const securityRules = fc.shuffledSubarray(ruleNames).chain((names) =>
  fc.tuple(
    ...names.map((name) =>
      fc
        .record({
          odd: fc.nat({ max: 1 }),
          description: maybe(fc.constantFrom("x", "y")),
          prefix: prefixes,
          access: fc.constantFrom("Allow", "Deny"),
        })
        .map(
          ({ odd, description, prefix: [field, prefix], access }): JsonObject => ({
            name,
            properties: {
              priority: 100 + 10 * ruleNames.indexOf(name) + odd,
              direction: "Inbound",
              access,
              protocol: "Tcp",
              sourcePortRange: "*",
              destinationPortRange: "443",
              destinationAddressPrefix: "*",
              [field]: prefix,
              ...(description !== undefined && { description }),
            },
          }),
        ),
    ),
  ),
);

const securityGroups: WishedService = {
  service: testSecurityGroups,
  name: "nsg",
  wish: fc.record({ tags, rules: securityRules, flush: maybe(fc.boolean()) }).map(({ tags: of, rules, flush }) => ({
    body: bodyWith({ tags: of, properties: {} }, [
      ["properties.securityRules", rules.length === 0 ? undefined : rules],
      ["properties.flushConnection", flush],
    ]),
  })),
  additions: [
    { path: ["tags", "policy"], value: "theirs" },
    {
      path: ["properties", "securityRules", "theirs"],
      value: {
        name: "theirs",
        properties: {
          priority: 900,
          direction: "Inbound",
          access: "Allow",
          protocol: "*",
          sourcePortRange: "*",
          destinationPortRange: "*",
          sourceAddressPrefix: "*",
          destinationAddressPrefix: "*",
        },
      },
    },
  ],
  meddling: [
    (body) => put(body, ["properties", "securityRules"], []),
    (body) => put(body, ["tags"], {}),
    (body) => put(body, ["properties", "flushConnection"], true),
    (body) => put(body, ["tags", "env"], "meddled"),
  ],
  resting: { "properties.flushConnection": false },
};

const networks: WishedService = {
  service: testNetworks,
  kept: ["properties.flowTimeoutInMinutes"],
  name: "net",
  wish: fc
    .record({
      tags,
      space: fc.shuffledSubarray(["172.16.0.0/12", "fd00::/48"]).map((more) => [...more, "10.0.0.0/8"]),
      dns: maybe(fc.shuffledSubarray(["10.0.0.4", "10.0.0.5"], { minLength: 1 })),
      ddos: maybe(fc.boolean()),
      flow: maybe(fc.constantFrom(4, 10)),
      policies: maybe(fc.constantFrom("Basic", "Disabled")),
    })
    .map(({ tags: of, space, dns, ddos, flow, policies }) => ({
      body: bodyWith({ tags: of }, [
        ["properties.addressSpace.addressPrefixes", space],
        ["properties.dhcpOptions.dnsServers", dns],
        ["properties.enableDdosProtection", ddos],
        ["properties.flowTimeoutInMinutes", flow],
        ["properties.privateEndpointVNetPolicies", policies],
      ]),
    })),
  additions: [
    { path: ["tags", "policy"], value: "theirs" },
    { path: ["properties", "bgpCommunities"], value: { virtualNetworkCommunity: "12076:20000" } },
    {
      path: ["properties", "subnets", "theirs"],
      value: { name: "theirs", properties: { addressPrefix: "10.1.0.0/16" } },
    },
  ],
  meddling: [
    (body) => put(body, ["properties", "dhcpOptions"], { dnsServers: ["1.1.1.1"] }),
    (body) => put(body, ["properties", "enableDdosProtection"], true),
    (body) => put(body, ["tags"], {}),
  ],
  resting: {
    "properties.enableDdosProtection": false,
    "properties.privateEndpointVNetPolicies": "Disabled",
  },
};

const clusters: WishedService = {
  service: testClusters,
  kept: ["properties.networkProfile.networkPlugin"],
  name: "aks",
  wish: fc
    .record({
      tags,
      version: fc.constantFrom("1.30.0", "1.31.0"),
      ranges: maybe(fc.shuffledSubarray(["10.0.0.0/8", "192.168.0.0/16"])),
      channel: maybe(fc.constantFrom("patch", "stable", "none")),
      local: maybe(fc.boolean()),
      tier: maybe(fc.constantFrom("Free", "Standard")),
      plugin: fc.boolean(),
      secret: fc.constantFrom("1", "2"),
      chosen: fc.boolean(),
    })
    .map(({ tags: of, version, ranges, channel, local, tier, plugin, secret, chosen }) => ({
      body: bodyWith({ tags: of }, [
        ["sku", { name: "Base", ...(tier !== undefined && { tier }) }],
        ["properties.dnsPrefix", "aks"],
        ["properties.kubernetesVersion", version],
        ["properties.apiServerAccessProfile.authorizedIPRanges", ranges],
        ["properties.autoUpgradeProfile.upgradeChannel", channel],
        ["properties.disableLocalAccounts", local],
        ["properties.networkProfile.networkPlugin", plugin ? "azure" : undefined],
        ["properties.supportPlan", chosen ? "AKSLongTermSupport" : undefined],
        ["properties.servicePrincipalProfile", { clientId: "client", secret: `c4n4ry-${secret}` }],
        ["properties.windowsProfile", { adminUsername: "azure", adminPassword: `c4n4ry-once-${secret}` }],
      ]),
      defaults: [["properties", "supportPlan"]],
      versions: [{ path: ["properties", "servicePrincipalProfile", "secret"], version: `uid/${secret}/clientSecret` }],
      createOnly: [["properties", "windowsProfile"]],
    })),
  additions: [
    { path: ["tags", "policy"], value: "theirs" },
    { path: ["properties", "addonProfiles", "omsagent"], value: { enabled: true, config: { workspace: "theirs" } } },
    { path: ["properties", "oidcIssuerProfile", "enabled"], value: true },
    { path: ["properties", "autoScalerProfile"], value: { expander: "priority" } },
  ],
  meddling: [
    (body) => put(body, ["properties", "apiServerAccessProfile"], { authorizedIPRanges: ["1.2.3.4/32"] }),
    (body) => put(body, ["properties", "disableLocalAccounts"], true),
    (body) => put(body, ["tags", "env"], "meddled"),
    (body) => put(body, ["properties", "autoUpgradeProfile"], { upgradeChannel: "rapid" }),
  ],
  resting: {
    "sku.tier": "Free",
    "properties.autoUpgradeProfile.upgradeChannel": "none",
    "properties.disableLocalAccounts": false,
    "properties.apiServerAccessProfile.authorizedIPRanges": [],
  },
};

const pools: WishedService = {
  service: testPools,
  parents: ["Microsoft.ContainerService/managedClusters/aks"],
  kept: ["properties.count"],
  name: "aks/user",
  wish: fc
    .record({
      scaled: fc.boolean(),
      labels: maybe(fc.dictionary(fc.constantFrom("a", "b.c/d"), fc.constantFrom("1", "2"), { noNullPrototype: true })),
      taints: maybe(fc.shuffledSubarray(["a=b:NoSchedule", "c=d:NoExecute"])),
      mode: maybe(fc.constantFrom("System", "User")),
      surge: maybe(fc.constantFrom("33%", "1")),
    })
    .map(({ scaled, labels, taints, mode, surge }) => ({
      body: bodyWith({}, [
        ["properties.vmSize", "Standard_D2s_v3"],
        ["properties.count", 2],
        ["properties.enableAutoScaling", scaled ? true : undefined],
        ["properties.minCount", scaled ? 1 : undefined],
        ["properties.maxCount", scaled ? 9 : undefined],
        ["properties.nodeLabels", labels],
        ["properties.nodeTaints", taints],
        ["properties.mode", mode],
        ["properties.upgradeSettings.maxSurge", surge],
      ]),
      ...(scaled && { yields: [["properties", "count"]] }),
    })),
  additions: [
    {
      path: ["properties", "nodeTaints", "kubernetes.azure.com/scalesetpriority=spot:NoSchedule"],
      value: "kubernetes.azure.com/scalesetpriority=spot:NoSchedule",
    },
    { path: ["properties", "tags"], value: { theirs: "t" } },
    { path: ["properties", "kubeletConfig"], value: { cpuManagerPolicy: "static" } },
  ],
  meddling: [
    (body) => put(body, ["properties", "nodeTaints"], ["e=f:NoSchedule"]),
    (body) => put(body, ["properties", "mode"], "User"),
    (body) => put(body, ["properties", "upgradeSettings"], { maxSurge: "50%" }),
  ],
  resting: {
    "properties.enableAutoScaling": false,
    "properties.nodeTaints": [],
    "properties.upgradeSettings.maxSurge": "10%",
    "properties.mode": "User",
  },
};

const image = fc.constantFrom<JsonObject>(
  { id: "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/images/i" },
  { sharedGalleryImageId: "/SharedGalleries/g/Images/i/Versions/1.0.0" },
  { communityGalleryImageId: "/CommunityGalleries/g/Images/i/Versions/1.0.0" },
  { publisher: "cncf-upstream", offer: "capi", sku: "k8s", version: "1.0.0" },
);
const profile = "properties.virtualMachineProfile";

const scaleSets: WishedService = {
  service: testScaleSets,
  name: "vmss",
  wish: fc
    .record({
      tags,
      capacity: fc.constantFrom(1, 2),
      over: maybe(fc.boolean()),
      image,
      disks: maybe(fc.shuffledSubarray([0, 1, 2], { minLength: 1 })),
      size: fc.constantFrom(64, 128),
      data: fc.constantFrom("1", "2"),
      settings: fc.constantFrom("1", "2"),
      priority: maybe(fc.constantFrom("Spot", "Regular")),
    })
    .map(({ tags: of, capacity, over, image: chosen, disks, size, data, settings, priority }) => ({
      body: bodyWith({ tags: of, zones: ["1", "2"] }, [
        ["sku", { name: "Standard_D2s_v3", capacity }],
        ["properties.orchestrationMode", "Uniform"],
        ["properties.overprovision", over],
        [`${profile}.priority`, priority],
        [`${profile}.storageProfile.imageReference`, chosen],
        [
          `${profile}.storageProfile.dataDisks`,
          disks?.map((lun) => ({ lun, createOption: "Empty", diskSizeGB: size })),
        ],
        [`${profile}.osProfile.computerNamePrefix`, "vm"],
        [`${profile}.osProfile.adminUsername`, "capi"],
        [`${profile}.osProfile.customData`, `c4n4ry-${data}`],
        [
          `${profile}.osProfile.linuxConfiguration.ssh.publicKeys`,
          [{ path: "/home/capi/.ssh/authorized_keys", keyData: "ssh-rsa AAAA" }],
        ],
        [
          `${profile}.extensionProfile.extensions`,
          [
            {
              name: "boot",
              properties: { publisher: "p", type: "t", protectedSettings: { key: `c4n4ry-${settings}` } },
            },
          ],
        ],
      ]),
      versions: [
        { path: [...profile.split("."), "osProfile", "customData"], version: `uid/${data}/value` },
        {
          path: [...profile.split("."), "extensionProfile", "extensions", "boot", "properties", "protectedSettings"],
          version: `uid/${settings}/settings`,
        },
      ],
    })),
  additions: [
    { path: ["tags", "policy"], value: "theirs" },
    {
      path: [...profile.split("."), "extensionProfile", "extensions", "theirs"],
      value: { name: "theirs", properties: { publisher: "x", type: "y" } },
    },
    { path: [...profile.split("."), "diagnosticsProfile"], value: { bootDiagnostics: { enabled: true } } },
  ],
  meddling: [
    (body) => put(body, ["tags"], {}),
    (body) => put(body, ["properties", "overprovision"], false),
    (body) => put(body, ["sku", "capacity"], 3),
    (body) => put(body, [...profile.split("."), "storageProfile", "dataDisks"], []),
  ],
  resting: { "properties.overprovision": true, "properties.virtualMachineProfile.priority": "Regular" },
};

export const wishedServices: readonly WishedService[] = [securityGroups, networks, clusters, pools, scaleSets];
