import { drift as driftMessage } from "../core/chain/messages.ts";
import { hashOf } from "../core/hash.ts";
import type { Result } from "../core/types.ts";
import type { Deps } from "./deps.ts";
import { asker } from "./driftAsker.ts";
import { changesSince, type ResourceChange } from "./driftChanges.ts";
import { isConcerned } from "./driftConcern.ts";
import { type Owners, ownersOf } from "./driftOwners.ts";
import { type DriftScope, driftScopes } from "./driftScopes.ts";
import { type IndexRow, readIndex } from "./indexRow.ts";
import { sendOutgoing } from "./send.ts";

/** Changes show late, 40 minutes were seen: each run looks again at what the one before may have missed. */
const overlapMs = 2 * 60 * 60_000;
/** How far back a run looks when nobody knows when the last one was. */
const lostWatermarkMs = 24 * 60 * 60_000;
const atOnce = 100;

/** What one run found in one subscription, asked with one identity. */
export interface DriftReport {
  readonly cluster: string;
  readonly subscription: string;
  readonly changes: number;
  /** Objects that are looked at again. */
  readonly objects: number;
  readonly failure?: string;
}

/**
 * One tick of the drift timer: what Azure says was changed is matched against what the index says is ours; an object with
 * a change that it has not seen yet and did not make itself reads Azure again. What cannot be asked is skipped, and asked
 * from where it was at the next tick.
 */
export const drift = async (scheduledMs: number, deps: Deps): Promise<readonly DriftReport[]> => {
  const reports = await Promise.all(deps.settings.clusters.map((cluster) => ofCluster(cluster, scheduledMs, deps)));
  return reports.flat();
};

const ofCluster = async (cluster: string, scheduledMs: number, deps: Deps): Promise<readonly DriftReport[]> => {
  const index = await readIndex(cluster, deps);
  if (!index.ok) return [{ cluster, subscription: "", changes: 0, objects: 0, failure: index.error.code }];
  const rows = index.value.rows.filter(({ address }) => deps.kinds.has(address.kind));
  const owners = ownersOf(rows);
  const told = new Set<IndexRow>();
  const reports: DriftReport[] = [];
  for (const scope of driftScopes(rows)) {
    const found = await ofScope(cluster, scope, { owners, told, scheduledMs }, deps);
    const { subscription } = scope;
    const counts = found.ok ? found.value : { changes: 0, objects: 0, failure: found.error.code };
    reports.push({ cluster, subscription, ...counts });
  }
  return reports;
};

interface Tick {
  readonly owners: Owners;
  /** Objects that this tick has enqueued already. */
  readonly told: Set<IndexRow>;
  readonly scheduledMs: number;
}

const watermarkOf = ({ subscription, identity }: DriftScope): string =>
  `watermark~${subscription}~${hashOf(identity).slice(0, 8)}`;

const ofScope = async (
  cluster: string,
  scope: DriftScope,
  { owners, told, scheduledMs }: Tick,
  deps: Deps,
): Promise<Result<Pick<DriftReport, "changes" | "objects">>> => {
  const row = watermarkOf(scope);
  const watermark = await deps.tables.get("shared", cluster, row);
  if (!watermark.ok) return watermark;
  const nowMs = deps.tables.nowMs() ?? scheduledMs;
  const atMs = watermark.value?.values["atMs"];
  const sinceMs = typeof atMs === "number" ? atMs - overlapMs : nowMs - lostWatermarkMs;
  const arm = await asker(cluster, scope, deps);
  if (!arm.ok) return arm;
  const changes = await changesSince(arm.value, scope.subscription, sinceMs);
  if (!changes.ok) return changes;
  const concerned = await concernedBy(cluster, changes.value, owners, told, deps);
  if (!concerned.ok) return concerned;
  const sent = await send(concerned.value, scheduledMs, nowMs, deps);
  if (!sent.ok) return sent;
  for (const one of concerned.value) told.add(one);
  // Lost or not written, the next run looks further back.
  await deps.tables.commit("shared", cluster, [{ kind: "upsert", row, values: { atMs: nowMs } }]);
  return { ok: true, value: { changes: changes.value.length, objects: concerned.value.length } };
};

/** One read of the tables an object that owns something that changed. */
const concernedBy = async (
  cluster: string,
  changes: readonly ResourceChange[],
  owners: Owners,
  told: ReadonlySet<IndexRow>,
  deps: Deps,
): Promise<Result<readonly IndexRow[]>> => {
  const byObject = new Map<IndexRow, ResourceChange[]>();
  for (const change of changes)
    for (const object of owners(change.id).keys()) {
      if (told.has(object)) continue;
      const list = byObject.get(object) ?? [];
      list.push(change);
      byObject.set(object, list);
    }
  const concerned: IndexRow[] = [];
  for (const [object, list] of byObject) {
    const verdict = await isConcerned(cluster, object, list, (id) => owners(id).get(object) ?? [], deps);
    if (!verdict.ok) return verdict;
    if (verdict.value) concerned.push(object);
  }
  return { ok: true, value: concerned };
};

const send = async (
  objects: readonly IndexRow[],
  scheduledMs: number,
  nowMs: number,
  deps: Deps,
): Promise<Result<void>> => {
  const outgoing = objects.map(({ address, uid }) => driftMessage({ address, uid, scheduledMs, nowMs, dueMs: nowMs }));
  for (let from = 0; from < outgoing.length; from += atOnce) {
    const sent = await sendOutgoing(outgoing.slice(from, from + atOnce), deps);
    if (!sent.ok) return sent;
  }
  return { ok: true, value: undefined };
};
