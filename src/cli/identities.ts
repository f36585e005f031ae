import { textAt, valueAt } from "../api/json.ts";
import type { Json, JsonObject } from "../core/types.ts";
import type { ManifestObject } from "./manifest.ts";

const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";
/** The simulated Azure lets everybody in; these only have the form of ids. */
const anyClientId = "00000000-0000-4000-8000-00000000c11e";
const anyTenantId = "00000000-0000-4000-8000-0000000007e4";

/** What the demo adds for one missing object. */
export interface Addition {
  /** The missing object, as `Kind namespace/name`. */
  readonly name: string;
  readonly bodies: readonly JsonObject[];
}

interface Place {
  readonly namespace: string;
  readonly name: string;
}

const has = (objects: readonly ManifestObject[], kind: string, { namespace, name }: Place): boolean =>
  objects.some((it) => it.kind === kind && it.namespace === namespace && it.name === name);

const secret = ({ namespace, name }: Place): JsonObject => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, namespace },
  type: "Opaque",
  stringData: { clientSecret: "not-a-secret" },
});

const identity = ({ namespace, name }: Place): readonly JsonObject[] => {
  const secretPlace = { namespace, name: `${name}-secret` };
  const spec = {
    type: "ServicePrincipal",
    clientID: anyClientId,
    tenantID: anyTenantId,
    clientSecret: { name: secretPlace.name, namespace },
    allowedNamespaces: {},
  };
  return [secret(secretPlace), { apiVersion, kind: "AzureClusterIdentity", metadata: { name, namespace }, spec }];
};

/** `spec` of an object and, for a template, of what is made from it. */
const specsOf = ({ body }: ManifestObject): readonly (Json | undefined)[] => [
  valueAt(body, "spec"),
  valueAt(body, "spec", "template", "spec"),
];

const referred = (specs: readonly (Json | undefined)[], field: string, namespace: string): readonly Place[] =>
  specs.flatMap((spec) => {
    const name = textAt(spec, field, "name");
    return name === undefined ? [] : [{ name, namespace: textAt(spec, field, "namespace") ?? namespace }];
  });

const distinct = (places: readonly Place[]): readonly Place[] => [
  ...new Map(places.map((place) => [`${place.namespace}/${place.name}`, place])).values(),
];

const absent = (objects: readonly ManifestObject[], kind: string, places: readonly Place[]): readonly Place[] =>
  distinct(places).filter((place) => !has(objects, kind, place));

/** Identities that a manifest uses without having them, and secrets that its identities lack: on a real cluster they would be there. */
export const missingIdentities = (objects: readonly ManifestObject[]): readonly Addition[] => {
  const why = (kind: string, { namespace, name }: Place): string => `${kind} ${namespace}/${name}`;
  const identities = absent(
    objects,
    "AzureClusterIdentity",
    objects.flatMap((object) => referred(specsOf(object), "identityRef", object.namespace)),
  );
  const secrets = absent(
    objects,
    "Secret",
    objects
      .filter(({ kind }) => kind === "AzureClusterIdentity")
      .flatMap((object) => referred(specsOf(object), "clientSecret", object.namespace)),
  );
  return [
    ...identities.map((place) => ({ name: why("AzureClusterIdentity", place), bodies: identity(place) })),
    ...secrets.map((place) => ({ name: why("Secret", place), bodies: [secret(place)] })),
  ];
};
