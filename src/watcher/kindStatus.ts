import type { WatchEnd, WatchEvent } from "../adapters/kubeReader.ts";

/** Where the watch of a kind stands. */
export type KindPhase =
  | "starting"
  | "watching"
  /** The server does not have the kind (its definition is not installed). */
  | "missing"
  /** The last attempt was refused or got no answer; it goes on trying. */
  | "failing"
  | "stopped";

/** What one kind's watch has done so far. All times are monotonic, in ms. */
export interface KindStatus {
  readonly kind: string;
  readonly phase: KindPhase;
  /** A complete list was read at least once. */
  readonly synced: boolean;
  /** Of the last event, bookmark or complete list; of the start before any. */
  readonly progressMs: number;
  /** Of the last attempt that the server refused or did not answer; while these go on, nothing else can be expected. */
  readonly failureMs?: number;
  readonly lists: number;
  readonly events: Readonly<Record<WatchEvent["type"], number>>;
  /** Exceptions of our own code. */
  readonly defects: number;
  readonly ends: Readonly<Partial<Record<WatchEnd["kind"], number>>>;
}

export const newKindStatus = (kind: string, nowMs: number): KindStatus => ({
  kind,
  phase: "starting",
  synced: false,
  progressMs: nowMs,
  lists: 0,
  events: { ADDED: 0, MODIFIED: 0, DELETED: 0, BOOKMARK: 0 },
  defects: 0,
  ends: {},
});

export const withEvent = (status: KindStatus, type: WatchEvent["type"], nowMs: number): KindStatus => ({
  ...status,
  phase: "watching",
  progressMs: nowMs,
  events: { ...status.events, [type]: status.events[type] + 1 },
});

export const withList = (status: KindStatus, nowMs: number): KindStatus => ({
  ...status,
  phase: "watching",
  synced: true,
  progressMs: nowMs,
  lists: status.lists + 1,
});

export const withFailure = (status: KindStatus, httpStatus: number | undefined, nowMs: number): KindStatus => ({
  ...status,
  phase: httpStatus === 404 ? "missing" : "failing",
  failureMs: nowMs,
});

export const withEnd = (status: KindStatus, reason: WatchEnd["kind"]): KindStatus => ({
  ...status,
  ends: { ...status.ends, [reason]: (status.ends[reason] ?? 0) + 1 },
});

export const withDefect = (status: KindStatus): KindStatus => ({ ...status, defects: status.defects + 1 });
