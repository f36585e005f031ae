import type { ObjectKey } from "../core/types.ts";

/**
 * Finalizer that a cluster puts on the AzureClusterIdentity it uses, so that the identity outlives it. `sha224` gives
 * lower-case hex; existing identities carry the value.
 */
export const identityFinalizer = (
  { namespace, name }: Pick<ObjectKey, "namespace" | "name">,
  sha224: (text: string) => string,
): string => `azurecluster.infrastructure.cluster.x-k8s.io/${sha224(`${namespace}-${name}`)}`;
