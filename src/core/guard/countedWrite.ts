/** What a write concerns: tags at scope are counted apart, so that a fight over a tag holds up nothing else. */
export type Track = "body" | "tags";

/** One write that was sent, or is about to be, with what tells later whether the next one is earned. */
export interface CountedWrite {
  readonly planHash: string;
  /** Hash of the part of the plan that it concerns (tags, or all else). Absent in rows of older releases. */
  readonly part?: string;
  /** Table-service time. */
  readonly atMs: number;
  /** False: nothing that we obey had changed since the one before. Absent in rows of the first release: earned. */
  readonly earned?: boolean;
  readonly generation?: number;
  /** Hash of the dependencies. */
  readonly dependencies?: string;
  /** Field manager that had changed the spec last, and when by the API server's clock. */
  readonly writer?: string;
  readonly writerMs?: number;
  /** Fields of the spec that this manager owned then; only of the last write, and only when they are few. */
  readonly paths?: readonly string[];
  /** Under which Azure knows it; of the last write it stands on the row. */
  readonly correlationId?: string;
  /** Only tags, at scope. */
  readonly tags?: true;
}

/** What two writes of a track have in common when they want the same. */
export const planOf = ({ part, planHash }: Pick<CountedWrite, "part" | "planHash">): string => part ?? planHash;

/** All that can be sent within an hour: twenty earned ones and eight of a fight. */
const kept = 28;

export const trackOf = ({ tags }: Pick<CountedWrite, "tags">): Track => (tags === true ? "tags" : "body");

export const ofTrack = (writes: readonly CountedWrite[], track: Track): readonly CountedWrite[] =>
  writes.filter((write) => trackOf(write) === track);

const hourMs = 60 * 60_000;

/** Those of the last hour. */
export const withinHour = (writes: readonly CountedWrite[], nowMs: number): readonly CountedWrite[] =>
  writes.filter(({ atMs }) => nowMs - atMs < hourMs);

const withoutPaths = (write: CountedWrite): CountedWrite => {
  const { paths, ...rest } = write;
  return paths === undefined ? write : rest;
};

/** The list with one more write; of each track the oldest are dropped. */
export const counted = (writes: readonly CountedWrite[], write: CountedWrite): readonly CountedWrite[] => {
  const all = [...writes.map((one) => (trackOf(one) === trackOf(write) ? withoutPaths(one) : one)), write];
  const latest = new Set([...ofTrack(all, "body").slice(-kept), ...ofTrack(all, "tags").slice(-kept)]);
  return all.filter((one) => latest.has(one));
};

/** The list without the last write of this plan, all its requests included: Azure refused it, so it changed nothing. */
export const uncounted = (writes: readonly CountedWrite[], planHash: string): readonly CountedWrite[] => {
  const last = writes.findLast((write) => write.planHash === planHash);
  return last === undefined
    ? writes
    : writes.filter((write) => write.planHash !== planHash || write.atMs !== last.atMs);
};

/** So long without a write forgives one (six hours). */
export const forgivingMs = 6 * 60 * 60_000;

/** Those after the last long pause: a fight that has rested is over. */
export const sincePause = (writes: readonly CountedWrite[], nowMs: number): readonly CountedWrite[] => {
  const times = [...writes.map(({ atMs }) => atMs), nowMs];
  const pause = times.findLastIndex((atMs, index) => atMs - (times[index - 1] ?? atMs) >= forgivingMs);
  return writes.slice(Math.max(0, pause));
};
