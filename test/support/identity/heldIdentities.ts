import { identityFinalizers } from "../../../src/core/identityFinalizer.ts";
import type { KubeObject, ObjectKey } from "../../../src/core/types.ts";
import { key } from "../defaultCluster.ts";
import type { World } from "../world.ts";

/** Identities of a world and who keeps them. */

export const first: ObjectKey = { kind: "AzureClusterIdentity", namespace: "default", name: "sp" };
export const second: ObjectKey = { ...first, name: "other" };

/** The finalizers of the default cluster, or of the one named. */
export const finalizersOf = (object: ObjectKey = key): { readonly current: string; readonly former: string } => {
  const finalizers = identityFinalizers(object);
  if (finalizers === undefined) throw new Error(`${object.kind} keeps no identity`);
  return finalizers;
};

export const finalizersOn = (world: World, identity: ObjectKey): readonly string[] | undefined =>
  world.objects.find(identity)?.metadata.finalizers;

/** Another identity like the first one. */
export const addIdentity = (world: World, { namespace, name }: ObjectKey): KubeObject => {
  const { apiVersion, kind, spec } = world.objects.find(first)!;
  return world.objects.put({ apiVersion, kind, metadata: { namespace, name }, spec });
};

/** The cluster's spec with another identity. */
export const withIdentityRef = (object: KubeObject, { namespace, name }: ObjectKey): KubeObject => ({
  ...object,
  spec: { ...object.spec, identityRef: { kind: "AzureClusterIdentity", namespace, name } },
});

export const useIdentity = (world: World, identity: ObjectKey): void =>
  void world.objects.edit(key, (object) => withIdentityRef(object, identity));

/** An object with other finalizers. */
export const withFinalizers = (object: KubeObject, finalizers: readonly string[]): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, finalizers },
});
