import { doorbell } from "../core/chain/messages.ts";
import type { Failure, Json, Result } from "../core/types.ts";
import type { Clock, Log, QueueMessage, WorkQueue } from "../ports.ts";
import type { Ring } from "./changes.ts";
import { backoffMs, isWorthTelling, type Random } from "./delays.ts";
import { keyText } from "./objectIndex.ts";

export interface OutboxLimits {
  /** Doorbells a send. */
  readonly batchSize: number;
  /** Sends at once; one at a time while the broker fails. */
  readonly sendsAtOnce: number;
  /** A send without an answer counts as failed after it. */
  readonly sendMs: number;
  readonly firstBackoffMs: number;
  readonly mostBackoffMs: number;
}

/** A hundred doorbells have at most 160 KiB; a message of the Standard tier may have 256. */
export const outboxLimits: OutboxLimits = {
  batchSize: 100,
  sendsAtOnce: 4,
  sendMs: 30_000,
  firstBackoffMs: 100,
  mostBackoffMs: 10_000,
};

export interface OutboxOptions {
  /** uid of the management cluster. */
  readonly cluster: string;
  readonly queue: WorkQueue;
  readonly clock: Clock;
  /** Time of day in ms, for the eyes of people only. */
  readonly nowMs: () => number;
  readonly random: Random;
  readonly log: Log;
  readonly limits: OutboxLimits;
  /** Further doorbells, at most so many: asked for whenever less than a batch waits. Default: there are none. */
  readonly more?: (atMost: number) => readonly Ring[];
}

/** Times are monotonic, in ms. */
export interface OutboxStatus {
  /** Objects with a doorbell that the broker has not acknowledged. */
  readonly size: number;
  /** Since when the longest waiting one waits. */
  readonly oldestMs?: number;
  readonly sent: number;
  readonly failed: number;
  /** Of the last answer of the broker, good or bad, or of a send that was given up. */
  readonly answeredMs: number;
}

/**
 * What is still to be told to the broker: the latest doorbell of each object, so that it can never overflow. An entry
 * leaves when the broker has acknowledged just that doorbell; a newer one takes the place of an unsent one.
 */
export interface Outbox {
  put(rings: readonly Ring[]): void;
  /** There may be more to ask for. */
  wake(): void;
  status(): OutboxStatus;
  /** Resolves when all is acknowledged, at the latest after `ms`, to the number of doorbells left. */
  drain(ms: number): Promise<number>;
  /** Sends nothing any more. */
  close(): void;
}

interface Entry {
  readonly ring: Ring;
  /** When the object first had news that the broker does not know. */
  readonly sinceMs: number;
}

const timedOut: Failure = { kind: "transient", code: "NoAnswer", message: "the broker did not answer in time" };

class MapOutbox implements Outbox {
  readonly #options: OutboxOptions;
  /** By object: waiting or on its way. */
  readonly #entries = new Map<string, Entry>();
  /** Those of them that no send carries. */
  readonly #waiting = new Map<string, Entry>();
  readonly #idle = new Set<() => void>();
  #sending = 0;
  #failures = 0;
  #scheduled = false;
  #resting = false;
  #closed = false;
  #sent = 0;
  #failed = 0;
  #answeredMs: number;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#answeredMs = options.clock.monotonicMs();
  }

  put(rings: readonly Ring[]): void {
    this.#add(rings);
    this.#schedule();
  }

  wake(): void {
    this.#schedule();
  }

  status(): OutboxStatus {
    const oldestMs = [...this.#entries.values()].reduce<number | undefined>(
      (oldest, { sinceMs }) => (oldest === undefined || sinceMs < oldest ? sinceMs : oldest),
      undefined,
    );
    return {
      size: this.#entries.size,
      ...(oldestMs === undefined ? {} : { oldestMs }),
      sent: this.#sent,
      failed: this.#failed,
      answeredMs: this.#answeredMs,
    };
  }

  async drain(ms: number): Promise<number> {
    if (this.#entries.size === 0) return 0;
    const idle = new Promise<void>((resolve) => this.#idle.add(resolve));
    await Promise.race([idle, this.#options.clock.sleep(ms)]);
    return this.#entries.size;
  }

  close(): void {
    this.#closed = true;
  }

  #add(rings: readonly Ring[]): void {
    const nowMs = this.#options.clock.monotonicMs();
    // A quiet time is no time without an answer.
    if (this.#entries.size === 0) this.#answeredMs = nowMs;
    for (const ring of rings) {
      const text = keyText(ring.key);
      const former = this.#entries.get(text);
      // A person's change stays one, whatever comes on top of it.
      const cause = former?.ring.cause === "change" ? "change" : ring.cause;
      const entry = { ring: { ...ring, cause }, sinceMs: former?.sinceMs ?? nowMs };
      this.#entries.set(text, entry);
      this.#waiting.set(text, entry);
    }
  }

  #fill(): void {
    const room = this.#options.limits.batchSize - this.#waiting.size;
    if (room > 0) this.#add(this.#options.more?.(room) ?? []);
  }

  /** All changes of one piece of a stream go into one batch; that is no delay. */
  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#pump();
    });
  }

  #pump(): void {
    const { batchSize, sendsAtOnce } = this.#options.limits;
    const atOnce = this.#failures > 0 ? 1 : sendsAtOnce;
    while (!this.#closed && !this.#resting && this.#sending < atOnce) {
      this.#fill();
      if (this.#waiting.size === 0) break;
      const batch = [...this.#waiting.entries().take(batchSize)];
      for (const [text] of batch) this.#waiting.delete(text);
      void this.#send(batch);
    }
    if (this.#entries.size > 0) return;
    for (const resolve of this.#idle) resolve();
    this.#idle.clear();
  }

  async #send(batch: readonly (readonly [string, Entry])[]): Promise<void> {
    this.#sending += 1;
    const result = await this.#ask(batch.map(([, { ring }]) => this.#messageOf(ring)));
    this.#sending -= 1;
    this.#answeredMs = this.#options.clock.monotonicMs();
    const current = batch.filter(([text, entry]) => this.#entries.get(text) === entry);
    if (result.ok) this.#acknowledged(batch.length, current);
    else await this.#refused(batch.length, current, result.error);
    this.#pump();
  }

  #acknowledged(sent: number, current: readonly (readonly [string, Entry])[]): void {
    this.#failures = 0;
    this.#sent += sent;
    for (const [text] of current) this.#entries.delete(text);
  }

  async #refused(failed: number, current: readonly (readonly [string, Entry])[], failure: Failure): Promise<void> {
    const { log, clock, limits, random } = this.#options;
    this.#failures += 1;
    this.#failed += failed;
    for (const [text, entry] of current) this.#waiting.set(text, entry);
    const waiting = this.#entries.size;
    if (isWorthTelling(this.#failures))
      log("warn", "the broker did not take doorbells", { code: failure.code, waiting, failures: this.#failures });
    // The other sends of the same bad moment need no rest of their own.
    if (this.#resting) return;
    this.#resting = true;
    await clock.sleep(backoffMs(this.#failures, limits.firstBackoffMs, limits.mostBackoffMs, random));
    this.#resting = false;
  }

  async #ask(messages: readonly QueueMessage[]): Promise<Result<void>> {
    const { queue, clock, limits } = this.#options;
    const tooLate = clock.sleep(limits.sendMs).then((): Result<void> => ({ ok: false, error: timedOut }));
    try {
      return await Promise.race([queue.send("reconcile", messages), tooLate]);
    } catch (error) {
      const message = error instanceof Error ? error.message : "unknown";
      return { ok: false, error: { kind: "transient", code: "Defect", message } };
    }
  }

  #messageOf({ cause, key, news, versions }: Ring): QueueMessage {
    const address = { cluster: this.#options.cluster, ...key };
    const { item, messageId } = doorbell({ cause, address, news, versions, nowMs: this.#options.nowMs() });
    // The one cast: a work item is JSON, but its type has no index signature.
    return { messageId, body: { ...item } as unknown as Json };
  }
}

export const outbox = (options: OutboxOptions): Outbox => new MapOutbox(options);
