/** Times of lists and watches. */
export interface WatchLimits {
  /** Objects a page: no more of them are whole in memory at once. */
  readonly pageSize: number;
  /** The server ends a watch after a random time between these, so that not all come back at once. */
  readonly watchSeconds: { readonly least: number; readonly most: number };
  /** A watch that brings nothing, not even a bookmark, for so long is given up. */
  readonly idleSeconds: number;
  /** Each kind is listed anew so often, a tenth more or less: what no event told comes to light. */
  readonly relistMs: number;
  /** A kind that the server does not have is asked for so often. */
  readonly missingMs: number;
  /** Back-off between failures in a row; it never gives up. */
  readonly firstBackoffMs: number;
  readonly mostBackoffMs: number;
  /** A watch that ends earlier than this and brought nothing counts as a failure. */
  readonly quickMs: number;
}

export const watchLimits: WatchLimits = {
  pageSize: 250,
  watchSeconds: { least: 300, most: 600 },
  // The first bookmark of a watch comes within two minutes, the others every minute.
  idleSeconds: 180,
  relistMs: 1_800_000,
  missingMs: 30_000,
  firstBackoffMs: 100,
  mostBackoffMs: 10_000,
  quickMs: 5_000,
};
