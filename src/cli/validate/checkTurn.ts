import { storedForm } from "../../api/check/storedForm.ts";
import type { Problem } from "../../core/kind.ts";
import type { RunnableKind } from "../../core/runnableKind.ts";
import { isOfSpec } from "../../core/specProblems.ts";
import type { KubeObject } from "../../core/types.ts";
import { asCreated } from "../manifest.ts";
import { isUnset } from "./fillTemplate.ts";
import type { FoundObject } from "./foundObject.ts";
import { type ManifestProblem, problemOf } from "./manifestProblem.ts";
import type { ObjectIndex } from "./objectIndex.ts";
import { turnProblems } from "./turnProblems.ts";

/** Stands in for the one that the installation may have as its default. */
const anySubscription = "00000000-0000-4000-8000-000000000000";

const namedBy = (found: FoundObject, all: ObjectIndex): KubeObject | undefined => {
  const owner = all.namerOf(found);
  return owner && asCreated(owner);
};

/** The Cluster that owns the object, or one as Cluster API would have it. */
const clusterOf = (found: FoundObject, all: ObjectIndex): KubeObject => {
  const { name, namespace } = found;
  const assumed = { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, namespace, body: {} };
  return namedBy(found, all) ?? asCreated(assumed);
};

const owned = (object: KubeObject, { apiVersion, kind, metadata: { name, uid } }: KubeObject): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ownerReferences: [{ apiVersion, kind, name, uid, controller: true }] },
});

const namespaceOf = (name: string): KubeObject =>
  asCreated({ apiVersion: "v1", kind: "Namespace", name, namespace: "", body: {} });

/** What the turn would read beside the object; what the files do not hold may be in the cluster. */
const dependenciesOf = (
  object: KubeObject,
  cluster: KubeObject,
  kind: RunnableKind,
  all: ObjectIndex,
): Readonly<Record<string, KubeObject | undefined>> =>
  Object.fromEntries(
    kind.dependencies(object).map(({ role, key }) => {
      if (key.kind === "Cluster") return [role, cluster];
      if (key.kind === "Namespace") return [role, namespaceOf(key.name)];
      const found = all.named(key);
      return [role, found && asCreated(found)];
    }),
  );

/** Field and words of a message in the one form that problems of a spec have. */
const parts = (message: string): { readonly path: string; readonly words: string } => {
  const [, path, words] = /^((?:spec|metadata)[\w.[\]{}/-]*): (.*)$/s.exec(message) ?? [];
  return path === undefined || words === undefined ? { path: "", words: message } : { path, words };
};

/** Keys of free maps are written in either way. */
const dotted = (path: string): string => path.replaceAll(/\[([^\]]*)\]/g, ".$1");

const overlaps = (one: string, other: string): boolean =>
  dotted(one).startsWith(dotted(other)) || dotted(other).startsWith(dotted(one));

/** All that a turn would say of the spec, of what it reads from the files. */
const problemsOf = (
  found: FoundObject,
  all: ObjectIndex,
  kinds: ReadonlyMap<string, RunnableKind>,
): readonly Problem[] => {
  // A turn reads what the API server stores.
  const stored = asCreated({ ...found, body: storedForm(found.kind, found.body).object });
  const kind = kinds.get(found.kind);
  if (kind === undefined) return turnProblems.get(found.kind)?.(stored, namedBy(found, all)) ?? [];
  const cluster = clusterOf(found, all);
  const object = owned(stored, cluster);
  const dependencies = dependenciesOf(object, cluster, kind, all);
  return kind.read({ object, dependencies, settings: { subscriptionId: anySubscription } }).problems;
};

/** What becomes of it: of an object that is refused, the API server has not asked every rule. */
const outcome = (known: readonly ManifestProblem[]): string =>
  known.length === 0
    ? "accepted by the API server, but Capstan will say SpecValid=False"
    : "refused once the rest is right";

/** Names in Azure follow from it; of a wrong one only wrong names could be said. */
const isNamed = ({ name }: FoundObject, known: readonly ManifestProblem[]): boolean =>
  name !== "" && !known.some(({ path }) => path === "metadata.name");

/**
 * What the API server lets pass and the start of a turn does not (condition `SpecValid`). Places that have been found wrong
 * already are left out.
 */
export const checkTurn = (
  found: FoundObject,
  all: ObjectIndex,
  kinds: ReadonlyMap<string, RunnableKind>,
  known: readonly ManifestProblem[],
): readonly ManifestProblem[] => {
  if (!isNamed(found, known) || isUnset(JSON.stringify(found.body))) return [];
  return problemsOf(found, all, kinds)
    .filter(isOfSpec)
    .map(({ message }) => parts(message))
    .filter(({ path }) => path === "" || !known.some((problem) => overlaps(problem.path ?? "", path)))
    .map(({ path, words }) => {
      const message = `${words} (${outcome(known)})`;
      return problemOf(found, { path, severity: "warning", message, rule: "turn" });
    });
};
