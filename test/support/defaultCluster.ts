import type { JsonObject, KubeObject, ObjectKey } from "../../src/core/types.ts";
import { mutateResource, type Seed, seedResources } from "../../src/sim/arm/otherWriter.ts";
import { webRule } from "./webRule.ts";
import { applyDefaultCluster, createWorld, type World } from "./world.ts";

/** Names and ids of the cluster that `applyDefaultCluster` makes, and what tests do to it. */

export const key: ObjectKey = { kind: "AzureCluster", namespace: "default", name: "c1" };
export const subscription = "/subscriptions/00000000-0000-4000-8000-000000000001";
export const group = `${subscription}/resourceGroups/c1`;
const network = `${group}/providers/Microsoft.Network`;
export const ids = {
  vnet: `${network}/virtualNetworks/c1-vnet`,
  controlPlaneSubnet: `${network}/virtualNetworks/c1-vnet/subnets/control-plane-subnet`,
  nodeSubnet: `${network}/virtualNetworks/c1-vnet/subnets/node-subnet`,
  nodeNsg: `${network}/networkSecurityGroups/c1-node-nsg`,
  lb: `${network}/loadBalancers/c1-public-lb`,
  routeTable: `${network}/routeTables/c1-node-routetable`,
};
export const ownerTag = "sigs.k8s.io_cluster-api-provider-azure_cluster_c1";

export const settledCluster = async (options: Parameters<typeof createWorld>[0] = {}): Promise<World> => {
  const world = createWorld(options);
  applyDefaultCluster(world);
  await world.run(60 * 60_000);
  return world;
};

export const withAnnotation = (object: KubeObject, name: string, value: string | undefined): KubeObject => {
  const { [name]: _, ...others } = object.metadata.annotations;
  const annotations = value === undefined ? others : { ...others, [name]: value };
  return { ...object, metadata: { ...object.metadata, annotations } };
};

export const annotate = (world: World, name: string, value: string | undefined): void =>
  void world.objects.edit(key, (object) => withAnnotation(object, name, value));

/** The spec with one security rule at the nodes, whose source this is. */
export const withSource = (object: KubeObject, source: string): KubeObject => {
  const securityGroup = { name: "c1-node-nsg", securityRules: [{ ...webRule, source }] };
  const subnets = [
    { name: "control-plane-subnet", role: "control-plane" },
    { name: "node-subnet", role: "node", securityGroup },
  ];
  return { ...object, spec: { ...object.spec, networkSpec: { vnet: { name: "c1-vnet" }, subnets } } };
};

/** Another writer changes a resource. */
export const mutate = (world: World, id: string, change: (body: JsonObject) => JsonObject): void =>
  mutateResource(world.arm, id, change as Parameters<typeof mutateResource>[2], world.clock.nowMs());

/** Another writer makes resources. */
export const seed = (world: World, ...seeds: readonly JsonObject[]): void =>
  seedResources(world.arm, seeds as readonly Seed[], world.clock.nowMs());

export const bodyOf = (world: World, id: string): JsonObject =>
  (world.arm.resources.get(id.toLowerCase())?.body ?? {}) as JsonObject;

/** A person lets the cluster's identity go in spite of the finalizers on it. */
export const loseIdentity = (world: World): void => {
  const identity: ObjectKey = { kind: "AzureClusterIdentity", namespace: "default", name: "sp" };
  world.objects.edit(identity, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }), "person");
  world.objects.remove(identity);
};

export const withTag = (body: JsonObject, name: string, value: string | undefined): JsonObject => {
  const { [name]: _, ...others } = (body["tags"] ?? {}) as JsonObject;
  return { ...body, tags: value === undefined ? others : { ...others, [name]: value } };
};

/** Sends a message of a cause of its own, as timers and people do, and lets it be handled. */
export const resources = (world: World): readonly string[] => [...world.arm.resources.keys()].toSorted();
