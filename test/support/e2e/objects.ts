import { textAt, valueAt } from "../../../src/api/json.ts";
import type { JsonObject, KubeObject } from "../../../src/core/types.ts";
import { readObjectRow } from "../../../src/engine/fence.ts";
import { indexPartitions } from "../../../src/engine/indexRow.ts";
import { partitionOf } from "../../../src/engine/ledger.ts";
import type { TableRow } from "../../../src/ports.ts";
import { must } from "../contracts/must.ts";
import { eventually } from "./eventually.ts";
import type { Place } from "./manifests.ts";
import type { Scene } from "./scene.ts";

/** Applies objects as a person would, and returns what kubectl said. */
export const apply = (scene: Scene, objects: readonly JsonObject[]): Promise<string> =>
  scene.stack.kubectl(["apply", "-f", "-"], JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));

/** Changes the spec of an AzureCluster by a merge patch, as `kubectl edit` does. */
export const editSpec = async (scene: Scene, { namespace, name }: Place, spec: JsonObject): Promise<void> => {
  const patch = JSON.stringify({ spec });
  await scene.stack.kubectl(["patch", "-n", namespace, "azurecluster", name, "--type=merge", "-p", patch]);
};

const collection = (namespace: string): string =>
  `/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/${namespace}/azureclusters`;

/** Changes an AzureCluster by a merge patch, without a process of its own. Fails with the server's message. */
export const patchCluster = async ({ stack }: Scene, { namespace, name }: Place, patch: JsonObject): Promise<void> => {
  const { status, body } = await stack.controlPlane.api.send({
    method: "PATCH",
    path: `${collection(namespace)}/${name}`,
    contentType: "application/merge-patch+json",
    body: JSON.stringify(patch),
  });
  if (status !== 200) throw new Error(`changing ${namespace}/${name}: ${status} ${body}`);
};

interface Listed {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly status?: JsonObject;
}

/** All AzureClusters of a namespace. Fails with the server's message. */
export const azureClustersIn = async ({ stack }: Scene, namespace: string): Promise<readonly Listed[]> => {
  const { status, body } = await stack.controlPlane.api.send({ path: collection(namespace) });
  if (status !== 200) throw new Error(`listing AzureClusters of ${namespace}: ${status} ${body}`);
  // The one cast: the API server's own form.
  return (JSON.parse(body) as { readonly items: readonly Listed[] }).items;
};

/** Sets (`key=value`) or takes off (`key-`) an annotation of an object. */
export const annotate = async (scene: Scene, kind: string, place: Place, annotation: string): Promise<void> => {
  const { namespace, name } = place;
  await scene.stack.kubectl(["annotate", "--overwrite", "-n", namespace, kind, name, annotation]);
};

/** Asks for a deletion without waiting for its end. */
export const startDeleting = async (scene: Scene, kind: string, { namespace, name }: Place): Promise<void> => {
  await scene.stack.kubectl(["delete", "-n", namespace, kind, name, "--wait=false"]);
};

/** The object, or undefined when the API server says that there is none. */
export const find = async ({ kube }: Scene, kind: string, place: Place): Promise<KubeObject | undefined> => {
  const found = await kube.get({ kind, ...place });
  return !found.ok && found.error.kind === "gone" ? undefined : must(found);
};

export const azureCluster = async (scene: Scene, place: Place): Promise<KubeObject> => {
  const found = await find(scene, "AzureCluster", place);
  if (found === undefined) throw new Error(`there is no AzureCluster ${place.namespace}/${place.name}`);
  return found;
};

/** The conditions of an object in their order. */
const conditionsOf = ({ status }: Pick<KubeObject, "status">): readonly JsonObject[] => {
  const list = valueAt(status, "conditions");
  // The one cast: the definition says that it is a list of objects.
  return Array.isArray(list) ? (list as readonly JsonObject[]) : [];
};

/** `Ready True`, and so on, in their order. */
export const conditionLines = (object: Pick<KubeObject, "status">): readonly string[] =>
  conditionsOf(object).map((condition) => `${textAt(condition, "type")} ${textAt(condition, "status")}`);

export const conditionOf = (object: Pick<KubeObject, "status">, type: string): JsonObject | undefined =>
  conditionsOf(object).find((condition) => condition["type"] === type);

/** A next turn that is further away is a routine look, not work that is left. */
const routineMs = 60_000;

/** Whether what the object says is about its present spec, and nothing is left to do. */
const isSettled = async ({ store, stack }: Scene, object: KubeObject): Promise<boolean> => {
  const { metadata, kind } = object;
  if (conditionOf(object, "Ready")?.["status"] !== "True") return false;
  const row = must(await readObjectRow(store, partitionOf(stack.cluster, { kind, ...metadata })))?.row;
  if (row === undefined || row.seen?.generation !== metadata.generation || row.seen.uid !== metadata.uid) return false;
  const nowMs = store.nowMs() ?? 0;
  return !row.dirty && row.lease.endMs <= nowMs && row.dueMs > nowMs + routineMs;
};

const readyLine = (object: KubeObject): string => JSON.stringify(conditionOf(object, "Ready") ?? "no condition Ready");

/** Waits until the AzureCluster is ready for its present spec, and returns it. */
export const settled = (scene: Scene, place: Place, timeoutMs?: number): Promise<KubeObject> =>
  eventually(
    `AzureCluster ${place.namespace}/${place.name} is settled`,
    async () => {
      const object = await azureCluster(scene, place);
      if (await isSettled(scene, object)) return object;
      throw new Error(readyLine(object));
    },
    timeoutMs,
  );

/** Waits until condition Ready of the AzureCluster is False with this reason, and returns the condition. */
export const blockedBy = (scene: Scene, place: Place, reason: string): Promise<JsonObject> =>
  eventually(`AzureCluster ${place.namespace}/${place.name} says ${reason}`, async () => {
    const object = await azureCluster(scene, place);
    const ready = conditionOf(object, "Ready");
    if (ready?.["status"] === "False" && ready["reason"] === reason) return ready;
    throw new Error(readyLine(object));
  });

/** Waits until there is no such object any more. */
export const gone = (scene: Scene, kind: string, place: Place, timeoutMs?: number): Promise<unknown> =>
  eventually(
    `${kind} ${place.namespace}/${place.name} is gone`,
    async () => (await find(scene, kind, place)) === undefined,
    timeoutMs,
  );

/** All that the tables hold for an AzureCluster: its partition, and its entry in the index. */
export const rowsOf = async ({ store, stack }: Scene, place: Place): Promise<readonly TableRow[]> => {
  const key = { kind: "AzureCluster", ...place };
  const own = must(await store.list("state", partitionOf(stack.cluster, key)));
  const shards = await Promise.all(
    indexPartitions(stack.cluster).map(async (partition) => must(await store.list("index", partition))),
  );
  const entries = shards
    .flat()
    .filter(({ values }) => values["namespace"] === place.namespace && values["name"] === place.name);
  return [...own, ...entries];
};
