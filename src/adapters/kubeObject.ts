import { Type } from "typebox";
import { Value } from "typebox/value";
import { apiVersionOf, type KindEntry } from "../api/registry.ts";
import type { Json, JsonObject, KubeObject, ManagedFields, OwnerReference } from "../core/types.ts";
import { isJsonList, isJsonObject } from "../wire/json.ts";

const text = Type.String();
const texts = Type.Record(text, text);
const metadataShape = Type.Object({
  name: text,
  namespace: Type.Optional(text),
  uid: text,
  generation: Type.Optional(Type.Number()),
  resourceVersion: text,
  deletionTimestamp: Type.Optional(text),
  labels: Type.Optional(texts),
  annotations: Type.Optional(texts),
  finalizers: Type.Optional(Type.Array(text)),
  ownerReferences: Type.Optional(
    Type.Array(
      Type.Object({ apiVersion: text, kind: text, name: text, uid: text, controller: Type.Optional(Type.Boolean()) }),
    ),
  ),
});

type Owner = NonNullable<Type.Static<typeof metadataShape>["ownerReferences"]>[number];
const ownerReference = ({ apiVersion, kind, name, uid, controller }: Owner): OwnerReference => ({
  apiVersion,
  kind,
  name,
  uid,
  ...(controller !== undefined && { controller }),
});

/** An object of which only metadata is known. */
export type KubeMetadata = Omit<KubeObject, "spec" | "status">;

/**
 * The metadata of an object as the API server gave it. Kind and version come from the registry, because items of lists
 * and metadata-only answers do not carry their own. Undefined when it lacks what every stored object has.
 */
export const parseKubeMetadata = (body: JsonObject, entry: KindEntry): KubeMetadata | undefined => {
  const { metadata } = body;
  if (!Value.Check(metadataShape, metadata)) return undefined;
  const { deletionTimestamp } = metadata;
  return {
    apiVersion: apiVersionOf(entry),
    kind: entry.kind,
    metadata: {
      name: metadata.name,
      namespace: metadata.namespace ?? "",
      uid: metadata.uid,
      // Kinds without a spec, such as Secret, have no generation.
      generation: metadata.generation ?? 0,
      resourceVersion: metadata.resourceVersion,
      ...(deletionTimestamp !== undefined && { deletionTimestamp }),
      labels: metadata.labels ?? {},
      annotations: metadata.annotations ?? {},
      finalizers: metadata.finalizers ?? [],
      ownerReferences: (metadata.ownerReferences ?? []).map(ownerReference),
    },
  };
};

const managedFields = (value: Json | undefined): readonly ManagedFields[] =>
  (isJsonList(value) ? value : []).filter(isJsonObject).flatMap(({ manager, subresource, time, fieldsV1 }) =>
    typeof manager === "string" && isJsonObject(fieldsV1)
      ? [
          {
            manager,
            ...(typeof subresource === "string" && subresource !== "" && { subresource }),
            atMs: typeof time === "string" ? Date.parse(time) || 0 : 0,
            fields: fieldsV1,
          },
        ]
      : [],
  );

/** The same with who set which fields: of an object that was asked for by itself; in lists they would only take room. */
export const withManagedFields = (object: KubeObject, { metadata }: JsonObject): KubeObject => ({
  ...object,
  metadata: {
    ...object.metadata,
    managedFields: managedFields(isJsonObject(metadata) ? metadata["managedFields"] : undefined),
  },
});

/** The whole object; a missing spec or status is an empty one. */
export const parseKubeObject = (body: JsonObject, entry: KindEntry): KubeObject | undefined => {
  const known = parseKubeMetadata(body, entry);
  if (known === undefined) return undefined;
  const { spec, status } = body;
  return { ...known, spec: isJsonObject(spec) ? spec : {}, status: isJsonObject(status) ? status : {} };
};
