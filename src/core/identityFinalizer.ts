import { dependencyTable } from "./dependencyTable.ts";
import { sha224 } from "./hash.ts";
import type { ObjectKey } from "./types.ts";

export const identityKind = "AzureClusterIdentity";

/** Finalizers that stand for one object on the AzureClusterIdentity that it uses, so that the identity outlives it. */
export interface IdentityFinalizers {
  readonly current: string;
  /** As upstream wrote it before names were hashed. */
  readonly former: string;
}

const textOf = ({ namespace, name }: Pick<ObjectKey, "namespace" | "name">): string => `${namespace}-${name}`;

/**
 * The finalizers of an object, as upstream spells them: existing identities carry them. Undefined for kinds that find their
 * identity by way of another object, which keeps it for them.
 */
export const identityFinalizers = (key: ObjectKey): IdentityFinalizers | undefined => {
  const { finalizer, roles = [] } = dependencyTable[key.kind] ?? {};
  const namesIdentity = roles.some(({ role, from }) => role === "identity" && from === "self");
  if (finalizer === undefined || !namesIdentity) return undefined;
  const text = textOf(key);
  return { current: `${finalizer}/${sha224(text)}`, former: `${finalizer}/${text}` };
};

const isNamespace = (text: string): boolean => /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text);

/** Keys of all other objects that would have the same finalizers: `a-b/c` and `a/b-c` are one text. */
export const namesakesOf = (key: ObjectKey): readonly ObjectKey[] => {
  const words = textOf(key).split("-");
  return words
    .map((_, at) => ({
      kind: key.kind,
      namespace: words.slice(0, at).join("-"),
      name: words.slice(at).join("-"),
    }))
    .filter(({ namespace, name }) => isNamespace(namespace) && /^[a-z0-9]/.test(name) && namespace !== key.namespace);
};
