import { type AzureClusterSpec, parseAzureCluster } from "../api/azureCluster.ts";
import { type AzureClusterIdentitySpec, parseAzureClusterIdentity } from "../api/azureClusterIdentity.ts";
import { defaultApiServerPort, parseCluster } from "../api/clusterApi.ts";
import { textAt } from "../api/json.ts";
import { isDeleting, ownerOf } from "../api/meta.ts";
import type { CloudName } from "../core/identity.ts";
import type { KindInput, Problem } from "../core/kind.ts";
import type { KubeObject, ObjectKey, OwnerReference, Result } from "../core/types.ts";
import type { Choice } from "../services/scope.ts";
import { cloudNames, cloudOf, dnsSuffixOf } from "./clouds.ts";
import { given } from "./given.ts";
import { mayUse } from "./identityAccess.ts";
import { invalid, problem } from "./problem.ts";
import type { ClusterFacts } from "./settled.ts";
import { zonesIn } from "./zones.ts";

/** The spec with what the turn knows around it. */
export interface ReadCluster {
  readonly spec: AzureClusterSpec;
  readonly cloud: CloudName;
  readonly facts: ClusterFacts;
}

const refused = (...problems: readonly Problem[]): { readonly ok: false; readonly error: readonly Problem[] } => ({
  ok: false,
  error: problems,
});

const notOwned = problem(
  "OwnerRefNotSet",
  "waiting for Cluster API to set the Cluster as owner of this object",
  "Info",
);

const apiServerPort = (cluster: KubeObject | undefined): Result<Choice<number>, readonly Problem[]> => {
  if (cluster === undefined) return { ok: true, value: { value: defaultApiServerPort, asked: false } };
  const parsed = parseCluster(cluster);
  if (!parsed.ok) return parsed;
  const port = parsed.value.clusterNetwork?.apiServerPort;
  return {
    ok: true,
    value: port === undefined ? { value: defaultApiServerPort, asked: false } : { value: port, asked: true },
  };
};

/** Cluster, cloud and subscription, without which nothing else has a meaning. */
const placeOf = (
  { object, dependencies, settings }: KindInput,
  spec: AzureClusterSpec,
): Result<
  { readonly cloud: CloudName; readonly subscription: string; readonly owner: OwnerReference },
  readonly Problem[]
> => {
  const owner = ownerOf(object, "Cluster");
  if (owner === undefined) return refused(notOwned);
  if (dependencies["cluster"] === undefined && !isDeleting(object)) {
    return refused(
      problem("ClusterNotFound", `waiting for Cluster ${object.metadata.namespace}/${owner.name}`, "Info"),
    );
  }
  const cloud = cloudOf(spec.azureEnvironment);
  if (cloud === undefined) {
    return refused(invalid("spec.azureEnvironment", spec.azureEnvironment, `must be one of ${cloudNames.join(", ")}`));
  }
  const subscription = given(spec.subscriptionID) ?? given(settings.subscriptionId);
  if (subscription === undefined) {
    return refused(
      invalid("spec.subscriptionID", undefined, "must name a subscription: this installation has no default one"),
    );
  }
  return /^[\w-]+$/.test(subscription)
    ? { ok: true, value: { cloud, subscription, owner } }
    : refused(invalid("spec.subscriptionID", subscription, "must be the id of a subscription"));
};

/** Reads the AzureCluster and what it needs of its owner; zones only when they were looked up. */
export const readCluster = (input: KindInput): Result<ReadCluster, readonly Problem[]> => {
  const parsed = parseAzureCluster(input.object);
  if (!parsed.ok) return parsed;
  const spec = parsed.value;
  const place = placeOf(input, spec);
  if (!place.ok) return place;
  const port = apiServerPort(input.dependencies["cluster"]);
  if (!port.ok) return port;
  const { cloud, subscription, owner } = place.value;
  const { name } = input.object.metadata;
  const zones = zonesIn(input, spec.location) ?? [];
  const endpointPort = spec.controlPlaneEndpoint?.port;
  const facts: ClusterFacts = {
    name,
    clusterName: owner.name,
    subscription,
    resourceGroup: given(spec.resourceGroup) ?? name,
    location: spec.location,
    dnsSuffix: dnsSuffixOf(cloud),
    ...(spec.extendedLocation !== undefined && { extendedLocation: spec.extendedLocation }),
    controlPlaneEnabled: spec.controlPlaneEnabled ?? true,
    ...(zones.length > 0 && spec.extendedLocation === undefined && { zones }),
    apiServerPort: port.value,
    ...(endpointPort !== undefined && { endpointPort }),
  };
  return { ok: true, value: { spec, cloud, facts } };
};

/** The AzureClusterIdentity that an object names, whatever else is in its spec. */
export const identityKey = ({ spec, metadata }: KubeObject): ObjectKey | undefined => {
  const name = textAt(spec, "identityRef", "name");
  if (name === undefined) return undefined;
  return {
    kind: "AzureClusterIdentity",
    namespace: textAt(spec, "identityRef", "namespace") ?? metadata.namespace,
    name,
  };
};

export interface ReadIdentity {
  readonly object: KubeObject;
  readonly spec: AzureClusterIdentitySpec;
}

/** The identity, if it exists and the object's namespace may use it. */
export const readIdentity = ({ object, dependencies }: KindInput): Result<ReadIdentity, readonly Problem[]> => {
  const key = identityKey(object);
  if (key === undefined) return refused(invalid("spec.identityRef", undefined, "must name an AzureClusterIdentity"));
  const kind = textAt(object.spec, "identityRef", "kind");
  if (kind !== undefined && kind !== key.kind)
    return refused(invalid("spec.identityRef.kind", kind, `must be ${key.kind}`));
  const identity = dependencies["identity"];
  const at = `${key.namespace}/${key.name}`;
  if (identity === undefined) return refused(problem("IdentityNotFound", `AzureClusterIdentity ${at} does not exist`));
  const parsed = parseAzureClusterIdentity(identity);
  if (!parsed.ok)
    return {
      ok: false,
      error: parsed.error.map((it) => ({ ...it, message: `AzureClusterIdentity ${at}: ${it.message}` })),
    };
  const { namespace } = object.metadata;
  if (!mayUse(parsed.value, namespace, dependencies["namespace"]?.metadata.labels)) {
    const message = `AzureClusterIdentity ${at}: spec.allowedNamespaces does not include ${namespace}`;
    return refused(problem("NamespaceNotAllowedByIdentity", message));
  }
  return { ok: true, value: { object: identity, spec: parsed.value } };
};
