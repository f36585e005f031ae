import type { Resource, World } from "../armState.ts";
import { scale, virtualMachineScaleSets } from "../compute/scaleSets.ts";
import { fills, omitEmpty } from "../fieldRules.ts";
import { type JsonObject, listAt, numberAt, objectAt, propertiesOf, sameText, textAt } from "../json.ts";
import { type Answer, refuse } from "../protocol.ts";
import { ensureResource } from "../resource.ts";
import { keyOf, nameOf, subscriptionOf } from "../resourceTarget.ts";
import { drop, find, save, under } from "../store.ts";
import type { Draft, TypeRules } from "../typeRules.ts";

const clusterOf = (world: World, pool: Resource): Resource | undefined =>
  find(world.state, pool.id.split("/").slice(0, -2).join("/"));

const setId = (cluster: Resource, pool: Resource): string =>
  `/subscriptions/${subscriptionOf(cluster.id)}/resourceGroups/${textAt(cluster.body, "properties", "nodeResourceGroup")}/providers/Microsoft.Compute/virtualMachineScaleSets/aks-${nameOf(pool.id)}-12345678-vmss`;

/** Pools of a cluster, in the order in which they came. */
export const poolsOf = (world: World, cluster: Resource): readonly Resource[] =>
  under(world.state, cluster.key).filter(({ key }) => key.startsWith(`${cluster.key}${keyOf("/agentPools/")}`));

/** Brings the scale set behind a pool to its count. */
export const scalePool = (world: World, pool: Resource): void => {
  const cluster = clusterOf(world, pool);
  if (cluster === undefined) return;
  const properties = propertiesOf(pool.body);
  properties["currentOrchestratorVersion"] = properties["orchestratorVersion"] ?? "";
  properties["nodeImageVersion"] ??= "AKSUbuntu-2204gen2containerd-202601.01.0";
  const count = numberAt(properties, "count") ?? numberAt(properties, "minCount") ?? 1;
  const set = ensureResource(world, setId(cluster, pool), virtualMachineScaleSets.type, () => ({
    location: cluster.body["location"] ?? "",
    tags: { "aks-managed-poolName": nameOf(pool.id), poolName: nameOf(pool.id) },
    sku: { name: textAt(properties, "vmSize"), tier: "Standard", capacity: count },
    properties: {
      provisioningState: "Succeeded",
      orchestrationMode: "Uniform",
      virtualMachineProfile: { storageProfile: {}, osProfile: { computerNamePrefix: `aks-${nameOf(pool.id)}-` } },
    },
  }));
  objectAt(set.body, "sku")["capacity"] = count;
  save(world.state, set);
  scale(world, set);
};

const systemPools = (world: World, cluster: Resource): readonly Resource[] =>
  poolsOf(world, cluster).filter(({ body }) => sameText(textAt(body, "properties", "mode"), "System"));

const lastSystemPool = (world: World, pool: Resource): Answer | undefined => {
  const cluster = clusterOf(world, pool);
  const others = cluster === undefined ? [] : systemPools(world, cluster).filter((other) => other !== pool);
  if (cluster === undefined || !sameText(textAt(pool.body, "properties", "mode"), "System") || others.length > 0)
    return undefined;
  return refuse(
    400,
    "OperationNotAllowed",
    "There has to be at least one system agent pool in the cluster. It cannot be deleted.",
  );
};

const immutable = ["vmSize", "osDiskType", "osType", "vnetSubnetID", "maxPods"] as const;

const check = ({ existing, body }: Draft): Answer | undefined => {
  const before: JsonObject | undefined = existing?.body;
  const changed = immutable.find((name) => {
    const was = propertiesOf(before ?? {})[name];
    const now = propertiesOf(body)[name];
    if (was === undefined || now === undefined) return false;
    return !sameText(JSON.stringify(was), JSON.stringify(now));
  });
  return changed === undefined
    ? undefined
    : refuse(400, "PropertyChangeNotAllowed", `Changing property 'properties.${changed}' is not allowed.`, {
        target: `properties.${changed}`,
      });
};

/** Bounds are those of the autoscaler, and go with it. */
const compute = ({ body }: Draft): void => {
  const properties = propertiesOf(body);
  if (properties["enableAutoScaling"] === true) return;
  delete properties["minCount"];
  delete properties["maxCount"];
};

/** Node pools of AKS clusters. */
export const agentPools: TypeRules = {
  type: "Microsoft.ContainerService/managedClusters/agentPools",
  location: "none",
  etag: "eTag",
  keepsLeftOut: true,
  lowerCaseGroups: true,
  missingReference: "ignored",
  put: { retryAfterSeconds: undefined },
  fields: [
    ...fills("properties", {
      osType: "Linux",
      osSKU: "Ubuntu",
      type: "VirtualMachineScaleSets",
      mode: "User",
      maxPods: 110,
      osDiskType: "Managed",
      osDiskSizeGB: 128,
      kubeletDiskType: "OS",
      enableFIPS: false,
      enableNodePublicIP: false,
      enableAutoScaling: false,
      scaleDownMode: "Delete",
      powerState: { code: "Running" },
      upgradeSettings: { maxSurge: "10%" },
      workloadRuntime: "OCIContainer",
    }),
    ...["nodeLabels", "nodeTaints", "tags"].map((name) => omitEmpty(`properties.${name}`)),
  ],
  compute,
  check,
  provisioned: scalePool,
  inUse: lastSystemPool,
  removed: (world, pool) => {
    const cluster = clusterOf(world, pool);
    const set = cluster === undefined ? undefined : find(world.state, setId(cluster, pool));
    if (set !== undefined) drop(world, set);
    if (cluster === undefined) return;
    propertiesOf(cluster.body)["agentPoolProfiles"] = listAt(cluster.body, "properties", "agentPoolProfiles").filter(
      (profile) => !sameText(textAt(profile, "name"), nameOf(pool.id)),
    );
    save(world.state, cluster);
  },
};
