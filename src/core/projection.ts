import { isJsonObject } from "../wire/json.ts";
import { annotations, isOwnAnnotation, isReadAnnotation, isReadLabel, labels } from "./annotations.ts";
import { type Counted, dependencyTable } from "./dependencyTable.ts";
import { hashOf } from "./hash.ts";
import type { Json, KubeObject, ObjectKey } from "./types.ts";

/** What watcher and turn keep of one object: enough to know whom it obeys, and what those that obey it count of it. */
export interface Projection extends ObjectKey {
  readonly uid: string;
  readonly generation: number;
  readonly resourceVersion: string;
  readonly deleting: boolean;
  /** Our finalizer is present. */
  readonly finalized: boolean;
  /** Those that a turn reads; long values as hashes. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
  /** Owners of Cluster API's groups. */
  readonly owners: readonly ObjectKey[];
  /** Objects that the spec names, by the field that names them. */
  readonly references: Readonly<Record<string, ObjectKey>>;
  readonly counted: Readonly<Partial<Record<Counted, Json>>>;
}

const longestValue = 64;
const pick = (
  all: Readonly<Record<string, string>>,
  isRead: (name: string) => boolean,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => isRead(name))
      .map(([name, value]) => [name, value.length > longestValue ? hashOf(value) : value]),
  );

/** The value at a path; null when there is none. */
const at = (value: Json, ...path: readonly string[]): Json => {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  return isJsonObject(value) && Object.hasOwn(value, step) ? at(value[step] ?? null, ...rest) : null;
};
const text = (value: Json): string => (typeof value === "string" ? value : "");

const isClusterApi = (apiVersion: string): boolean => /^([a-z]+\.)*cluster\.x-k8s\.io\//.test(apiVersion);

const referenceAt = (object: KubeObject, field: string): readonly (readonly [string, ObjectKey])[] => {
  const reference = at(object.spec, field);
  const kind = text(at(reference, "kind"));
  const name = text(at(reference, "name"));
  // The kind of an identity may be left out: there is only one.
  const known = kind === "" && field === "identityRef" ? "AzureClusterIdentity" : kind;
  return known === "" || name === ""
    ? []
    : [[field, { kind: known, namespace: text(at(reference, "namespace")) || object.metadata.namespace, name }]];
};

/** The Cluster by name: from the spec where the contract has the name, else from the label. */
const clusterNameOf = (object: KubeObject): string =>
  text(at(object.spec, "clusterName")) || (object.metadata.labels[labels.clusterName] ?? "");

const clusterReference = (object: KubeObject): readonly (readonly [string, ObjectKey])[] => {
  const name = clusterNameOf(object);
  return name === "" ? [] : [["clusterName", { kind: "Cluster", namespace: object.metadata.namespace, name }]];
};

const conditionIsTrue = (object: KubeObject, type: string): boolean => {
  const conditions = at(object.status, "conditions");
  return (
    Array.isArray(conditions) && conditions.some((one) => at(one, "type") === type && at(one, "status") === "True")
  );
};

/** v1beta2 has `status.initialization`, v1beta1 a flag and a condition. */
const initializationOf = (object: KubeObject): Json => ({
  infrastructure:
    at(object.status, "initialization", "infrastructureProvisioned") === true ||
    at(object.status, "infrastructureReady") === true,
  controlPlane:
    at(object.status, "initialization", "controlPlaneInitialized") === true ||
    conditionIsTrue(object, "ControlPlaneInitialized"),
});

const readyAndEndpoint = (object: KubeObject): Projection["counted"] => ({
  ready: at(object.status, "ready") === true,
  endpoint: at(object.spec, "controlPlaneEndpoint"),
});

const annotation = (object: KubeObject, name: string): Json => object.metadata.annotations[name] ?? null;

const countedByKind: Readonly<Record<string, (object: KubeObject) => Projection["counted"]>> = {
  Cluster: (object) => ({ paused: at(object.spec, "paused") === true, initialization: initializationOf(object) }),
  Machine: (object) => ({
    bootstrap: at(object.spec, "bootstrap", "dataSecretName"),
    deleteMachine: annotation(object, annotations.deleteMachine),
  }),
  MachinePool: (object) => ({
    bootstrap: at(object.spec, "template", "spec", "bootstrap", "dataSecretName"),
    replicasManagedBy: annotation(object, annotations.replicasManagedBy),
  }),
  AzureCluster: readyAndEndpoint,
  AzureManagedCluster: readyAndEndpoint,
  AzureManagedControlPlane: (object) => ({ ...readyAndEndpoint(object), version: at(object.status, "version") }),
  AzureASOManagedControlPlane: (object) => ({
    ready: at(object.status, "ready") === true,
    endpoint: at(object.status, "controlPlaneEndpoint"),
    version: at(object.status, "version"),
  }),
  AzureMachinePoolMachine: (object) => ({
    ready: at(object.status, "ready") === true,
    instance: [
      at(object.status, "provisioningState"),
      at(object.status, "version"),
      at(object.status, "latestModelApplied"),
    ],
    deleteMachine: annotation(object, annotations.deleteMachine),
  }),
};

const countedBy = new Map(Object.entries(countedByKind));

/** The projection of an object as read. Its size does not grow with the object. */
export const project = (object: KubeObject): Projection => {
  const { kind, metadata } = object;
  const { namespace, name, uid, generation, resourceVersion } = metadata;
  const finalizer = dependencyTable[kind]?.finalizer;
  return {
    kind,
    namespace,
    name,
    uid,
    generation,
    resourceVersion,
    deleting: metadata.deletionTimestamp !== undefined,
    finalized: finalizer !== undefined && metadata.finalizers.includes(finalizer),
    annotations: pick(metadata.annotations, isReadAnnotation),
    labels: pick(metadata.labels, isReadLabel),
    owners: metadata.ownerReferences
      .filter(({ apiVersion }) => isClusterApi(apiVersion))
      .map((owner) => ({ kind: owner.kind, namespace, name: owner.name })),
    references: Object.fromEntries([
      ...["identityRef", "infrastructureRef", "controlPlaneRef"].flatMap((field) => referenceAt(object, field)),
      ...clusterReference(object),
    ]),
    counted: countedBy.get(kind)?.(object) ?? {},
  };
};

/**
 * What a turn has read, with what it wrote itself since: `applied` is the object as an own apply of finalizer or
 * annotations gave it back. Whatever else that answer shows newer was not read by the turn and stays news.
 */
export const withOwnWrites = (read: Projection, applied: Projection): Projection => {
  if (applied.uid !== read.uid) return read;
  const foreign = Object.entries(read.annotations).filter(([name]) => !isOwnAnnotation(name));
  const own = Object.entries(applied.annotations).filter(([name]) => isOwnAnnotation(name));
  return {
    ...read,
    finalized: read.finalized || applied.finalized,
    annotations: Object.fromEntries([...foreign, ...own]),
  };
};
