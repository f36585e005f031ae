import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { type Finding, finding } from "./finding.ts";
import { metadataShape } from "./metadataShape.ts";

/**
 * What Kubernetes asks of the metadata of every object
 * (https://kubernetes.io/docs/concepts/overview/working-with-objects/names/ and
 * https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set).
 */

const subdomain = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const label = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const qualified = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;

const nameWords =
  "must be a lowercase RFC 1123 subdomain: at most 253 lower case letters, digits, '-' and '.', beginning and ending with a letter or digit";
const namespaceWords =
  "must be a lowercase RFC 1123 label: at most 63 lower case letters, digits and '-', beginning and ending with a letter or digit";
const keyWords =
  "must be at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, after an optional DNS subdomain and '/'";
const labelValueWords =
  "must be at most 63 letters, digits, '-', '_' and '.', beginning and ending with a letter or digit, or empty";

const isSubdomain = (text: string): boolean => text.length <= 253 && subdomain.test(text);
/** Something is appended to a generated name, so it may end with a hyphen. */
const isPrefix = (text: string): boolean =>
  isSubdomain(text.length > 1 && text.endsWith("-") ? `${text.slice(0, -2)}a` : text);
const isQualifiedName = (text: string): boolean => {
  const parts = text.split("/");
  const name = parts.at(-1) ?? "";
  return (
    parts.length <= 2 &&
    name.length <= 63 &&
    qualified.test(name) &&
    (parts.length === 1 || isSubdomain(parts[0] ?? ""))
  );
};
const isLabelValue = (text: string): boolean => text === "" || (text.length <= 63 && qualified.test(text));
/** All keys and values of annotations together, in bytes. */
const annotationLimit = 262_144;

const textAt = (metadata: JsonObject, name: string): string => {
  const found = metadata[name];
  return typeof found === "string" ? found : "";
};
// Null is the empty text here.
const written = (value: Json): string => (typeof value === "string" ? value : "");
const entriesAt = (metadata: JsonObject, name: string): readonly (readonly [string, string])[] => {
  const found = metadata[name];
  return isObject(found) ? Object.entries(found).map(([key, value]) => [key, written(value)] as const) : [];
};
const itemsAt = (metadata: JsonObject, name: string): readonly Json[] => {
  const found = metadata[name];
  return Array.isArray(found) ? found : [];
};

const nameFindings = (metadata: JsonObject): readonly Finding[] => {
  const name = textAt(metadata, "name");
  const prefix = textAt(metadata, "generateName");
  if (name === "" && prefix === "")
    return [finding("required", ["metadata", "name"], "Required value: name or generateName is required")];
  return [
    ...(prefix === "" || isPrefix(prefix)
      ? []
      : [finding("metadata", ["metadata", "generateName"], nameWords, prefix)]),
    ...(name === "" || isSubdomain(name) ? [] : [finding("metadata", ["metadata", "name"], nameWords, name)]),
  ];
};

const namespaceFindings = (metadata: JsonObject): readonly Finding[] => {
  const namespace = textAt(metadata, "namespace");
  // An absent one is that of the request.
  return namespace === "" || (namespace.length <= 63 && label.test(namespace))
    ? []
    : [finding("metadata", ["metadata", "namespace"], namespaceWords, namespace)];
};

const labelFindings = (metadata: JsonObject): readonly Finding[] =>
  entriesAt(metadata, "labels").flatMap(([key, value]) => {
    const steps = ["metadata", "labels", { key }];
    return [
      ...(isQualifiedName(key) ? [] : [finding("metadata", steps, keyWords, key)]),
      ...(isLabelValue(value) ? [] : [finding("metadata", steps, labelValueWords, value)]),
    ];
  });

const annotationFindings = (metadata: JsonObject): readonly Finding[] => {
  const annotations = entriesAt(metadata, "annotations");
  const bytes = annotations.reduce((sum, [key, value]) => sum + byteLength(key) + byteLength(value), 0);
  return [
    ...annotations
      .filter(([key]) => !isQualifiedName(key.toLowerCase()))
      .map(([key]) => finding("metadata", ["metadata", "annotations", { key }], keyWords, key)),
    ...(bytes > annotationLimit
      ? [finding("metadata", ["metadata", "annotations"], `may not be more than ${annotationLimit} bytes`)]
      : []),
  ];
};

const byteLength = (written: string): number => new TextEncoder().encode(written).length;

const ownerFindings = (metadata: JsonObject): readonly Finding[] => {
  const owners = itemsAt(metadata, "ownerReferences");
  const controllers = owners.filter((owner) => isObject(owner) && owner["controller"] === true);
  return [
    ...owners.flatMap((owner, i) =>
      ["apiVersion", "kind", "name", "uid"]
        .filter((field) => !isObject(owner) || textAt(owner, field) === "")
        .map((field) => finding("metadata", ["metadata", "ownerReferences", i, field], "must not be empty")),
    ),
    ...(controllers.length > 1
      ? [finding("metadata", ["metadata", "ownerReferences"], "only one owner may be the controller")]
      : []),
  ];
};

const finalizerFindings = (metadata: JsonObject): readonly Finding[] =>
  itemsAt(metadata, "finalizers")
    .map(written)
    .flatMap((finalizer, i) =>
      isQualifiedName(finalizer) ? [] : [finding("metadata", ["metadata", "finalizers", i], keyWords, finalizer)],
    );

/** Everything that is wrong with `metadata`. A missing one has no name. */
export const checkMetadata = (metadata: Json | undefined): readonly Finding[] => {
  const given = metadata ?? {};
  const shaped = metadataShape(given, ["metadata"]);
  if (shaped.length > 0 || !isObject(given)) return shaped;
  return [nameFindings, namespaceFindings, labelFindings, annotationFindings, ownerFindings, finalizerFindings].flatMap(
    (findings) => findings(given),
  );
};
