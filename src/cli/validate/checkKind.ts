import { checkedKind } from "../../api/check/checkedKind.ts";
import { infrastructureGroup, infrastructureKinds } from "../../api/registry.ts";
import type { FoundObject } from "./foundObject.ts";
import { type ManifestProblem, problemOf } from "./manifestProblem.ts";
import { nearest } from "./nearest.ts";

/** Whether an object is one that we can judge. */
export type KindVerdict =
  | { readonly kind: "ours" }
  | { readonly kind: "notOurs" }
  | { readonly kind: "wrong"; readonly problem: ManifestProblem };

const clusterApi = "cluster.x-k8s.io";
const names: readonly string[] = infrastructureKinds.map(({ kind }) => kind);
const groupOf = (apiVersion: string): string => (apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "");

const wrong = (object: FoundObject, path: "kind" | "apiVersion", message: string): KindVerdict => ({
  kind: "wrong",
  problem: problemOf(object, {
    path,
    severity: "error",
    value: object[path],
    message,
    rule: "identity",
  }),
});

/** The group is shared with the providers of other clouds; what begins like our kinds is meant to be one. */
const unknownKind = (object: FoundObject): KindVerdict => {
  const { kind } = object;
  const meant = nearest(kind, names);
  if (meant === undefined && !kind.startsWith("Azure")) return { kind: "notOurs" };
  const advice =
    meant === undefined ? `must be one of ${names.join(", ")}` : `is not a kind of ours: did you mean ${meant}?`;
  return wrong(object, "kind", advice);
};

/** Whether the API server would know the kind. A kind of ours is looked for in groups of Cluster API only: another group may have its own. */
export const checkKind = (object: FoundObject): KindVerdict => {
  const { apiVersion, kind } = object;
  const itsGroup = groupOf(apiVersion);
  const known = checkedKind(kind);
  if (known === undefined) return itsGroup === infrastructureGroup ? unknownKind(object) : { kind: "notOurs" };
  if (known.apiVersions.includes(apiVersion)) return { kind: "ours" };
  const isMeant = itsGroup === "" || itsGroup === clusterApi || itsGroup.endsWith(`.${clusterApi}`);
  return isMeant
    ? wrong(object, "apiVersion", `must be ${known.apiVersions.join(" or ")} for ${kind}`)
    : { kind: "notOurs" };
};
