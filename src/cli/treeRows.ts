import { textAt, valueAt } from "../api/json.ts";
import { infrastructureGroup } from "../api/registry.ts";
import type { Json, KubeObject } from "../core/types.ts";

/** One object in the tree, as text. */
export interface TreeRow {
  /** `Kind namespace/name`. */
  readonly object: string;
  /** Lines that lead to it from its owner; empty for a root. */
  readonly branch: string;
  /** `True`, `False`, `Unknown`, `-` for what has no such state, or `not in this build`. */
  readonly ready: string;
  readonly reason: string;
  /** Conditions that are true, of all but the summary: `9/12`. */
  readonly progress: string;
  readonly created: string | undefined;
}

/** What the tree knows of one object. */
export interface Shown {
  readonly object: KubeObject;
  /** RFC 3339, as the API server wrote it. */
  readonly created?: string;
}

/** Kinds that are only read by others: nobody reconciles them, here or elsewhere. */
const isPassive = (kind: string): boolean =>
  kind.endsWith("Template") || kind === "AzureClusterIdentity" || kind === "ClusterClass";

/** Whether it is one of ours that somebody would have to reconcile and this build does not. */
export const isNotInBuild = ({ apiVersion, kind }: KubeObject, reconciled: ReadonlySet<string>): boolean =>
  apiVersion.startsWith(`${infrastructureGroup}/`) && !isPassive(kind) && !reconciled.has(kind);

const conditionsOf = (object: KubeObject): readonly Json[] => {
  const conditions = valueAt(object.status, "conditions");
  return Array.isArray(conditions) ? conditions : [];
};

/** Cluster API's own kinds speak of `Available`, ours and machines of `Ready`. */
export const summaryOf = (object: KubeObject): Json | undefined =>
  ["Ready", "Available"].flatMap((type) => conditionsOf(object).find((it) => valueAt(it, "type") === type) ?? [])[0];

const progressOf = (object: KubeObject): string => {
  const summary = textAt(summaryOf(object), "type");
  const others = conditionsOf(object).filter((it) => valueAt(it, "type") !== summary);
  const done = others.filter((it) => valueAt(it, "status") === "True");
  return others.length === 0 ? "" : `${done.length}/${others.length}`;
};

const nameOf = ({ kind, metadata: { namespace, name } }: KubeObject): string =>
  `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;

const rowOf = ({ object, created }: Shown, branch: string, reconciled: ReadonlySet<string>): TreeRow => {
  const summary = summaryOf(object);
  const base = { object: nameOf(object), branch, created };
  if (isNotInBuild(object, reconciled)) return { ...base, ready: "not in this build", reason: "", progress: "" };
  return {
    ...base,
    ready: textAt(summary, "status") ?? (isPassive(object.kind) ? "-" : "Unknown"),
    reason: textAt(summary, "reason") ?? "",
    progress: progressOf(object),
  };
};

/** The controller, else the first owner that is shown itself. */
const parentOf = ({ object }: Shown, byUid: ReadonlyMap<string, Shown>): string | undefined => {
  const owners = object.metadata.ownerReferences.filter(({ uid }) => byUid.has(uid));
  return (owners.find(({ controller }) => controller === true) ?? owners[0])?.uid;
};

const order = (one: Shown, other: Shown): number => nameOf(one.object).localeCompare(nameOf(other.object), "en");

/** All objects as a tree by their owners, depth first, brothers in the order of kind and name. */
export const treeRows = (objects: readonly Shown[], reconciled: ReadonlySet<string>): readonly TreeRow[] => {
  const byUid = new Map(objects.map((it) => [it.object.metadata.uid, it]));
  const children = Map.groupBy(objects.toSorted(order), (it) => parentOf(it, byUid));
  const below = (uid: string | undefined, lead: string): readonly TreeRow[] => {
    const brothers = children.get(uid) ?? [];
    return brothers.flatMap((it, index) => {
      const last = index === brothers.length - 1;
      const branch = uid === undefined ? "" : `${lead}${last ? "└─" : "├─"}`;
      const inner = uid === undefined ? "" : `${lead}${last ? "  " : "│ "}`;
      return [rowOf(it, branch, reconciled), ...below(it.object.metadata.uid, inner)];
    });
  };
  return below(undefined, "");
};
