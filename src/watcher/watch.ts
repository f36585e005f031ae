import type { KubeReader, WatchEnd, WatchEvent } from "../adapters/kubeReader.ts";
import type { Failure, JsonObject, Result } from "../core/types.ts";
import type { Clock, Log } from "../ports.ts";
import type { Change } from "./changes.ts";
import { backoffMs, isWorthTelling, pause, type Random } from "./delays.ts";
import { type KindStatus, newKindStatus, withDefect, withEnd, withEvent, withFailure, withList } from "./kindStatus.ts";
import { keyText } from "./objectIndex.ts";
import { projectionOf } from "./projectionOf.ts";
import type { WatchLimits } from "./watchLimits.ts";

export interface WatchOptions {
  readonly kind: string;
  /** Default: all namespaces. */
  readonly namespace?: string | undefined;
  readonly reader: KubeReader;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly random: Random;
  readonly log: Log;
  readonly limits: WatchLimits;
  readonly signal: AbortSignal;
  readonly onChange: (change: Change) => void;
  /** After a complete list, or when there will be none for now: the others need not wait for this kind any longer. */
  readonly onSettled: () => void;
}

export interface Watch {
  status(): KindStatus;
  /** Resolves when the signal has aborted and nothing runs any more. Never rejects. */
  readonly done: Promise<void>;
}

/** The mutable state of one kind's watch. */
interface Run {
  readonly options: WatchOptions;
  status: KindStatus;
  /** Failures in a row: answers that are none, watches that end at once. */
  failures: number;
  /** What the server asked for with its last refusal. */
  retryAfterMs: number;
}

/** After so many failures in a row a trouble is not taken for a passing one any longer. */
const patience = 3;

const versionOf = ({ metadata }: JsonObject): string | undefined => {
  if (typeof metadata !== "object" || metadata === null || !("resourceVersion" in metadata)) return undefined;
  const { resourceVersion } = metadata;
  return typeof resourceVersion === "string" && resourceVersion !== "" ? resourceVersion : undefined;
};

const selection = ({ kind, namespace }: WatchOptions) => ({ kind, ...(namespace === undefined ? {} : { namespace }) });

const failed = (run: Run, failure: Failure): void => {
  const { options } = run;
  run.failures += 1;
  run.retryAfterMs = (failure.retryAfterSeconds ?? 0) * 1000;
  run.status = withFailure(run.status, failure.status, options.clock.monotonicMs());
  const { kind } = options;
  const { code, status } = failure;
  if (isWorthTelling(run.failures))
    options.log("warn", "a list or watch failed", { kind, code, status, failures: run.failures });
  // A server that does not answer at all lets no kind be listed: then there is nothing to wait less for.
  if (failure.status !== undefined && (failure.kind !== "transient" || run.failures >= patience)) options.onSettled();
};

const defect = (run: Run, error: unknown): void => {
  const { kind, log } = run.options;
  run.status = withDefect(run.status);
  log("error", "a watch met a defect", { kind, error: error instanceof Error ? error.message : "unknown" });
};

/** One object that cannot be taken in must not blind us for all others. */
const guarded = (run: Run, take: () => void): void => {
  try {
    take();
  } catch (error) {
    defect(run, error);
  }
};

/** One complete list. Its version is where the watch goes on: never the version of an item, which may be months old. */
const list = async (run: Run): Promise<Result<string>> => {
  const { options } = run;
  const { kind, reader, limits, signal, onChange } = options;
  const present = new Set<string>();
  const onObject = (object: JsonObject): void => {
    const projection = projectionOf(kind, object);
    if (projection === undefined) return;
    present.add(keyText(projection));
    guarded(run, () => onChange({ kind: "seen", projection }));
  };
  for (let continueToken: string | undefined; ; ) {
    const page = await reader.listPage({
      ...selection(options),
      limit: limits.pageSize,
      signal,
      onObject,
      ...(continueToken === undefined ? {} : { continueToken }),
    });
    if (!page.ok) return page;
    continueToken = page.value.continueToken;
    if (continueToken !== undefined) continue;
    onChange({ kind: "listed", of: kind, present });
    return { ok: true, value: page.value.resourceVersion };
  }
};

const take = (run: Run, { type, object }: WatchEvent): void => {
  const { kind, clock, onChange } = run.options;
  run.status = withEvent(run.status, type, clock.monotonicMs());
  if (type === "BOOKMARK") return;
  const projection = projectionOf(kind, object);
  if (projection === undefined) return;
  guarded(run, () => onChange({ kind: type === "DELETED" ? "gone" : "seen", projection }));
};

/** Counts what a watch that ended was worth; only what brought nothing and ended at once is slowed down. */
const judgeEnd = (run: Run, end: WatchEnd, brought: number, livedMs: number): void => {
  run.status = withEnd(run.status, end.kind);
  if (brought > 0 || livedMs >= run.options.limits.quickMs) run.failures = 0;
  if (end.kind === "failed") failed(run, end.failure);
  else if (brought === 0 && livedMs < run.options.limits.quickMs) run.failures += 1;
};

/** Whether the next thing to do is a list: the version is too old, or the server refused to go on from it. */
const needsList = (end: WatchEnd): boolean =>
  end.kind === "expired" || (end.kind === "failed" && end.failure.status !== undefined);

const backOff = async (run: Run): Promise<void> => {
  const { failures, status, retryAfterMs, options } = run;
  const { limits, random, signal } = options;
  run.retryAfterMs = 0;
  if (failures === 0) return;
  // A server that is starting may miss a kind for a moment.
  const isMissing = status.phase === "missing" && failures >= patience;
  const ms = isMissing
    ? backoffMs(1, limits.missingMs, limits.missingMs, random)
    : backoffMs(failures, limits.firstBackoffMs, limits.mostBackoffMs, random);
  await pause(Math.max(ms, Math.min(retryAfterMs, limits.mostBackoffMs)), signal);
};

/** Follows the changes from a list on, over any number of watches, until it is time to list again. */
const follow = async (run: Run, listVersion: string, relistAtMs: number): Promise<void> => {
  const { reader, clock, random, limits, signal } = run.options;
  const { least, most } = limits.watchSeconds;
  let resourceVersion = listVersion;
  while (!signal.aborted) {
    const startMs = clock.monotonicMs();
    if (startMs >= relistAtMs) return;
    let brought = 0;
    const end = await reader.watchKind({
      ...selection(run.options),
      resourceVersion,
      timeoutSeconds: Math.ceil(Math.min(least + random() * (most - least), (relistAtMs - startMs) / 1000)),
      idleSeconds: limits.idleSeconds,
      signal,
      onEvent: (event) => {
        brought += 1;
        take(run, event);
        resourceVersion = versionOf(event.object) ?? resourceVersion;
      },
    });
    judgeEnd(run, end, brought, clock.monotonicMs() - startMs);
    if (needsList(end)) return;
    await backOff(run);
  }
};

const listAndFollow = async (run: Run): Promise<void> => {
  const { clock, random, limits, signal, onSettled } = run.options;
  const listed = await list(run);
  if (signal.aborted) return;
  if (!listed.ok) return failed(run, listed.error);
  const nowMs = clock.monotonicMs();
  run.status = withList(run.status, nowMs);
  onSettled();
  await follow(run, listed.value, nowMs + limits.relistMs * (0.9 + random() / 5));
};

const runForever = async (run: Run): Promise<void> => {
  const { signal } = run.options;
  while (!signal.aborted) {
    try {
      await listAndFollow(run);
    } catch (error) {
      run.failures += 1;
      defect(run, error);
    }
    await backOff(run);
  }
  run.status = { ...run.status, phase: "stopped" };
};

/** Lists and watches one kind until the signal aborts, whatever happens. */
export const watch = (options: WatchOptions): Watch => {
  const status = newKindStatus(options.kind, options.clock.monotonicMs());
  const run: Run = { options, status, failures: 0, retryAfterMs: 0 };
  return { status: () => run.status, done: runForever(run) };
};
