import { isObject } from "../../api/json.ts";
import { parseJson } from "../../core/parseJson.ts";
import type { Json, JsonObject, KubeObject } from "../../core/types.ts";

const lastAppliedName = "kubectl.kubernetes.io/last-applied-configuration";

const child = (value: Json | undefined, name: string): Json | undefined =>
  value !== undefined && isObject(value) ? value[name] : undefined;

/** Without what was applied before and is no longer given; a list is one value. */
const withoutFormer = (stored: JsonObject, former: JsonObject, given: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(stored).filter(([name]) => !(name in former) || name in given));

const merged = (stored: JsonObject, former: JsonObject, given: JsonObject): JsonObject => {
  const kept = withoutFormer(stored, former, given);
  const set = Object.entries(given).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    if (value === null) return [];
    const before = kept[name];
    const ofBefore = child(former, name);
    if (!isObject(value) || before === undefined || !isObject(before)) return [[name, value]];
    return [[name, merged(before, ofBefore !== undefined && isObject(ofBefore) ? ofBefore : {}, value)]];
  });
  return { ...kept, ...Object.fromEntries(set) };
};

const formerOf = ({ metadata }: KubeObject): Json | undefined =>
  // The one cast: what JSON.parse gives is JSON.
  parseJson(metadata.annotations[lastAppliedName] ?? "") as Json | undefined;

const objectAt = (value: Json | undefined): JsonObject => (value !== undefined && isObject(value) ? value : {});

/**
 * A stored object after `kubectl apply` of a file: what the file says is laid over it, what was applied before and is gone
 * from the file goes (https://kubernetes.io/docs/tasks/manage-kubernetes-objects/declarative-config/#merge-patch-calculation).
 */
export const appliedOver = (stored: KubeObject, given: KubeObject): KubeObject => {
  const former = formerOf(stored);
  const { metadata } = stored;
  return {
    ...stored,
    metadata: {
      ...metadata,
      labels: { ...metadata.labels, ...given.metadata.labels },
      annotations: { ...metadata.annotations, ...given.metadata.annotations },
    },
    spec: merged(stored.spec, objectAt(child(former, "spec")), given.spec),
  };
};
