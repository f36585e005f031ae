import { resync as resyncMessage } from "../core/chain/messages.ts";
import { dependencyTable } from "../core/dependencyTable.ts";
import type { Failure, Result } from "../core/types.ts";
import type { Address, Outgoing } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { notOurs } from "./gather.ts";
import { dropOldHistory } from "./history.ts";
import { dropRow, type Index, type IndexRow, putAllInIndex, readIndex } from "./indexRow.ts";
import { partitionOf } from "./ledger.ts";
import { dropOldOrphans } from "./orphans.ts";
import { sendOutgoing } from "./send.ts";

/** An object is overdue when its due time has passed by so long: its own message must have been lost. */
const overdueMs = 2 * 60_000;
const listingEveryMs = 60 * 60_000;
/** Slack, so that a timer that fires a little early still lists every hour. */
const slackMs = 60_000;
const atOnce = 100;

export interface ResyncReport {
  readonly cluster: string;
  readonly overdue: number;
  /** Undefined: this tick did not list. */
  readonly listed?: number;
  readonly failure?: string;
}

/** One tick of the resync timer. Clusters do not hold each other up. */
export const resync = async (scheduledMs: number, deps: Deps): Promise<readonly ResyncReport[]> =>
  Promise.all(deps.settings.clusters.map((cluster) => ofCluster(cluster, scheduledMs, deps)));

const ofCluster = async (cluster: string, scheduledMs: number, deps: Deps): Promise<ResyncReport> => {
  const index = await readIndex(cluster, deps);
  if (!index.ok) return { cluster, overdue: 0, failure: index.error.code };
  const nowMs = deps.tables.nowMs() ?? scheduledMs;
  const late = index.value.rows.filter(
    ({ address, dueMs }) => deps.kinds.has(address.kind) && dueMs + overdueMs <= nowMs,
  );
  const sent = await send(
    late.map((row) => messageOf(row, { scheduledMs, nowMs, dueMs: nowMs, listed: false })),
    deps,
  );
  if (!sent.ok) return { cluster, overdue: late.length, failure: sent.error.code };
  if (!(await isListingDue(cluster, nowMs, deps))) return { cluster, overdue: late.length };
  const listed = await list(cluster, index.value, scheduledMs, nowMs, deps);
  if (!listed.ok) return { cluster, overdue: late.length, failure: listed.error.code };
  await dropOldOrphans(cluster, nowMs, deps);
  await dropOldHistory(cluster, nowMs, deps);
  return { cluster, overdue: late.length, listed: listed.value };
};

const messageOf = (
  { address, uid }: Pick<IndexRow, "address" | "uid">,
  times: { readonly scheduledMs: number; readonly nowMs: number; readonly dueMs: number; readonly listed: boolean },
): Outgoing => resyncMessage({ address, uid, ...times });

const send = async (outgoing: readonly Outgoing[], deps: Deps): Promise<Result<void>> => {
  for (let from = 0; from < outgoing.length; from += atOnce) {
    const sent = await sendOutgoing(outgoing.slice(from, from + atOnce), deps);
    if (!sent.ok) return sent;
  }
  return { ok: true, value: undefined };
};

const listingRow = "listed";

const isListingDue = async (cluster: string, nowMs: number, { tables }: Deps): Promise<boolean> => {
  const last = await tables.get("shared", cluster, listingRow);
  const atMs = last.ok ? last.value?.values["atMs"] : nowMs;
  return typeof atMs !== "number" || nowMs - atMs >= listingEveryMs - slackMs;
};

type Found = Pick<IndexRow, "address" | "uid">;

/** A kind that the API server does not serve has no objects. */
const isMissingKind = ({ code, status }: Failure): boolean => code === "KindOrNamespaceNotFound" && status === 404;

/** All objects of all kinds that are ours to reconcile, or that some turn knew. All kinds or none: what is missing counts as gone. */
const listAll = async (
  cluster: string,
  isKnown: (object: Found) => boolean,
  deps: Deps,
): Promise<Result<readonly Found[]>> => {
  const kube = await deps.clusters.connect(cluster);
  if (!kube.ok) return kube;
  const kinds = [...deps.kinds.keys()].filter((kind) => dependencyTable[kind] !== undefined);
  const lists = await Promise.all(kinds.map((kind) => kube.value.listMetadata(kind)));
  const broken = lists.find((one) => !one.ok && !isMissingKind(one.error));
  if (broken !== undefined && !broken.ok) return broken;
  const objects = lists.flatMap((one) => (one.ok ? one.value : []));
  const found = objects.map((object) => {
    const { kind, metadata } = object;
    const address: Address = { cluster, kind, namespace: metadata.namespace, name: metadata.name };
    return { address, uid: metadata.uid, ours: notOurs(object, deps) === undefined };
  });
  return { ok: true, value: found.filter((object) => object.ours || isKnown(object)) };
};

const placeOf = ({ address }: Found): string => partitionOf(address.cluster, address);

/** Every object of every kind once, spread over the hour; the index learns what it lacks and loses what it cannot mean. */
const list = async (
  cluster: string,
  { rows, damaged }: Index,
  scheduledMs: number,
  nowMs: number,
  deps: Deps,
): Promise<Result<number>> => {
  const known = new Set(rows.map(placeOf));
  const found = await listAll(cluster, (object) => known.has(placeOf(object)), deps);
  if (!found.ok) return found;
  const fresh = found.value.filter((object) => !known.has(placeOf(object)));
  for (const row of damaged) await dropRow(row, deps);
  const put = await putAllInIndex(
    fresh.map(({ address, uid }) => ({ address, uid, dueMs: nowMs })),
    deps,
  );
  if (!put.ok) return put;
  // What is indexed and not listed any more gets a message too: its turn finds out that it is gone.
  const listed = new Set(found.value.map(placeOf));
  const vanished = rows.filter((row) => deps.kinds.has(row.address.kind) && !listed.has(placeOf(row)));
  const all = [...found.value, ...vanished];
  const spreadMs = (listingEveryMs - slackMs) / Math.max(1, all.length);
  const messages = all.map((one, at) =>
    messageOf(one, { scheduledMs, nowMs, dueMs: nowMs + at * spreadMs, listed: true }),
  );
  const sent = await send(messages, deps);
  if (!sent.ok) return sent;
  await deps.tables.commit("shared", cluster, [{ kind: "upsert", row: listingRow, values: { atMs: nowMs } }]);
  return { ok: true, value: found.value.length };
};
