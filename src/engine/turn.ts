import { markSent } from "../core/chain/chainRow.ts";
import type { TurnOutcome } from "../core/chain/commit.ts";
import { gone } from "../core/chain/gone.ts";
import { encodeChainRow } from "../core/chain/rowCodec.ts";
import { seenOf } from "../core/inputs.ts";
import { project } from "../core/projection.ts";
import type { Failure } from "../core/types.ts";
import { keyOf, type WorkItem } from "../core/workItem.ts";
import type { Kube } from "../ports.ts";
import { applying } from "./applying.ts";
import { defectEnding } from "./defect.ts";
import { deleting } from "./deleting.ts";
import type { Deps } from "./deps.ts";
import { discreet } from "./discreet.ts";
import { endOfLife } from "./endOfLife.ts";
import { commitTurn, dueAfter, type Held } from "./fence.ts";
import { showFuture } from "./fromTheFuture.ts";
import { gather, isMoved } from "./gather.ts";
import { guardedKube } from "./guardedKube.ts";
import { remember } from "./history.ts";
import { putInIndex } from "./indexRow.ts";
import { readKubeLedger } from "./kubeRow.ts";
import { type Judged, takeLease } from "./lease.ts";
import { objectRow, readLedger } from "./ledger.ts";
import { markMovable } from "./marker.ts";
import { keepOrphans } from "./orphans.ts";
import { pausing } from "./pausing.ts";
import { sendOutgoing } from "./send.ts";
import { gated } from "./shared/gatedArm.ts";
import { throttled } from "./throttle/throttled.ts";
import { timedAzure } from "./timedAzure.ts";
import { timedKube } from "./timedKube.ts";
import { type Ending, nothingWritten, surroundings, type Turning, withIdentity } from "./turning.ts";
import { watchedBy } from "./watched.ts";

/** What became of a message. */
export type TurnResult =
  | { readonly kind: "completed"; readonly result: string }
  /** No turn can ever handle it as it is: it goes to the queue of failed messages, with the reason. */
  | { readonly kind: "parked"; readonly failure: Failure }
  /** No table answers, no lease lasts, or a newer release wrote the row: the message is sent again later and completed. */
  | { readonly kind: "postponed"; readonly failure: Failure };

/** Leases that one message may lose before it is put off. */
const leasesLost = 3;

/** One message, one turn: judge, gather, plan, intend, act, tell, remember, send (design section 4). */
export const turn = async (item: WorkItem, deps: Deps, left = leasesLost): Promise<TurnResult> => {
  const kind = deps.kinds.get(item.kind);
  if (kind === undefined) return parked("UnknownKind", `kind ${item.kind} is not reconciled by this release`);
  const kube = await deps.clusters.connect(item.cluster);
  if (!kube.ok) return { kind: "parked", failure: kube.error };
  const judged = await takeLease(item, deps);
  switch (judged.kind) {
    case "ended":
      deps.log("debug", "message ended", { ...nameOf(item), cause: item.cause, why: judged.why });
      return { kind: "completed", result: judged.why };
    case "failed":
      if (judged.failure.code === "RowFromTheFuture") await showFuture(item, kind, kube.value, judged.failure, deps);
      return { kind: "postponed", failure: judged.failure };
    case "held": {
      const { nonce, row } = judged.held;
      deps.log("debug", "lease taken", { ...nameOf(item), nonce, turn: row.turn, takenOver: judged.takenOver });
      const result = await underLease(item, judged, kind, kube.value, deps);
      // Who took the lease over may have died since: the message is judged again by what the row says now.
      const lost = result.kind === "completed" && result.result === lostLease;
      if (lost) deps.log("info", "lease lost", nameOf(item));
      if (!lost) return result;
      // Rows that vanish under each of its turns were taken over by nobody: then this message is all there is.
      return left > 0 ? turn(item, deps, left - 1) : { kind: "postponed", failure: leaseLost };
    }
  }
};

const lostLease = "lost";
const leaseLost: Failure = {
  kind: "conflict",
  code: "LeaseLost",
  message: "one turn after another has lost the object's lease; the message is judged again later",
};

const parked = (code: string, message: string): TurnResult => ({
  kind: "parked",
  failure: { kind: "badConfiguration", code, message },
});
const nameOf = (item: WorkItem): { readonly object: string; readonly kind: string } => ({
  object: `${item.namespace}/${item.name}`,
  kind: item.kind,
});

const underLease = async (
  item: WorkItem,
  { held, startedMs, takenOver }: Extract<Judged, { kind: "held" }>,
  kind: Turning["kind"],
  kube: Kube,
  deps: Deps,
): Promise<TurnResult> => {
  const rows = await deps.tables.list("state", held.partition);
  if (!rows.ok) return { kind: "postponed", failure: rows.error };
  const { ledger, damaged } = readLedger(rows.value);
  for (const { code, message } of damaged)
    deps.log("warn", "resource row not readable", { ...nameOf(item), code, message });
  const rowNames = rows.value.map(({ row }) => row).filter((row) => row !== objectRow);
  const { azure, kube: told, kind: discreetKind, log, exchanges, blank } = discreet(deps, kube, kind);
  const timed = timedKube(told, { deps, startedMs });
  const guarded = guardedKube(timed, readKubeLedger(rows.value), keyOf(item), { ...deps, log });
  const turning: Turning = {
    deps: { ...deps, log, azure: timedAzure(azure, { deps, startedMs }) },
    item,
    kind: discreetKind,
    kube: guarded.kube,
    contests: guarded.contests,
    exchanges,
    blank,
    held,
    takenOver,
    ledger,
    rowNames,
    startedMs,
  };
  const ending = await work(turning).catch((error: unknown) => defectEnding(turning, error));
  return finish(turning, guarded.remembered(ending));
};

/** From the object to an ending; the only place where an exception is a defect of ours. */
const work = async (turning: Turning): Promise<Ending> => {
  const { item, kind, kube, deps, held } = turning;
  const gathered = await gather(keyOf(item), kind, kube, deps);
  if (!gathered.ok) return surroundings(held, gathered.error);
  switch (gathered.value.kind) {
    case "gone":
      return missing(turning);
    case "ignored": {
      const dueMs = (deps.tables.nowMs() ?? 0) + deps.settings.driftPeriodMs;
      const seen = seenOf(project(gathered.value.object), []);
      const outcome: TurnOutcome = { kind: "turned", seen, dueMs, idle: true, observed: false, settled: true };
      return { ...idle(held, outcome, gathered.value.why), ...(isMoved(gathered.value.object) && { movable: true }) };
    }
    case "paused":
      return withIdentity(await pausing(turning, gathered.value), gathered.value);
    case "ready": {
      const isDeleting = gathered.value.object.metadata.deletionTimestamp !== undefined;
      const rank = isDeleting ? "deletion" : held.row.why.human ? "human" : "other";
      const limited = { ...turning, deps: gated(throttled(deps, { object: held.partition, rank }), held.nonce) };
      const ending = await (isDeleting ? deleting(limited, gathered.value) : applying(limited, gathered.value));
      return withIdentity(ending, gathered.value);
    }
  }
};

const idle = (held: Held, outcome: TurnOutcome, result: string): Extract<Ending, { kind: "commit" }> => ({
  kind: "commit",
  held,
  outcome,
  ...nothingWritten,
  result,
});

/** At first the rows are kept: an API server restored from an old copy also says NotFound. */
const missing = async (turning: Turning): Promise<Ending> => {
  const { held, deps, ledger, item } = turning;
  const verdict = gone({ row: held.row, nowMs: deps.tables.nowMs() ?? 0, ledgerEmpty: ledger.size === 0 });
  if (verdict.kind === "wait")
    return { ...idle(held, verdict.outcome, "gone, looked at again"), ...(item.moved === true && { movable: true }) };
  const kept = await keepOrphans(turning);
  return kept.ok ? endOfLife(turning, "gone") : { kind: "tables", failure: kept.error };
};

/** Remember, then send. */
const finish = async (turning: Turning, ending: Ending): Promise<TurnResult> => {
  switch (ending.kind) {
    case "lost":
      return { kind: "completed", result: lostLease };
    case "tables":
      return { kind: "postponed", failure: ending.failure };
    case "removed":
      logTurn(turning, ending.result, {});
      return { kind: "completed", result: ending.result };
    case "commit":
      return commitAndSend(turning, ending);
  }
};

const commitAndSend = async (turning: Turning, ending: Extract<Ending, { kind: "commit" }>): Promise<TurnResult> => {
  const { deps } = turning;
  const { address, partition } = ending.held;
  const { outcome } = ending;
  const turned = outcome.kind === "turned";
  const dueMs = dueAfter(ending.held, outcome, deps);
  const uid = turned ? outcome.seen.uid : ending.held.row.uid;
  const indexed = await putInIndex({ address, uid, dueMs, ...watchedBy(turning, ending) }, deps);
  if (!indexed.ok) deps.log("warn", "index row not written", { partition, code: indexed.error.code });
  const rows = [...ending.rows, ...markersOf(turning, ending)];
  const committed = await commitTurn(ending.held, ending.outcome, rows, deps);
  if (committed.kind === "failed") return { kind: "postponed", failure: committed.failure };
  if (committed.kind === "lost") return { kind: "completed", result: lostLease };
  const { row, etag } = committed;
  const { outbox } = row;
  if (outbox !== undefined) {
    const sent = await sendOutgoing([outbox], deps);
    // The row still owes it: whatever message comes next sends it first. Here the message itself comes again.
    if (!sent.ok) throw new Error(`outbox not sent: ${sent.error.code}`);
    await deps.tables.commit("state", partition, [
      { kind: "replace", row: objectRow, values: encodeChainRow(markSent(row)), etag },
    ]);
  }
  await remember(turning, ending);
  logTurn(turning, ending.result, {
    wrote: ending.wrote.length,
    polled: ending.polled,
    turn: row.turn,
    nonce: ending.held.nonce,
    dueInMs: row.dueMs - (deps.tables.nowMs() ?? 0),
    code: ending.failure?.code,
    message: ending.failure?.message,
  });
  return { kind: "completed", result: ending.result };
};

const markersOf = ({ rowNames }: Turning, { outcome, movable }: Extract<Ending, { kind: "commit" }>) =>
  outcome.kind === "turned" || movable === true ? markMovable(movable === true, rowNames) : [];

const logTurn = (
  { deps, item, startedMs }: Turning,
  result: string,
  more: Readonly<Record<string, string | number | undefined>>,
): void =>
  deps.log("info", "turn finished", {
    ...nameOf(item),
    cause: item.cause,
    generation: item.generation,
    result,
    durationMs: Math.round(deps.clock.monotonicMs() - startedMs),
    ...more,
  });
