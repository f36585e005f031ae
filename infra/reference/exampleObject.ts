import { parse } from "yaml";
import { storedForm } from "../../src/api/check/storedForm.ts";
import { textAt } from "../../src/api/json.ts";
import type { JsonObject, KubeObject, Result } from "../../src/core/types.ts";
import { exampleOf } from "./examples.ts";

const metadataOf = (name: string): KubeObject["metadata"] => ({
  name,
  namespace: "default",
  uid: "",
  generation: 1,
  resourceVersion: "",
  labels: {},
  annotations: {},
  finalizers: [],
  ownerReferences: [],
});

/** An object of a kind of Cluster API. */
export const clusterApiObject = (kind: string, name: string, spec: JsonObject = {}): KubeObject => ({
  apiVersion: "cluster.x-k8s.io/v1beta2",
  kind,
  metadata: metadataOf(name),
  spec,
  status: {},
});

/** The spec of the example of a kind, with other fields laid over it. */
export const exampleSpec = (kind: string, more: JsonObject): JsonObject => {
  // The one cast: YAML of our own file.
  const { spec } = parse(exampleOf(kind)) as { readonly spec: JsonObject };
  return { ...spec, ...more };
};

/** The object with that spec as a turn reads it: with the API server's defaults, owned by the Cluster. */
export const exampleObject = (kind: string, more: JsonObject): KubeObject => {
  // The one cast: YAML of our own file.
  const object = parse(exampleOf(kind)) as JsonObject;
  const { object: stored } = storedForm(kind, { ...object, spec: exampleSpec(kind, more) });
  const owner = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name: exampleCluster, uid: "" };
  return {
    apiVersion: textAt(stored, "apiVersion") ?? "",
    kind,
    metadata: { ...metadataOf(textAt(stored, "metadata", "name") ?? ""), ownerReferences: [owner] },
    spec: stored["spec"] as JsonObject,
    status: {},
  };
};

/** The Cluster that all examples belong to. */
export const exampleCluster = "demo";

/** The value. Throws where an example cannot be read: its own test says more. */
export const read = <T>(result: Result<T, readonly { readonly message: string }[]>): T => {
  if (!result.ok)
    throw new Error(`an example cannot be read: ${result.error.map(({ message }) => message).join(", ")}`);
  return result.value;
};
