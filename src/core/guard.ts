/** Writes of one plan that go through before the guard begins to slow down. */
const freeWrites = 3;
const maxHoldMs = 60 * 60_000;
const keptWrites = 16;

export interface CountedWrite {
  readonly planHash: string;
  readonly atMs: number;
}

/**
 * When the next write of this plan may be sent, in table-service ms; 0 = now. Up to three writes of one plan go at once, the
 * n-th waits 2^(n-4) minutes after the last one, at most an hour; six quiet hours forgive one.
 */
export const heldUntilMs = (writes: readonly CountedWrite[], planHash: string, nowMs: number): number => {
  const same = writes.filter((write) => write.planHash === planHash);
  const last = same.at(-1);
  if (last === undefined) return 0;
  const forgiven = Math.floor((nowMs - last.atMs) / (6 * 60 * 60_000));
  const n = 1 + same.length - forgiven;
  if (n <= freeWrites) return 0;
  return last.atMs + Math.min(2 ** (n - 4) * 60_000, maxHoldMs);
};

/** The list with one more write, the oldest dropped. */
export const counted = (writes: readonly CountedWrite[], write: CountedWrite): readonly CountedWrite[] =>
  [...writes, write].slice(-keptWrites);

/** The list without the last write of this plan: Azure refused it, so it changed nothing. */
export const uncounted = (writes: readonly CountedWrite[], planHash: string): readonly CountedWrite[] => {
  const at = writes.findLastIndex((write) => write.planHash === planHash);
  return at < 0 ? writes : writes.toSpliced(at, 1);
};
