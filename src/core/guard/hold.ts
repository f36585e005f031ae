import { type CountedWrite, forgivingMs, planOf, sincePause } from "./countedWrite.ts";
import { type Attempt, comparedWrites } from "./earned.ts";

/** Writes of a fight that go at once. */
const freeWrites = 3;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** Whatever the fight looks like, no more of its writes in any hour. */
const mostAnHour = 8;

/** When the n-th write of a fight may go, after the last one: three at once, then 1, 2, 4 … minutes, at most an hour. */
export const waitMs = (n: number): number => (n <= freeWrites ? 0 : Math.min(2 ** (n - 4) * minuteMs, hourMs));

/** The writes of the fight that one more unearned write of this plan would go on with: unearned ones and repeated plans. */
const isInFight = (writes: readonly CountedWrite[], attempt: Attempt): ((write: CountedWrite) => boolean) => {
  // Requests that went out together are one write.
  const together = (one: CountedWrite, before: CountedWrite | undefined): boolean =>
    before !== undefined && before.atMs === one.atMs && planOf(before) === planOf(one);
  const plans = [...writes.filter((one, index) => !together(one, writes[index - 1])), attempt].map(planOf);
  const repeated = new Set(plans.filter((plan, index) => plans.indexOf(plan) !== index));
  return (write) => write.earned === false || repeated.has(planOf(write));
};

interface Spaced {
  readonly atMs: number;
  readonly counts: boolean;
}

/** How many count at `nowMs`, less one per six quiet hours. */
export const levelOf = (writes: readonly Spaced[], nowMs: number): number => {
  const quiet = (fromMs: number, toMs: number): number => Math.max(0, Math.floor((toMs - fromMs) / forgivingMs));
  const last = writes.at(-1);
  if (last === undefined) return 0;
  const level = writes.reduce((before, { atMs, counts }, index) => {
    const forgiven = index === 0 ? 0 : quiet(writes[index - 1]?.atMs ?? atMs, atMs);
    return Math.max(0, before - forgiven) + (counts ? 1 : 0);
  }, 0);
  return Math.max(0, level - quiet(last.atMs, nowMs));
};

/** All writes since the fight began, its first included: the one that was undone first. */
const fightOf = (
  all: readonly CountedWrite[],
  inFight: (write: CountedWrite) => boolean,
  nowMs: number,
): readonly CountedWrite[] => {
  const writes = sincePause(all, nowMs);
  const found = writes.findIndex(inFight);
  const first = found < 0 ? writes.length : found;
  const before = writes[first - 1];
  const joined = before !== undefined && (writes[first]?.atMs ?? nowMs) - before.atMs < hourMs;
  return writes.slice(joined ? first - 1 : first);
};

export interface Hold {
  /** When an unearned write may go; 0: now. */
  readonly untilMs: number;
  /** Writes of the fight so far. */
  readonly count: number;
}

/** How long an unearned write has to wait, by the writes of its track. */
export const holdOf = (writes: readonly CountedWrite[], attempt: Attempt): Hold => {
  const { nowMs, size = 1 } = attempt;
  const last = writes.at(-1);
  if (last === undefined) return { untilMs: 0, count: 0 };
  const compared = writes.slice(-comparedWrites);
  const inFight = isInFight(compared, attempt);
  const n =
    1 +
    levelOf(
      compared.map((write) => ({ atMs: write.atMs, counts: inFight(write) })),
      nowMs,
    );
  const fight = fightOf(writes, inFight, nowMs);
  const eighth = fight.at(size - 1 - mostAnHour);
  const wait = waitMs(n);
  const byCount = wait === 0 ? 0 : last.atMs + wait;
  const byHour = eighth === undefined ? 0 : eighth.atMs + hourMs;
  const untilMs = Math.max(byCount, byHour);
  return { untilMs: untilMs > nowMs ? untilMs : 0, count: fight.length };
};
