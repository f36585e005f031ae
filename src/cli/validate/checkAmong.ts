import { isObject } from "../../api/json.ts";
import { infrastructureGroup, infrastructureKinds } from "../../api/registry.ts";
import type { Json, JsonObject } from "../../core/types.ts";
import { isUnset } from "./fillTemplate.ts";
import { type FoundObject, identityOf } from "./foundObject.ts";
import { type ManifestProblem, problemOf } from "./manifestProblem.ts";
import { nearest } from "./nearest.ts";
import type { ObjectIndex } from "./objectIndex.ts";

const ours: ReadonlySet<string> = new Set(infrastructureKinds.map(({ kind }) => kind));

/** A reference to an object of ours. */
interface Reference {
  /** Path of its name. */
  readonly path: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** An identity is always one of ours; any other reference says its group. */
const kindReferred = (field: string, reference: JsonObject): string => {
  if (field === "identityRef") return "AzureClusterIdentity";
  const groups = [textOf(reference["apiGroup"]), textOf(reference["apiVersion"]).split("/")[0]];
  const kind = textOf(reference["kind"]);
  return groups.includes(infrastructureGroup) && ours.has(kind) ? kind : "";
};

const referencesIn = (value: Json, path: string, field: string, namespace: string): readonly Reference[] => {
  if (Array.isArray(value))
    return value.flatMap((item: Json, index) => referencesIn(item, `${path}[${index}]`, field, namespace));
  if (!isObject(value)) return [];
  const kind = kindReferred(field, value);
  const name = textOf(value["name"]);
  return [
    ...(kind === "" || name === ""
      ? []
      : [{ path: `${path}.name`, kind, namespace: textOf(value["namespace"]) || namespace, name }]),
    ...Object.entries(value).flatMap(([key, inner]) => referencesIn(inner, `${path}.${key}`, key, namespace)),
  ];
};

const fullName = ({ kind, namespace, name }: Omit<Reference, "path">): string => `${kind} ${namespace}/${name}`;

/** Among more names than this, none is looked for that might be meant: it would take minutes. */
const mostNames = 500;

const danglingIn = (object: FoundObject, all: ObjectIndex): readonly ManifestProblem[] => {
  const references = referencesIn(object.body["spec"] ?? null, "spec", "spec", object.namespace);
  return references
    .filter((reference) => !isUnset(reference.name) && all.named(reference) === undefined)
    .map(({ path, kind, namespace, name }) => {
      const there = all.namesOf(kind, namespace);
      const meant = there.length > mostNames ? undefined : nearest(name, there);
      const advice = meant === undefined ? "it must be in the cluster already" : `did you mean ${meant}?`;
      const message = `names ${fullName({ kind, namespace, name })}, which is not in these files: ${advice}`;
      return problemOf(object, { path, severity: "warning", message, value: name, rule: "reference" });
    });
};

/** References count where the files seem to be a whole: a Cluster or a ClusterClass with its parts. */
const isWhole = (objects: readonly FoundObject[]): boolean =>
  objects.some(({ kind }) => kind === "Cluster" || kind === "ClusterClass");

const isClusterApi = ({ apiVersion }: FoundObject): boolean => /^(?:[\w.-]+\.)?cluster\.x-k8s\.io\//.test(apiVersion);

const repeated = (objects: readonly FoundObject[]): readonly ManifestProblem[] => {
  const firsts = new Map<string | undefined, FoundObject>();
  return objects.flatMap((object) => {
    const identity = identityOf(object);
    const first = identity === undefined ? undefined : firsts.get(identity);
    if (first === undefined) {
      firsts.set(identity, object);
      return [];
    }
    const message = `stands here again and replaces the one at ${first.file}:${first.at("").value.line}`;
    return [problemOf(object, { path: "metadata.name", severity: "warning", message, rule: "duplicate" })];
  });
};

/** What is odd among the objects of the files, though each for itself would be accepted. */
export const checkAmong = (all: ObjectIndex): readonly ManifestProblem[] => {
  const { objects } = all;
  if (!isWhole(objects)) return repeated(objects);
  return [...repeated(objects), ...objects.filter(isClusterApi).flatMap((object) => danglingIn(object, all))];
};
