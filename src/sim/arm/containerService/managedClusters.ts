import { Buffer } from "node:buffer";
import { nextGuid, type Resource, type World } from "../armState.ts";
import { defaultKubernetesVersion } from "../catalogue/images.ts";
import { applyFields, fill, fills, omitEmpty, writeOnly } from "../fieldRules.ts";
import { clone, listAt, objectAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { ensureResource, newResource } from "../resource.ts";
import { groupOf, nameOf, subscriptionOf } from "../resourceTarget.ts";
import { drop, find, save } from "../store.ts";
import type { ActionResult, Draft, TypeRules } from "../typeRules.ts";
import { agentPools, poolsOf, scalePool } from "./agentPools.ts";

const nodeGroupId = (cluster: Resource): string =>
  `/subscriptions/${subscriptionOf(cluster.id)}/resourceGroups/${textAt(cluster.body, "properties", "nodeResourceGroup")}`;

const compute = ({ body, existing, id, sent }: Draft): void => {
  const properties = propertiesOf(body);
  // Pools are resources of their own: only those that are named now are written.
  if (propertiesOf(clone(sent))["agentPoolProfiles"] === undefined) delete properties["agentPoolProfiles"];
  const location = textAt(body, "location");
  const prefix = textAt(properties, "dnsPrefix") || nameOf(id);
  properties["nodeResourceGroup"] ??=
    propertiesOf(existing?.body ?? {})["nodeResourceGroup"] ?? `MC_${groupOf(id)}_${nameOf(id)}_${location}`;
  properties["fqdn"] ??= `${prefix}-sim.hcp.${location}.azmk8s.io`;
  properties["azurePortalFQDN"] ??= `${prefix}-sim.portal.hcp.${location}.azmk8s.io`;
  if (body["identity"] !== undefined) properties["servicePrincipalProfile"] ??= { clientId: "msi" };
  properties["kubernetesVersion"] ??= defaultKubernetesVersion;
  properties["currentKubernetesVersion"] = properties["kubernetesVersion"] ?? "";
  if (propertiesOf(body)["apiServerAccessProfile"] !== undefined)
    if (JSON.stringify(properties["apiServerAccessProfile"]).includes('"enablePrivateCluster":true'))
      properties["privateFQDN"] ??= `${prefix}-priv.privatelink.${location}.azmk8s.io`;
  properties["maxAgentPools"] = 100;
  const network = objectAt(properties, "networkProfile");
  if (network["outboundType"] === "loadBalancer")
    network["loadBalancerProfile"] ??= { managedOutboundIPs: { count: 1 } };
};

/** A cluster behind a load balancer of its own has one address for what goes out, in its node resource group. */
const showOutbound = (world: World, cluster: Resource): void => {
  const profile = objectAt(cluster.body, "properties", "networkProfile", "loadBalancerProfile");
  if (profile["managedOutboundIPs"] === undefined) return;
  const addresses = `${nodeGroupId(cluster)}/providers/Microsoft.Network/publicIPAddresses`;
  profile["effectiveOutboundIPs"] ??= [{ id: `${addresses}/${nextGuid(world.state)}` }];
};

/** Pools that the body lists become pools of their own, and the node resource group appears. */
const provisioned = (world: World, cluster: Resource): void => {
  ensureResource(world, nodeGroupId(cluster), "Microsoft.Resources/resourceGroups", () => ({
    location: cluster.body["location"] ?? "",
    managedBy: cluster.id,
    tags: {},
    properties: { provisioningState: "Succeeded" },
  }));
  const properties = propertiesOf(cluster.body);
  const identity = `${nodeGroupId(cluster)}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${nameOf(cluster.id)}-agentpool`;
  properties["identityProfile"] ??= {
    kubeletidentity: { resourceId: identity, clientId: nextGuid(world.state), objectId: nextGuid(world.state) },
  };
  showOutbound(world, cluster);
  for (const profile of listAt(properties, "agentPoolProfiles")) {
    const { name, ...rest } = clone(profile);
    const id = `${cluster.id}/agentPools/${typeof name === "string" ? name : ""}`;
    const present = find(world.state, id);
    const pool = present ?? newResource(world, id, agentPools.type, { properties: {} });
    pool.body["properties"] = { ...propertiesOf(pool.body), ...rest, provisioningState: "Succeeded" };
    applyFields(agentPools.fields ?? [], pool.body, pool.secrets, world.state.options.defaults ?? "azure");
    save(world.state, pool);
    scalePool(world, pool);
  }
};

const removed = (world: World, cluster: Resource): void => {
  const group = find(world.state, nodeGroupId(cluster));
  if (group !== undefined) drop(world, group);
};

/** A kubeconfig in the form that AKS hands out; it leads nowhere. */
const kubeconfig = (cluster: Resource): string =>
  Buffer.from(
    [
      "apiVersion: v1",
      "kind: Config",
      "clusters:",
      `- name: ${nameOf(cluster.id)}`,
      "  cluster:",
      `    server: https://${textAt(cluster.body, "properties", "fqdn")}:443`,
      "    certificate-authority-data: c2ltdWxhdGVk",
      "users:",
      `- name: clusterAdmin_${nameOf(cluster.id)}`,
      "  user:",
      "    token: simulated",
      "contexts:",
      `- name: ${nameOf(cluster.id)}-admin`,
      "  context:",
      `    cluster: ${nameOf(cluster.id)}`,
      `    user: clusterAdmin_${nameOf(cluster.id)}`,
      `current-context: ${nameOf(cluster.id)}-admin`,
      "",
    ].join("\n"),
  ).toString("base64");

const action = (cluster: Resource, name: string): ActionResult | undefined => {
  if (/^listcluster(admin|user|monitoringuser)credential$/.test(name)) {
    const user = name.includes("admin") ? "clusterAdmin" : "clusterUser";
    return {
      kind: "answer",
      answer: { status: 200, body: { kubeconfigs: [{ name: user, value: kubeconfig(cluster) }] } },
    };
  }
  const power = name === "stop" ? "Stopped" : name === "start" ? "Running" : undefined;
  if (power === undefined) return undefined;
  return {
    kind: "operation",
    finish: () => {
      propertiesOf(cluster.body)["powerState"] = { code: power };
    },
  };
};

const immutable = ["dnsPrefix", "nodeResourceGroup"] as const;

const check = ({ existing, body }: Draft): Answer | undefined => {
  const changed = immutable.find((name) => {
    const before = textAt(existing?.body, "properties", name);
    return before !== "" && !sameText(before, textAt(body, "properties", name));
  });
  return changed === undefined
    ? undefined
    : refuse(400, "PropertyChangeNotAllowed", `Changing property 'properties.${changed}' is not allowed.`, {
        target: `properties.${changed}`,
      });
};

/** AKS clusters, in a general form: pools, node resource group, credentials. */
export const managedClusters: TypeRules = {
  type: "Microsoft.ContainerService/managedClusters",
  etag: "eTag",
  patch: "tags",
  keepsLeftOut: true,
  lowerCaseGroups: true,
  missingReference: "ignored",
  put: { retryAfterSeconds: undefined },
  remove: { retryAfterSeconds: undefined },
  owned: ["fqdn", "azurePortalFQDN", "privateFQDN", "identityProfile"],
  fields: [
    writeOnly("properties.servicePrincipalProfile.secret"),
    writeOnly("properties.windowsProfile.adminPassword"),
    fill("sku", { name: "Base", tier: "Free" }),
    ...fills("properties", {
      enableRBAC: true,
      supportPlan: "KubernetesOfficial",
      powerState: { code: "Running" },
      disableLocalAccounts: false,
      nodeProvisioningProfile: { mode: "Manual" },
      securityProfile: {},
      storageProfile: {
        diskCSIDriver: { enabled: true },
        fileCSIDriver: { enabled: true },
        snapshotController: { enabled: true },
      },
      networkProfile: {},
    }),
    ...fills("properties.networkProfile", {
      networkPlugin: "kubenet",
      loadBalancerSku: "standard",
      outboundType: "loadBalancer",
      podCidr: "10.244.0.0/16",
      serviceCidr: "10.0.0.0/16",
      dnsServiceIP: "10.0.0.10",
      ipFamilies: ["IPv4"],
    }),
    ...["nodeLabels", "nodeTaints", "tags"].map((name) => omitEmpty(`properties.agentPoolProfiles[].${name}`)),
  ],
  compute,
  check,
  provisioned,
  removed,
  action: (_world, cluster, name) => action(cluster, name),
  view: (world, cluster, body) => {
    body["type"] = "Microsoft.ContainerService/ManagedClusters";
    const pools = poolsOf(world, cluster);
    if (pools.length > 0)
      propertiesOf(body)["agentPoolProfiles"] = pools.map((pool) => ({
        name: nameOf(pool.id),
        ...clone(propertiesOf(pool.body)),
      }));
  },
};
