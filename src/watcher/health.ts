import type { WatcherStatus } from "./watcherStatus.ts";

/** How long something may stand still before the watcher counts as dead: ten bookmarks. */
export const deadAfterMs = 600_000;

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

/**
 * Why the watcher should be restarted; empty when it lives. A quiet cluster is no reason, bookmarks come all the same; nor
 * is a server or broker that refuses or is away, as long as the watcher keeps asking: a restart would not help.
 */
export const deadlyProblems = ({ kinds, outbox, nowMs }: WatcherStatus): readonly string[] => [
  ...kinds
    .map(({ kind, progressMs, failureMs = progressMs }) => ({ kind, ageMs: nowMs - Math.max(progressMs, failureMs) }))
    .filter(({ ageMs }) => ageMs > deadAfterMs)
    .map(({ kind, ageMs }) => `watch of ${kind}: neither event, bookmark nor list for ${seconds(ageMs)}`),
  ...(outbox.size > 0 && nowMs - outbox.answeredMs > deadAfterMs
    ? [`outbox: ${outbox.size} doorbells wait, no send has ended for ${seconds(nowMs - outbox.answeredMs)}`]
    : []),
];

/** What the first announcements still wait for; empty when the watcher is ready. A kind that is not installed counts as known. */
export const missingForReady = ({ kinds, opened }: WatcherStatus): readonly string[] => [
  ...kinds
    .filter(({ synced, phase }) => !synced && phase !== "missing")
    .map(({ kind, phase }) => `watch of ${kind}: ${phase}`),
  ...(opened ? [] : ["announcements have not begun"]),
];
