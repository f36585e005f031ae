import type { KindStatus } from "./kindStatus.ts";
import type { OutboxStatus } from "./outbox.ts";

/** What health checks and metrics are told from. Times are monotonic, in ms. */
export interface WatcherStatus {
  readonly nowMs: number;
  readonly kinds: readonly (KindStatus & { readonly objects: number })[];
  readonly outbox: OutboxStatus;
  /** Everything has been announced once. */
  readonly opened: boolean;
}
