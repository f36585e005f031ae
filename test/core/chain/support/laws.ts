import { type ChainRow, isHeldBy } from "../../../../src/core/chain/chainRow.ts";
import type { Commit } from "../../../../src/core/chain/commit.ts";
import { limits } from "../../../../src/core/chain/limits.ts";
import type { WorkItem } from "../../../../src/core/workItem.ts";
import { type Run, Violation, type World } from "./model.ts";

/** What must hold at single steps; each throws a `Violation`. */

/** A turn before the due time is for news, for a person, or after a crash: nothing else shortens a back-off. */
export const mustBringNews = (world: World, item: WorkItem, row: ChainRow | undefined): void => {
  if (row === undefined || row.dueMs <= world.nowMs + limits.earlyMs || row.lease.endMs !== 0) return;
  const isNews = row.seen?.generation !== item.generation || row.seen.inputs !== item.inputs;
  const mayRun = item.cause === "change" ? isNews : ["drift", "replay"].includes(item.cause) || item.listed === true;
  if (!mayRun) throw new Violation(`a ${item.cause} without news ran before the row was due`);
};

/** A follow-up of a former life of the object, or of its row, neither runs nor goes on being sent beside the row's own. */
export const mustBelong = ({ cause, nonce }: WorkItem, row: ChainRow | undefined): void => {
  if (cause === "followUp" && row !== undefined && row.uid !== "" && nonce !== row.incarnation)
    throw new Violation("heeds a follow-up of a former life");
};

/** What a turn tells may be old as soon as another one has the object. A lost row cannot be told from outside. */
export const mustHoldLease = ({ row, losses }: World, run: Run): void => {
  if (!isHeldBy(row, run.nonce) && row !== undefined && losses === run.losses)
    throw new Violation("tells after its lease was taken over");
};

/** A write whose effect stands is not sent again: whoever cannot know that has looked before. */
export const mustNotRepeat = ({ azure, losses }: World, { wants }: Run): void => {
  if (azure === wants && losses === 0) throw new Violation("writes what Azure already has");
};

/** The memory of an object that exists is kept as long as it may have something in Azure. */
export const mustNotGiveUp = ({ object, azure, losses, row, nowMs }: World): void => {
  // Who says twice, 30 s apart, that an object does not exist is believed.
  const isBelieved = row?.goneSinceMs !== undefined && nowMs - row.goneSinceMs >= limits.goneMs;
  if (object !== "gone" && azure !== 0 && losses === 0 && !isBelieved)
    throw new Violation("forgets an object that exists and has something in Azure");
};

/** What we have deleted ourselves is no orphan. */
export const mustNotOrphan = ({ ledger, forced, losses, azure, reborn }: World): void => {
  if (ledger !== undefined && ledger.applied !== 0 && azure === 0 && !forced && losses === 0 && !reborn)
    throw new Violation("lists as an orphan what it has deleted itself");
};

/** Least time until the next turn, and what a failed turn leaves as it was. */
export const mustBeDueLater = ({ row, outcome, nowMs }: Commit, committed: ChainRow, lost: boolean): void => {
  const aheadMs = committed.dueMs - nowMs;
  if (outcome.kind !== "turned" && JSON.stringify(committed.seen) !== JSON.stringify(row.seen))
    throw new Violation(`a turn that ended with ${outcome.kind} says that it has seen something`);
  if (lost || row.dirty || row.stop) return;
  const least = {
    turned: outcome.kind === "turned" && outcome.idle ? 5_000 : 1_000,
    gone: Number.NEGATIVE_INFINITY,
    surroundings: Math.min(300_000, 2_000 * 2 ** row.surroundings),
    defect: Math.min(3_600_000, 300_000 * 2 ** row.defects),
  }[outcome.kind];
  if (aheadMs < least) throw new Violation(`after ${outcome.kind} the next turn comes in ${aheadMs} ms`);
};
