import { type CountedWrite, counted, ofTrack, type Track } from "./guard/countedWrite.ts";
import { type Attempt, isEarned } from "./guard/earned.ts";
import { holdOf } from "./guard/hold.ts";

/** What the loop guard says of one write. */
export interface Guarded {
  /** Somebody asked for it: it goes at once. */
  readonly earned: boolean;
  /** When it may go, in table-service ms; 0: now. */
  readonly untilMs: number;
  /** Writes of the fight so far, when it is not earned. */
  readonly count: number;
}

/**
 * Whether a write may go now (design section 7). Earned ones always may; of a fight three go at once, then one each 1, 2,
 * 4 … minutes, at most an hour apart, and never more than eight in an hour. Six quiet hours forgive one.
 */
export const guard = (writes: readonly CountedWrite[], track: Track, attempt: Attempt): Guarded => {
  const own = ofTrack(writes, track);
  return isEarned(own, attempt) ? { earned: true, untilMs: 0, count: 0 } : { earned: false, ...holdOf(own, attempt) };
};

/** The list with this write, each of its requests for one, as it is stored before the write is sent. `paths`: fields of the spec that its writer owns. */
export const withAttempt = (
  writes: readonly CountedWrite[],
  track: Track,
  { planHash, part, size = 1, nowMs, generation, dependencies, writers: [writer] }: Attempt,
  { earned }: Pick<Guarded, "earned">,
  paths: readonly string[] | undefined,
): readonly CountedWrite[] => {
  const one: CountedWrite = {
    planHash,
    ...(part !== undefined && { part }),
    atMs: nowMs,
    earned,
    generation,
    dependencies,
    ...(writer !== undefined && { writer: writer.name, writerMs: writer.atMs }),
    ...(paths !== undefined && { paths }),
    ...(track === "tags" && { tags: true }),
  };
  return Array.from({ length: size }).reduce<readonly CountedWrite[]>((all) => counted(all, one), writes);
};
