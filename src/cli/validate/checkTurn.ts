import { storedForm } from "../../api/check/storedForm.ts";
import { textAt } from "../../api/json.ts";
import type { RunnableKind } from "../../core/runnableKind.ts";
import { isOfSpec } from "../../core/specProblems.ts";
import type { KubeObject } from "../../core/types.ts";
import { asCreated } from "../manifest.ts";
import { isUnset } from "./fillTemplate.ts";
import type { FoundObject } from "./foundObject.ts";
import { type ManifestProblem, problemOf } from "./manifestProblem.ts";

/** Stands in for the one that the installation may have as its default. */
const anySubscription = "00000000-0000-4000-8000-000000000000";

/** The Cluster that names the object as its infrastructure, or one as Cluster API would have it. */
const ownerOf = ({ kind, name, namespace }: FoundObject, all: readonly FoundObject[]): KubeObject => {
  const owner = all.find(
    (one) =>
      one.kind === "Cluster" &&
      one.namespace === namespace &&
      textAt(one.body, "spec", "infrastructureRef", "kind") === kind &&
      textAt(one.body, "spec", "infrastructureRef", "name") === name,
  );
  return asCreated(owner ?? { apiVersion: "cluster.x-k8s.io/v1beta2", kind: "Cluster", name, namespace, body: {} });
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
  all: readonly FoundObject[],
): Readonly<Record<string, KubeObject | undefined>> =>
  Object.fromEntries(
    kind.dependencies(object).map(({ role, key }) => {
      if (key.kind === "Cluster") return [role, cluster];
      if (key.kind === "Namespace") return [role, namespaceOf(key.name)];
      const found = all.find(
        (one) => one.kind === key.kind && one.name === key.name && one.namespace === key.namespace,
      );
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

/**
 * What the API server lets pass and the start of a turn does not (condition `SpecValid`). Places that have been found wrong
 * already are left out.
 */
export const checkTurn = (
  found: FoundObject,
  all: readonly FoundObject[],
  kinds: ReadonlyMap<string, RunnableKind>,
  known: readonly ManifestProblem[],
): readonly ManifestProblem[] => {
  const kind = kinds.get(found.kind);
  if (kind === undefined || isUnset(JSON.stringify(found.body))) return [];
  const cluster = ownerOf(found, all);
  // A turn reads what the API server stores.
  const object = owned(asCreated({ ...found, body: storedForm(found.kind, found.body).object }), cluster);
  const dependencies = dependenciesOf(object, cluster, kind, all);
  const { problems } = kind.read({ object, dependencies, settings: { subscriptionId: anySubscription } });
  return problems
    .filter(isOfSpec)
    .map(({ message }) => parts(message))
    .filter(({ path }) => path === "" || !known.some((problem) => overlaps(problem.path ?? "", path)))
    .map(({ path, words }) => {
      const message = `${words} (accepted by the API server, but Capstan will say SpecValid=False)`;
      return problemOf(found, { path, severity: "warning", message, rule: "turn" });
    });
};
