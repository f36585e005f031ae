import { type CountedWrite, planOf, sincePause, withinHour } from "./countedWrite.ts";
import type { SpecWriter } from "./specWriters.ts";

/** A write that is wanted now, with all that tells whether it is earned. */
export interface Attempt {
  readonly planHash: string;
  /** Hash of the part of the plan that is to be written. Default: the plan's. */
  readonly part?: string;
  /** Requests that it takes. Default 1. */
  readonly size?: number;
  /** Table-service time. */
  readonly nowMs: number;
  readonly generation: number;
  readonly dependencies: string;
  /** Latest first. */
  readonly writers: readonly SpecWriter[];
}

const hourMs = 60 * 60_000;
const earnedAnHour = 20;
/** Plans of so many writes are compared. */
export const comparedWrites = 16;

/** Those who changed the spec since a write was counted; within the same second nobody can tell, so all of it count. */
const writersSince = ({ writerMs = 0 }: CountedWrite, writers: readonly SpecWriter[]): readonly string[] => {
  const newer = writers.filter(({ atMs }) => atMs > writerMs);
  const since = newer.length > 0 ? newer : writers.filter(({ atMs }) => atMs === writerMs);
  return since.map(({ name }) => name);
};

const bySameWriter = (last: CountedWrite, { writers }: Attempt): boolean => {
  const since = writersSince(last, writers);
  return since.length > 0 && since.every((name) => name === last.writer);
};

/** The two who change the spec in turn: who wrote before, and who wrote now and before that. */
export const takingTurns = (
  writes: readonly CountedWrite[],
  { writers, nowMs }: Attempt,
): { readonly now: string; readonly other: string } | undefined => {
  const [first] = writers;
  const last = writes.at(-1);
  // Requests that went out together are one write.
  const before = writes.findLast(({ atMs }) => atMs !== last?.atMs);
  if (first === undefined || last?.writer === undefined || before?.writer !== first.name) return undefined;
  const recent = nowMs - before.atMs < hourMs;
  return recent && last.writer !== first.name ? { now: first.name, other: last.writer } : undefined;
};

/**
 * The writer has had another plan each time, and somebody else has written in between: that a plan is new says nothing
 * then.
 */
const comesWithNewPlans = (all: readonly CountedWrite[], { writers: [now], nowMs }: Attempt): boolean => {
  const writes = sincePause(all.slice(-comparedWrites), nowMs);
  const byNow = ({ writer }: CountedWrite): boolean => writer === now?.name;
  const first = writes.findIndex(byNow);
  const last = writes.findLastIndex(byNow);
  const between = writes.slice(Math.max(0, first), last + 1);
  return between.some((write) => !byNow(write)) && new Set(between.filter(byNow).map(planOf)).size > 1;
};

/**
 * Whether somebody asked for this write. Since the last counted one the generation or a dependency has changed, and its
 * plan is not among the last sixteen; or it is, but it was the same field manager as before who went back to it. At most
 * twenty an hour. The first write of all is earned.
 */
export const isEarned = (writes: readonly CountedWrite[], attempt: Attempt): boolean => {
  const last = writes.at(-1);
  if (last === undefined) return true;
  const lately = withinHour(writes, attempt.nowMs).filter(({ earned }) => earned !== false);
  if (lately.length >= earnedAnHour) return false;
  const rose = attempt.generation !== last.generation;
  if (!rose && attempt.dependencies === last.dependencies) return false;
  const known = writes.slice(-comparedWrites).some((write) => planOf(write) === planOf(attempt));
  if (!known) return !comesWithNewPlans(writes, attempt);
  // The very plan of the last write: whatever else the spec says now, this was undone.
  return rose && planOf(last) !== planOf(attempt) && bySameWriter(last, attempt);
};
