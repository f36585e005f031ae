import type { KindStatus } from "./kindStatus.ts";
import type { OutboxStatus } from "./outbox.ts";

/** What health checks and metrics are told from. Times are monotonic, in ms. */
export interface WatcherStatus {
  readonly nowMs: number;
  readonly kinds: readonly (KindStatus & { readonly objects: number })[];
  readonly outbox: OutboxStatus;
  /** Objects that were known at the start and not yet put into the outbox. */
  readonly unannounced: number;
  /** Every kind was listed once, as far as it can be; announcements have begun. */
  readonly opened: boolean;
}
