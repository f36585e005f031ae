import { textAt } from "../../api/json.ts";
import { labels } from "../../core/annotations.ts";
import type { KubeObject, ObjectKey, OwnerReference } from "../../core/types.ts";

const textOf = ({ kind, namespace, name }: ObjectKey): string => JSON.stringify([kind, namespace, name]);

/** Where an object of Cluster API names the object of its infrastructure or control plane. */
const places: Readonly<Record<string, readonly (readonly string[])[]>> = {
  Cluster: [
    ["infrastructureRef"],
    // A control plane that is ours too.
    ["controlPlaneRef"],
  ],
  Machine: [["infrastructureRef"]],
  MachinePool: [["template", "spec", "infrastructureRef"]],
};

const namedBy = ({ kind, spec, metadata: { namespace } }: KubeObject): readonly string[] =>
  (places[kind] ?? []).flatMap((path) => {
    const [named, name] = [textAt(spec, ...path, "kind"), textAt(spec, ...path, "name")];
    return named === undefined || name === undefined ? [] : [textOf({ kind: named, namespace, name })];
  });

const referenceTo = ({ apiVersion, kind, metadata: { name, uid } }: KubeObject): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  controller: true,
});

const clusterOf = (owner: KubeObject): string | undefined =>
  owner.kind === "Cluster" ? owner.metadata.name : textAt(owner.spec, "clusterName");

/** The object as its owner's controller would have it. */
const owned = (object: KubeObject, owner: KubeObject): KubeObject => {
  const cluster = clusterOf(owner);
  const { metadata } = object;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: { ...(cluster !== undefined && { [labels.clusterName]: cluster }), ...metadata.labels },
      ownerReferences: [...metadata.ownerReferences, referenceTo(owner)],
    },
  };
};

/** Objects with the owners and cluster labels that Cluster API would give them; those that have an owner keep it. */
export const withOwners = (objects: readonly KubeObject[]): readonly KubeObject[] => {
  const owners = new Map(objects.flatMap((owner) => namedBy(owner).map((key) => [key, owner] as const)));
  return objects.map((object) => {
    const { kind, metadata } = object;
    const owner = owners.get(textOf({ kind, namespace: metadata.namespace, name: metadata.name }));
    return owner === undefined || metadata.ownerReferences.length > 0 ? object : owned(object, owner);
  });
};

/** Kinds that are the infrastructure or the control plane of a whole Cluster. */
const ofCluster: ReadonlySet<string> = new Set(["AzureCluster", "AzureManagedCluster", "AzureManagedControlPlane"]);

/**
 * The Cluster that is taken for granted for an object that nothing owns: of the name that its label says, else of its own.
 * Undefined for kinds that one alone says too little of.
 */
export const assumedCluster = ({ kind, metadata }: KubeObject): KubeObject | undefined => {
  if (!ofCluster.has(kind) || metadata.ownerReferences.length > 0) return undefined;
  const name = metadata.labels[labels.clusterName] ?? metadata.name;
  const { namespace } = metadata;
  return {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: {
      name,
      namespace,
      uid: `Cluster/${namespace}/${name}`,
      generation: 1,
      resourceVersion: "1",
      labels: {},
      annotations: {},
      finalizers: [],
      ownerReferences: [],
    },
    spec: {},
    status: {},
  };
};

/** The object as owned by that Cluster. */
export const ownedBy = owned;
