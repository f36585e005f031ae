import { type ChainRow, markSent } from "../core/chain/chainRow.ts";
import { encodeChainRow } from "../core/chain/rowCodec.ts";
import type { Failure } from "../core/types.ts";
import type { TableAction } from "../ports.ts";
import type { Deps } from "./deps.ts";
import { commitTurn, dueAfter } from "./fence.ts";
import { remember } from "./history.ts";
import { putInIndex } from "./indexRow.ts";
import { objectRow } from "./ledger.ts";
import { logTurn } from "./logTurn.ts";
import { markMovable } from "./marker.ts";
import { sendOutgoing } from "./send.ts";
import type { Ending, Turning } from "./turning.ts";
import { watchedBy } from "./watched.ts";

/** What became of a turn. `lost`: another one has the object, nothing was written or sent. */
export type Finished =
  | { readonly kind: "completed"; readonly result: string }
  | { readonly kind: "postponed"; readonly failure: Failure }
  | { readonly kind: "lost" };

type Committing = Extract<Ending, { kind: "commit" }>;

/** The end of a turn: remember, then send. */
export const finish = async (turning: Turning, ending: Ending): Promise<Finished> => {
  switch (ending.kind) {
    case "lost":
      return ending;
    case "tables":
      return { kind: "postponed", failure: ending.failure };
    case "removed":
      logTurn(turning, ending.result, {});
      return { kind: "completed", result: ending.result };
    case "commit":
      return commitAndSend(turning, ending);
  }
};

const commitAndSend = async (turning: Turning, ending: Committing): Promise<Finished> => {
  const { deps } = turning;
  await tellIndex(turning, ending);
  const rows = [...ending.rows, ...markersOf(turning, ending)];
  const committed = await commitTurn(ending.held, ending.outcome, rows, deps);
  if (committed.kind === "failed") return { kind: "postponed", failure: committed.failure };
  if (committed.kind === "lost") return committed;
  await sendOutbox(committed, ending.held.partition, deps);
  await remember(turning, ending);
  logCommitted(turning, ending, committed.row);
  return { kind: "completed", result: ending.result };
};

/** Before the commit: a crash between the two leaves no object that the resync does not know. */
const tellIndex = async (turning: Turning, ending: Committing): Promise<void> => {
  const { deps } = turning;
  const { held, outcome } = ending;
  const { address, partition } = held;
  const dueMs = dueAfter(held, outcome, deps);
  const uid = outcome.kind === "turned" ? outcome.seen.uid : held.row.uid;
  const indexed = await putInIndex({ address, uid, dueMs, ...watchedBy(turning, ending) }, deps);
  if (!indexed.ok) deps.log("warn", "index row not written", { partition, code: indexed.error.code });
};

const markersOf = ({ rowNames }: Turning, { outcome, movable }: Committing): readonly TableAction[] =>
  outcome.kind === "turned" || movable === true ? markMovable(movable === true, rowNames) : [];

/** Throws when the broker takes nothing: the message comes again, and whatever message comes next sends what is owed. */
const sendOutbox = async (
  { row, etag }: { readonly row: ChainRow; readonly etag: string },
  partition: string,
  deps: Deps,
): Promise<void> => {
  if (row.outbox === undefined) return;
  const sent = await sendOutgoing([row.outbox], deps);
  if (!sent.ok) throw new Error(`outbox not sent: ${sent.error.code}`);
  await deps.tables.commit("state", partition, [
    { kind: "replace", row: objectRow, values: encodeChainRow(markSent(row)), etag },
  ]);
};

const logCommitted = (turning: Turning, { wrote, polled, held, failure, result }: Committing, row: ChainRow): void =>
  logTurn(turning, result, {
    wrote: wrote.length,
    polled,
    turn: row.turn,
    nonce: held.nonce,
    dueInMs: row.dueMs - (turning.deps.tables.nowMs() ?? 0),
    code: failure?.code,
    message: failure?.message,
  });
