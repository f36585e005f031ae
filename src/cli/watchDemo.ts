import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { tables } from "../adapters/tables.ts";
import type { ChainRow } from "../core/chain/chainRow.ts";
import { readObjectRow } from "../engine/fence.ts";
import { partitionOf } from "../engine/ledger.ts";
import type { Tables } from "../ports.ts";
import type { Stack } from "../sim/stack/stack.ts";
import { liveObjects } from "./liveObjects.ts";
import { type Readiness, readiness } from "./readiness.ts";
import type { Screen } from "./screen.ts";
import { type Shown, treeRows } from "./treeRows.ts";

const pollMs = 1_000;

export interface WatchOptions {
  readonly stack: Pick<Stack, "controlPlane" | "cluster" | "tables" | "logs">;
  readonly screen: Screen;
  /** Objects that must exist, as `Kind namespace/name`. */
  readonly wanted: readonly string[];
  readonly reconciled: ReadonlySet<string>;
  /** When to give up, in ms from now. Undefined: only when `ended` says so. */
  readonly timeoutMs: number | undefined;
  /** Whether to end as soon as everything is ready. */
  readonly untilReady: boolean;
  readonly ended: AbortSignal;
}

const rowsOf = async (
  store: Tables,
  cluster: string,
  objects: readonly Shown[],
): Promise<ReadonlyMap<string, ChainRow | undefined>> => {
  const read = objects.map(async ({ object }) => {
    const found = await readObjectRow(store, partitionOf(cluster, { kind: object.kind, ...object.metadata }));
    return [object.metadata.uid, found.ok ? found.value?.row : undefined] as const;
  });
  return new Map(await Promise.all(read));
};

/** The line below the tree. What this build does not reconcile is counted apart. */
const verdictLine = ({ ready, reconciled, notInBuild, reasons }: Readiness): string => {
  const apart = notInBuild === 0 ? "" : `, ${notInBuild} not in this build`;
  return `${ready} of ${reconciled} ready${apart}${reasons.length === 0 ? "" : ` (${reasons[0]})`}`;
};

const judge = async (
  shown: readonly Shown[],
  store: Tables,
  { stack, wanted, reconciled }: WatchOptions,
): Promise<Readiness> => {
  const ours = shown.filter(({ object }) => reconciled.has(object.kind));
  const rows = await rowsOf(store, stack.cluster, ours);
  const objects = shown.map(({ object }) => object);
  return readiness({ objects, wanted, reconciled, rows, nowMs: store.nowMs() ?? 0 });
};

const unknown = (why: string): Readiness => ({ reasons: [why], ready: 0, reconciled: 0, notInBuild: 0 });

/** Shows the objects until they are ready, the time is over, or the user ends it. */
export const watchDemo = async (options: WatchOptions): Promise<Readiness> => {
  const { stack, screen, reconciled, timeoutMs, untilReady, ended } = options;
  const live = liveObjects(stack.controlPlane.api);
  const store = tables({
    source: { kind: "connectionString", connectionString: stack.tables.current().connectionString },
  });
  const deadline = timeoutMs === undefined ? Number.POSITIVE_INFINITY : performance.now() + timeoutMs;
  for (;;) {
    const shown = await live.read();
    const verdict = shown.ok
      ? await judge(shown.value, store, options)
      : unknown(`the API server does not answer, see ${join(stack.logs, "kube-apiserver.log")}: ${shown.error}`);
    if (shown.ok) screen.show(treeRows(shown.value, reconciled), verdictLine(verdict));
    const over = ended.aborted || performance.now() >= deadline;
    if (over || (untilReady && verdict.reasons.length === 0)) return verdict;
    await sleep(pollMs, undefined, { signal: ended }).catch(() => undefined);
  }
};
