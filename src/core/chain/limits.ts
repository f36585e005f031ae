/**
 * Times of the protocol, in ms (design section 4). A turn's own clock starts when the request is sent whose `Date` the
 * lease's end is computed from, so that start + request time always ends before another turn may take the lease.
 */
export const limits = {
  /** A lease is never extended. */
  leaseMs: 55_000,
  /** No request to Azure starts later in a turn, and each is cut after `azureRequestMs`. */
  azureStartMs: 30_000,
  azureRequestMs: 15_000,
  /** No write to the API server starts later in a turn, and each is cut after `kubeRequestMs`. */
  kubeStartMs: 40_000,
  kubeRequestMs: 10_000,
  /** A wake comes so long after the end of the lease that it guards. */
  wakeAfterLeaseMs: 2_000,
  /** A follow-up that comes earlier than this before its due time is sent again. */
  earlyMs: 2_000,
  /** Longest pause that the number of attempts alone brings a rescheduled message. */
  rescheduleAtMostMs: 60_000,
  /** An object must be missing so long before its rows go. */
  goneMs: 30_000,
  dueAtLeastMs: 1_000,
  /** After a turn that neither wrote to Azure nor polled. */
  idleDueAtLeastMs: 5_000,
  /** Back-off after failures of our own surroundings: first and longest, doubling. */
  surroundings: { firstMs: 2_000, atMostMs: 300_000 },
  /** Back-off after defects in our own code: first and longest, doubling. */
  defect: { firstMs: 300_000, atMostMs: 3_600_000 },
} as const;

/** Exponential back-off after `failures` failures in a row (1 is the first). */
export const backOffMs = (
  failures: number,
  { firstMs, atMostMs }: { readonly firstMs: number; readonly atMostMs: number },
): number => Math.min(atMostMs, firstMs * 2 ** Math.min(30, failures - 1));

/** Whether a turn of this age may still start a request to Azure. */
export const mayCallAzure = (ageMs: number): boolean => ageMs <= limits.azureStartMs;

/** Whether a turn of this age may still start a write to the API server. */
export const mayWriteKube = (ageMs: number): boolean => ageMs <= limits.kubeStartMs;
