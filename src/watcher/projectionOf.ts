import { parseKubeObject } from "../adapters/kubeObject.ts";
import { kindEntry } from "../api/registry.ts";
import { type Projection, project } from "../core/projection.ts";
import type { JsonObject } from "../core/types.ts";

/** What is kept of an object as the API server sent it; undefined when it lacks the metadata of one. */
export const projectionOf = (kind: string, body: JsonObject): Projection | undefined => {
  const entry = kindEntry(kind);
  const object = entry === undefined ? undefined : parseKubeObject(body, entry);
  return object === undefined ? undefined : project(object);
};
