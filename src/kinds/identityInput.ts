import { type AzureClusterIdentitySpec, parseAzureClusterIdentity } from "../api/cluster/azureClusterIdentity.ts";
import { textAt } from "../api/json.ts";
import { isDeleting } from "../api/meta.ts";
import { identityFinalizers, identityKind } from "../core/identityFinalizer.ts";
import type { KindInput, Problem } from "../core/kind.ts";
import type { KubeObject, ObjectKey, Result } from "../core/types.ts";
import { mayUse } from "./identityAccess.ts";
import { invalid, problem } from "./problem.ts";

const refused = (...problems: readonly Problem[]): { readonly ok: false; readonly error: readonly Problem[] } => ({
  ok: false,
  error: problems,
});

/** The AzureClusterIdentity that an object names, whatever else is in its spec. */
export const identityKey = ({ spec, metadata }: KubeObject): ObjectKey | undefined => {
  const name = textAt(spec, "identityRef", "name");
  if (name === undefined) return undefined;
  return {
    kind: identityKind,
    namespace: textAt(spec, "identityRef", "namespace") ?? metadata.namespace,
    name,
  };
};

export interface ReadIdentity {
  readonly object: KubeObject;
  readonly spec: AzureClusterIdentitySpec;
}

type Input = Pick<KindInput, "object" | "dependencies">;

/** Of the dependencies that are other objects with the same finalizer on an identity. */
export const namesakeRole = "namesake ";

/**
 * Whether the object has made sure of the identity while it was allowed to: nobody else can put its finalizer there, but for
 * an object whose finalizer is spelt the same.
 */
const isKept = (identity: KubeObject, { object, dependencies }: Input): boolean => {
  const { namespace, name } = object.metadata;
  const finalizers = Object.values(identityFinalizers({ kind: object.kind, namespace, name }) ?? {});
  const isAlone = Object.entries(dependencies).every(
    ([role, one]) => !role.startsWith(namesakeRole) || one === undefined,
  );
  return isAlone && finalizers.some((one) => identity.metadata.finalizers.includes(one));
};

/**
 * The identity, if it exists and the object's namespace may use it. Whoever loses the right may still delete what was made
 * with it.
 */
export const readIdentity = ({ object, dependencies }: KindInput): Result<ReadIdentity, readonly Problem[]> => {
  const key = identityKey(object);
  if (key === undefined) return refused(invalid("spec.identityRef", undefined, "must name an AzureClusterIdentity"));
  const kind = textAt(object.spec, "identityRef", "kind");
  if (kind !== undefined && kind !== key.kind)
    return refused(invalid("spec.identityRef.kind", kind, `must be ${key.kind}`));
  const identity = dependencies["identity"];
  const at = `AzureClusterIdentity ${key.namespace}/${key.name}`;
  if (identity === undefined) return refused(problem("IdentityNotFound", `${at} does not exist`));
  const parsed = parseAzureClusterIdentity(identity);
  if (!parsed.ok) return refused(...parsed.error.map((it) => ({ ...it, message: `${at}: ${it.message}` })));
  const unusable =
    isDeleting(object) && isKept(identity, { object, dependencies })
      ? undefined
      : notUsable(identity, parsed.value, { object, dependencies });
  return unusable === undefined
    ? { ok: true, value: { object: identity, spec: parsed.value } }
    : refused({ ...unusable, message: `${at}: ${unusable.message}` });
};

/** Why the object may not use an identity that is there. */
const notUsable = (
  identity: KubeObject,
  spec: AzureClusterIdentitySpec,
  { object, dependencies }: Input,
): Problem | undefined => {
  const { namespace } = object.metadata;
  if (!mayUse(spec, namespace, dependencies["namespace"]?.metadata.labels))
    return problem("NamespaceNotAllowedByIdentity", `spec.allowedNamespaces does not include ${namespace}`);
  if (isDeleting(identity) && !isDeleting(object) && !isKept(identity, { object, dependencies }))
    return problem("IdentityDeleting", "it is being deleted, so nothing new is made with it");
  return undefined;
};
