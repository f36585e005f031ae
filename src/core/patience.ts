import { type WakeKeys, wakeOf } from "./backoff.ts";
import type { Backoff } from "./resourceRow.ts";

/** What is about to be tried. */
export interface Trial {
  readonly planHash: string;
  readonly wakes?: WakeKeys;
}

/** Whether the back-off is one of this plan, and nothing has changed that would wake it. */
const belongs = ({ planHash, failure, wake }: Backoff, trial: Trial): boolean =>
  planHash === trial.planHash &&
  (wake === undefined || trial.wakes === undefined || wake === wakeOf(failure, trial.wakes));

/** Whether a back-off still stands: it is of this very plan, its time has not come, and nothing has woken it. */
export const stillWaits = (backoff: Backoff | undefined, trial: Trial, nowMs: number): backoff is Backoff =>
  backoff !== undefined && backoff.untilMs > nowMs && belongs(backoff, trial);

/** Whether what is about to be tried has failed before and something has changed since: it is tried at once. */
export const isWoken = (backoff: Backoff | undefined, trial: Trial): boolean =>
  backoff !== undefined && !belongs(backoff, trial);
