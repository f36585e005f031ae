import { textAt, valueAt } from "../api/json.ts";
import type { ChainRow } from "../core/chain/chainRow.ts";
import type { KubeObject } from "../core/types.ts";
import { isNotInBuild, summaryOf } from "./treeRows.ts";

/** What a verdict is made of. */
export interface ReadinessInput {
  readonly objects: readonly KubeObject[];
  /** Objects that the manifest has, as `Kind namespace/name`: they must exist. */
  readonly wanted: readonly string[];
  readonly reconciled: ReadonlySet<string>;
  /** What the function app remembers of a reconciled object, by uid. */
  readonly rows: ReadonlyMap<string, ChainRow | undefined>;
  /** The table service's time. */
  readonly nowMs: number;
}

export interface Readiness {
  /** Why it is not ready; empty when it is. */
  readonly reasons: readonly string[];
  readonly ready: number;
  readonly reconciled: number;
  readonly notInBuild: number;
}

/** A next turn that is further away is a routine look, not work that is left. */
const workIsLeftWithinMs = 60_000;

export const objectName = ({ kind, metadata: { namespace, name } }: KubeObject): string =>
  `${kind} ${namespace}/${name}`;

/**
 * Why one reconciled object is not ready. Its status has no `observedGeneration`, so the function app's row tells whether
 * what it says is about the present spec: the last turn read this very generation, nothing new has come in since, and
 * nothing is left to do for a minute.
 */
const unready = (object: KubeObject, row: ChainRow | undefined, nowMs: number): string | undefined => {
  const summary = summaryOf(object);
  const status = textAt(summary, "status");
  if (status !== "True") {
    const said = [textAt(summary, "reason"), textAt(summary, "message")].filter((part) => part !== undefined);
    return `Ready is ${status ?? "not set"}${said.length === 0 ? "" : ` (${said.join(": ")})`}`;
  }
  const { uid, generation } = object.metadata;
  if (row?.seen?.uid !== uid || row.seen.generation !== generation) return `generation ${generation} was not yet read`;
  if (row.dirty || row.lease.endMs > nowMs) return "a turn is running";
  return row.dueMs - nowMs < workIsLeftWithinMs ? "something is left to do" : undefined;
};

/** A Cluster waits for infrastructure of ours, and Cluster API has taken note that it stands. */
const unprovisioned = (cluster: KubeObject, reconciled: ReadonlySet<string>): boolean =>
  reconciled.has(textAt(cluster.spec, "infrastructureRef", "kind") ?? "") &&
  valueAt(cluster.status, "initialization", "infrastructureProvisioned") !== true;

/** Whether everything that this build reconciles is there, and what is missing. */
export const readiness = ({ objects, wanted, reconciled, rows, nowMs }: ReadinessInput): Readiness => {
  const ours = objects.filter(({ kind }) => reconciled.has(kind));
  const troubles = ours.map((object) => [object, unready(object, rows.get(object.metadata.uid), nowMs)] as const);
  const names = new Set(objects.map(objectName));
  const reasons = [
    ...(ours.length === 0 ? [`no object of a kind that this build reconciles (${[...reconciled].join(", ")})`] : []),
    ...wanted.filter((name) => !names.has(name)).map((name) => `${name}: not there`),
    ...troubles.flatMap(([object, why]) => (why === undefined ? [] : [`${objectName(object)}: ${why}`])),
    ...objects
      .filter((object) => object.kind === "Cluster" && unprovisioned(object, reconciled))
      .map((object) => `${objectName(object)}: Cluster API does not see its infrastructure yet`),
  ];
  return {
    reasons,
    ready: troubles.filter(([, why]) => why === undefined).length,
    reconciled: ours.length,
    notInBuild: objects.filter((object) => isNotInBuild(object, reconciled)).length,
  };
};
