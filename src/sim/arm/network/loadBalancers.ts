import type { Reference, World } from "../armState.ts";
import { detach } from "../detach.ts";
import { double, fill, fills, readOnly } from "../fieldRules.ts";
import { type JsonObject, listAt, numberAt, objectAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, firstRefusal, refuse } from "../protocol.ts";
import { keyOf } from "../resourceTarget.ts";
import { referencesTo } from "../store.ts";
import type { ChildRules, Draft, TypeRules } from "../typeRules.ts";
import { heldBy, nameReferrer } from "./backReferences.ts";
import { allocateAddresses, checkAddresses, publicIpIds, publicIpsFree } from "./ipConfigurations.ts";

const list = (collection: string, writable = false): ChildRules => ({ collection, writable, always: true });

const bad = (code: string, message: string): Answer => refuse(400, code, message, { details: [] });

interface Listener {
  readonly id: string;
  readonly frontend: string;
  readonly protocol: string;
  readonly port: number;
}

const listenersOf = (body: JsonObject): readonly Listener[] =>
  ["loadBalancingRules", "inboundNatRules"].flatMap((collection) =>
    listAt(body, "properties", collection).map((rule) => ({
      id: textAt(rule, "id"),
      frontend: keyOf(textAt(rule, "properties", "frontendIPConfiguration", "id")),
      protocol: textAt(rule, "properties", "protocol").toLowerCase(),
      port: numberAt(rule, "properties", "frontendPort") ?? 0,
    })),
  );

const protocolsMeet = (left: string, right: string): boolean => left === right || left === "all" || right === "all";

/** Two rules cannot listen on one port of one frontend. */
const checkPorts = (draft: Draft): Answer | undefined => {
  const seen: Listener[] = [];
  for (const rule of listenersOf(draft.body)) {
    const clash = seen.find(
      (other) =>
        other.frontend === rule.frontend && other.port === rule.port && protocolsMeet(other.protocol, rule.protocol),
    );
    if (clash !== undefined && rule.port > 0)
      return bad(
        "RulesUseSameFrontendPortProtocolAndIPConfig",
        `Load balancing rules ${clash.id} and ${rule.id} with the same FrontendIPConfiguration use the same protocol ${rule.protocol} and frontend port ${rule.port}.`,
      );
    seen.push(rule);
  }
  return undefined;
};

interface Behind {
  readonly id: string;
  readonly pool: string;
  readonly protocol: string;
  readonly port: number;
}

/** Without floating IP two rules cannot lead to one port of one pool, wherever they listen. */
const checkBackends = (draft: Draft): Answer | undefined => {
  const seen: Behind[] = [];
  for (const rule of listAt(draft.body, "properties", "loadBalancingRules")) {
    const properties = objectAt(rule, "properties");
    if (properties["enableFloatingIP"] === true || properties["allowBackendPortConflict"] === true) continue;
    const behind: Behind = {
      id: textAt(rule, "id"),
      pool: keyOf(textAt(rule, "properties", "backendAddressPool", "id")),
      protocol: textAt(rule, "properties", "protocol").toLowerCase(),
      port: numberAt(rule, "properties", "backendPort") ?? 0,
    };
    const clash = seen.find(
      (other) =>
        other.pool === behind.pool &&
        other.port === behind.port &&
        behind.port > 0 &&
        protocolsMeet(other.protocol, behind.protocol),
    );
    if (clash !== undefined)
      return bad(
        "RulesUseSameBackendPortProtocolAndPool",
        `Load balancing rules ${clash.id} and ${behind.id} with floating IP disabled use the same protocol ${textAt(rule, "properties", "protocol")} and backend port ${behind.port}, and must not be used with the same backend address pool ${textAt(rule, "properties", "backendAddressPool", "id")}.`,
      );
    seen.push(behind);
  }
  return undefined;
};

const checkOutbound = (draft: Draft): Answer | undefined => {
  for (const rule of listAt(draft.body, "properties", "loadBalancingRules")) {
    const pool = textAt(rule, "properties", "backendAddressPool", "id");
    const outbound = listAt(draft.body, "properties", "outboundRules").find((item) =>
      sameText(textAt(item, "properties", "backendAddressPool", "id"), pool),
    );
    const frontend = textAt(rule, "properties", "frontendIPConfiguration", "id");
    const shared = listAt(outbound, "properties", "frontendIPConfigurations").some((item) =>
      sameText(textAt(item, "id"), frontend),
    );
    if (shared && objectAt(rule, "properties")["disableOutboundSnat"] !== true)
      return bad(
        "LoadBalancingRuleMustDisableSNATSinceSameFrontendIPConfigurationIsReferencedByOutboundRule",
        `Load balancing rule ${textAt(rule, "id")} must disable SNAT since the same frontend IP configuration is referenced by outbound rule ${textAt(outbound, "id")}.`,
      );
  }
  return undefined;
};

const checkSku = ({ existing, body, id }: Draft): Answer | undefined => {
  const before = textAt(existing?.body, "sku", "name");
  const now = textAt(body, "sku", "name");
  return before === "" || sameText(before, now)
    ? undefined
    : bad("LoadBalancerSkuCannotBeChanged", `Sku of load balancer ${id} cannot be changed from ${before} to ${now}.`);
};

const siblings = (world: World, ownKey: string, id: string, collection: string): readonly JsonObject[] => [
  ...new Map(
    referencesTo(world.state, id)
      .filter(({ holder, from }) => holder === ownKey && from.toLowerCase().includes(`/${collection.toLowerCase()}/`))
      .map(({ from }) => [keyOf(from), { id: from }]),
  ).values(),
];

const setSiblings = (world: World, key: string, item: JsonObject, collections: readonly string[]): void => {
  for (const collection of collections) {
    const found = siblings(world, key, textAt(item, "id"), collection);
    const properties = propertiesOf(item);
    if (found.length > 0) properties[collection] = [...found];
    else delete properties[collection];
  }
};

const rulesOf = ["loadBalancingRules", "inboundNatRules", "inboundNatPools", "outboundRules"] as const;

const isNic = heldBy(/\/networkInterfaces$/i);

const view = (world: World, key: string, body: JsonObject): void => {
  for (const frontend of listAt(body, "properties", "frontendIPConfigurations"))
    setSiblings(world, key, frontend, rulesOf);
  for (const probe of listAt(body, "properties", "probes")) setSiblings(world, key, probe, ["loadBalancingRules"]);
  for (const pool of listAt(body, "properties", "backendAddressPools")) {
    setSiblings(world, key, pool, ["loadBalancingRules", "inboundNatRules"]);
    const [outbound] = siblings(world, key, textAt(pool, "id"), "outboundRules");
    if (outbound !== undefined) propertiesOf(pool)["outboundRule"] = outbound;
    showMembers(world, pool);
  }
  for (const rule of listAt(body, "properties", "inboundNatRules"))
    nameReferrer(world, propertiesOf(rule), "backendIPConfiguration", textAt(rule, "id"), isNic);
};

/** Members of a pool come from the network interfaces; Azure shows each a second time as a backend address. */
const showMembers = (world: World, pool: JsonObject): void => {
  const members = referencesTo(world.state, textAt(pool, "id")).filter(isNic);
  const properties = propertiesOf(pool);
  if (members.length === 0) {
    delete properties["backendIPConfigurations"];
    return;
  }
  properties["backendIPConfigurations"] = members.map(({ from }) => ({ id: from }));
  properties["loadBalancerBackendAddresses"] = members.map(({ from, holder }) => ({
    name: `${holder.split("/")[4]}_${from.split("/").at(-3)}${from.split("/").at(-1)}`,
    properties: { networkInterfaceIPConfiguration: { id: from } },
  }));
};

const forwarding: JsonObject = {
  idleTimeoutInMinutes: 4,
  enableFloatingIP: false,
  enableTcpReset: false,
  allowBackendPortConflict: false,
  enableDestinationServiceEndpoint: false,
};

const computed = [
  ...readOnly("properties.frontendIPConfigurations[].properties", ...rulesOf),
  ...readOnly("properties.backendAddressPools[].properties", ...rulesOf, "outboundRule", "backendIPConfigurations"),
  ...readOnly("properties.probes[].properties", "loadBalancingRules"),
  ...readOnly("properties.inboundNatRules[].properties", "backendIPConfiguration"),
];

const isComputedMember = (member: JsonObject): boolean =>
  "networkInterfaceIPConfiguration" in objectAt(member, "properties");

const compute = (draft: Draft): void => {
  for (const pool of listAt(draft.body, "properties", "backendAddressPools")) {
    const members = listAt(pool, "properties", "loadBalancerBackendAddresses");
    if (members.some(isComputedMember))
      propertiesOf(pool)["loadBalancerBackendAddresses"] = members.filter((member) => !isComputedMember(member));
  }
  allocateAddresses(draft, "frontendIPConfigurations");
};

const usableChildren = (body: JsonObject): readonly JsonObject[] =>
  ["backendAddressPools", "inboundNatRules", "inboundNatPools"].flatMap((collection) =>
    listAt(body, "properties", collection),
  );

/** Network interfaces let go of what is deleted, scale sets do not. */
const usedByScaleSet = (id: string, references: readonly Reference[]): Answer | undefined => {
  const set = references.find(heldBy(/\/virtualMachineScaleSets$/i));
  return set === undefined
    ? undefined
    : bad(
        "LoadBalancerInUseByVirtualMachineScaleSet",
        `Cannot delete load balancer ${id} since it is in use by virtual machine scale set ${set.from}.`,
      );
};

/** Load balancers; inbound NAT rules and backend pools are also addressable on their own. */
export const loadBalancers: TypeRules = {
  type: "Microsoft.Network/loadBalancers",
  etag: "weak",
  patch: "tags",
  put: { atOnce: true },
  children: [
    list("frontendIPConfigurations"),
    list("backendAddressPools", true),
    list("loadBalancingRules"),
    list("probes"),
    list("inboundNatRules", true),
    list("outboundRules"),
    list("inboundNatPools"),
  ],
  fields: [
    ...computed,
    fill("sku", { name: "Basic", tier: "Regional" }),
    fill("sku.tier", "Regional"),
    fill("properties.frontendIPConfigurations[].properties.privateIPAllocationMethod", "Dynamic"),
    ...fills("properties.loadBalancingRules[].properties", {
      ...forwarding,
      loadDistribution: "Default",
      disableOutboundSnat: false,
    }),
    double("properties.loadBalancingRules[].properties", "backendAddressPool", "backendAddressPools"),
    ...fills("properties.inboundNatRules[].properties", forwarding),
    ...fills("properties.inboundNatPools[].properties", forwarding),
    ...fills("properties.outboundRules[].properties", {
      idleTimeoutInMinutes: 4,
      enableTcpReset: false,
      allocatedOutboundPorts: 0,
    }),
    ...fills("properties.probes[].properties", {
      intervalInSeconds: 15,
      numberOfProbes: 1,
      probeThreshold: 1,
      noHealthyBackendsBehavior: "AllProbedDown",
    }),
    fill("properties.backendAddressPools[].properties.loadBalancerBackendAddresses", []),
  ],
  compute,
  check: (draft) =>
    firstRefusal(
      () => checkSku(draft),
      () => checkPorts(draft),
      () => checkBackends(draft),
      () => checkOutbound(draft),
      () => publicIpsFree(draft, publicIpIds(draft.body, "frontendIPConfigurations")),
      () => checkAddresses(draft, "frontendIPConfigurations"),
    ),
  childInUse: (_world, id, references) => usedByScaleSet(id, references),
  inUse: (world, resource) => {
    for (const child of usableChildren(resource.body)) {
      const refusal = usedByScaleSet(resource.id, referencesTo(world.state, textAt(child, "id")));
      if (refusal !== undefined) return refusal;
    }
    return undefined;
  },
  removed: (world, resource) => {
    for (const child of usableChildren(resource.body)) detach(world, textAt(child, "id"));
  },
  view: (world, resource, body) => view(world, resource.key, body),
};
