import { dueTogether } from "../core/dueTogether.ts";
import { heldBack } from "./explained.ts";
import { remaining } from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { nowOf } from "./session.ts";
import { type Ending, type Present, type Said, seenBy, type Turning } from "./turning.ts";
import { type Retired, retiringUntilMs, rowsAfterRetiring } from "./unwanted.ts";
import { changedRows, type Item, type Work } from "./work.ts";

/** The rows that it leaves behind. */
export const rowsOf = (
  { driven: { work }, exodus }: Retired,
  { ledger }: Turning,
): Extract<Ending, { kind: "commit" }>["rows"] => [
  ...changedRows(work, ledger).map(savingOf),
  ...rowsAfterRetiring(exodus, ledger),
];

/** How a turn ended that had a plan. */
export const drivenEnding = (turning: Turning, present: Present, retired: Retired, said: Said): Ending => {
  const { held, deps } = turning;
  const { driven, exodus } = retired;
  const nowMs = nowOf({ deps });
  const settled = isSettled(driven.work) && remaining(exodus).length === 0;
  const latestMs = Math.min(nowMs + deps.settings.driftPeriodMs, ...retiringUntilMs(exodus));
  const through = driven.ended.kind === "through";
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, said),
      dueMs: through ? dueOf(driven.work, latestMs, nowMs) : nowMs,
      idle: driven.wrote.length === 0 && driven.polled === 0,
      // What was not read is owed by its row.
      observed: true,
      settled,
    },
    rows: rowsOf(retired, turning),
    wrote: driven.wrote,
    polled: driven.polled,
    holds: heldBack(driven.work),
    result: settled ? "settled" : driven.ended.kind,
  };
};

const isSettled = (work: Work): boolean => [...work.values()].every(({ state }) => state?.kind === "done");

/** The earliest time at which something may change by itself, and what comes right after it too. */
const dueOf = (work: Work, latestMs: number, nowMs: number): number => {
  const times = [...work.values()].flatMap(({ untilMs }: Item) => (untilMs === undefined ? [] : [untilMs]));
  return dueTogether([latestMs, ...times], nowMs);
};
