import type { SharedWait } from "../../core/sharedWait.ts";

/** A shared wait with the etag under which it was read. */
export interface Kept {
  readonly wait: SharedWait;
  readonly etag: string;
}

/** Waits of one partition by the name of their row. */
export type Waits = ReadonlyMap<string, Kept>;

/** What one instance has read of shared waits a moment ago; made by the composition root. Its loss costs a read. */
export interface SharedCache {
  get(partition: string, nowMs: number): Waits | undefined;
  set(partition: string, waits: Waits, nowMs: number): void;
  drop(partition: string): void;
}

/** How long what was read is good for; so much later another instance's news is known here. */
const freshMs = 5_000;
/** Partitions that are remembered. */
const mostKept = 1_000;

export const createSharedCache = (): SharedCache => {
  const kept = new Map<string, { readonly waits: Waits; readonly readMs: number }>();
  return {
    get: (partition, nowMs) => {
      const found = kept.get(partition);
      return found !== undefined && nowMs - found.readMs < freshMs ? found.waits : undefined;
    },
    set: (partition, waits, readMs) => {
      kept.delete(partition);
      kept.set(partition, { waits, readMs });
      const [oldest] = kept.keys();
      if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    },
    drop: (partition) => void kept.delete(partition),
  };
};
