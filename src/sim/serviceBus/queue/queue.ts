import type { QueueSettings } from "./queueOptions.ts";
import { QueueState } from "./queueState.ts";
import type { Change, DeadLetterInfo, Delivery, NewMessage, StoredMessage, SubQueueName } from "./storedMessage.ts";
import type { SubQueue } from "./subQueue.ts";

/** What a queue holds. `active` counts `locked` ones too, as in Azure; a lock on a dead letter does not show. */
export interface QueueCounts {
  readonly active: number;
  readonly locked: number;
  readonly scheduled: number;
  readonly deadLetter: number;
}

export interface QueueDeps<Body> {
  /** A token no other lock has had. */
  readonly newLockToken: () => string;
  /** Told of every durable change, after it took effect. */
  readonly record?: (change: Change<Body>) => void;
}

/** The answer to a settlement: `lockLost` when the token holds nothing (any more). */
export type Settled = "settled" | "lockLost";

const places = ["main", "deadLetter"] as const;

/**
 * A Service Bus queue without wire, disk, timers or clock: time is an argument. Every command first carries out what
 * was due by then, so the result never depends on how often `expire` is called.
 */
export class Queue<Body> {
  readonly settings: QueueSettings;
  readonly #state: QueueState<Body>;
  readonly #deps: QueueDeps<Body>;

  constructor(settings: QueueSettings, deps: QueueDeps<Body>) {
    this.settings = settings;
    this.#state = new QueueState(settings);
    this.#deps = deps;
  }

  /**
   * Accepts messages, all or (when it throws) none. Returns one sequence number each, 0 for a duplicate within the
   * window: that one was accepted and dropped.
   */
  send(nowMs: number, messages: readonly NewMessage<Body>[]): readonly number[] {
    this.expire(nowMs);
    return messages.map((message) => {
      if (this.#state.history.has(message.id, nowMs)) return 0;
      const sequenceNumber = this.#state.nextSequenceNumber;
      const added = accepted(message, sequenceNumber, nowMs);
      this.#commit({ kind: "added", to: "main", message: added, remember: true });
      return sequenceNumber;
    });
  }

  /** Takes scheduled messages back, all or none. Returns the first number that is not (or no longer) scheduled. */
  cancel(nowMs: number, sequenceNumbers: readonly number[]): { readonly missing?: number } {
    this.expire(nowMs);
    const isScheduled = (number: number) => this.#state.main.get(number)?.scheduledForMs !== undefined;
    const missing = sequenceNumbers.find((number) => !isScheduled(number));
    if (missing !== undefined) return { missing };
    for (const sequenceNumber of sequenceNumbers) this.#commit({ kind: "removed", from: "main", sequenceNumber });
    return {};
  }

  /** Locks the next message for `lockMs`. Undefined when none is deliverable. */
  receive(nowMs: number, from: SubQueueName = "main"): Delivery<Body> | undefined {
    this.expire(nowMs);
    const message = this.#state[from].head();
    if (!message) return undefined;
    return this.#state[from].lock(message, this.#deps.newLockToken(), nowMs + this.settings.lockMs);
  }

  /** Takes the next message out for good. */
  receiveAndDelete(nowMs: number, from: SubQueueName = "main"): StoredMessage<Body> | undefined {
    this.expire(nowMs);
    const message = this.#state[from].head();
    if (message) this.#commit({ kind: "removed", from, sequenceNumber: message.sequenceNumber });
    return message;
  }

  /** Whether `receive` would deliver something. */
  hasReady(nowMs: number, from: SubQueueName = "main"): boolean {
    this.expire(nowMs);
    return this.#state[from].head() !== undefined;
  }

  complete(nowMs: number, lockToken: string): Settled {
    const held = this.#held(nowMs, lockToken);
    if (!held) return "lockLost";
    this.#commit({ kind: "removed", from: held.place, sequenceNumber: held.message.sequenceNumber });
    return "settled";
  }

  /** Gives the message back, with `body` in place of its own if present; this delivery counts as failed. */
  abandon(nowMs: number, lockToken: string, body?: Body): Settled {
    const held = this.#held(nowMs, lockToken);
    if (!held) return "lockLost";
    this.#fail(nowMs, held.place, held.message, body);
    return "settled";
  }

  /** Moves the message to the dead-letter sub-queue. A message that is already there cannot be moved. */
  deadLetter(nowMs: number, lockToken: string, info: DeadLetterInfo, body?: Body): Settled | "notAllowed" {
    const held = this.#held(nowMs, lockToken);
    if (!held) return "lockLost";
    if (held.place === "deadLetter") return "notAllowed";
    this.#bury(held.message, held.message.deliveryCount, info, body);
    return "settled";
  }

  /** The message under the lock. */
  held(nowMs: number, lockToken: string): StoredMessage<Body> | undefined {
    return this.#held(nowMs, lockToken)?.message;
  }

  /** Prolongs the lock to `lockMs` from now. Returns its new end, or undefined when the lock is lost. */
  renew(nowMs: number, lockToken: string): number | undefined {
    this.expire(nowMs);
    const untilMs = nowMs + this.settings.lockMs;
    return places.some((place) => this.#state[place].renew(lockToken, untilMs)) ? untilMs : undefined;
  }

  /** Up to `max` messages from a sequence number on, locked and scheduled ones too, without locking them. */
  peek(
    nowMs: number,
    fromSequenceNumber: number,
    max: number,
    from: SubQueueName = "main",
  ): readonly StoredMessage<Body>[] {
    this.expire(nowMs);
    return this.#state[from].inOrder(fromSequenceNumber).slice(0, max);
  }

  counts(nowMs: number): QueueCounts {
    this.expire(nowMs);
    const { main, deadLetter } = this.#state;
    return {
      active: main.size - main.scheduled,
      locked: main.locked,
      scheduled: main.scheduled,
      deadLetter: deadLetter.size,
    };
  }

  /** Carries out what is due: ends locks (a failed delivery each), activates scheduled messages, expires others. */
  expire(nowMs: number): void {
    for (const place of places) this.#endLocks(nowMs, place);
    for (let next = this.#state.agenda.takeDue(nowMs); next !== undefined; next = this.#state.agenda.takeDue(nowMs)) {
      const message = this.#state.main.get(next);
      if (!message) continue;
      if (message.scheduledForMs !== undefined) this.#activate(nowMs, message);
      else if (!this.#state.main.isLocked(next)) this.#drop(message);
    }
  }

  /** When `expire` has something to do next; it may turn out to be nothing. */
  nextDueMs(): number | undefined {
    const times = [
      this.#state.main.firstLock()?.untilMs,
      this.#state.deadLetter.firstLock()?.untilMs,
      this.#state.agenda.nextMs(),
    ].filter((time) => time !== undefined);
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Repeats a recorded change, without recording it again. */
  replay(change: Change<Body>): void {
    this.#state.apply(change);
  }

  /** Changes that rebuild the durable state from nothing; to be consumed at any later time. */
  snapshot(): Iterable<Change<Body>> {
    return this.#state.snapshot();
  }

  #commit(change: Change<Body>): void {
    this.#state.apply(change);
    this.#deps.record?.(change);
  }

  #held(nowMs: number, lockToken: string) {
    this.expire(nowMs);
    for (const place of places) {
      const message = this.#state[place].held(lockToken);
      if (message) return { place, message };
    }
    return undefined;
  }

  #endLocks(nowMs: number, place: SubQueueName): void {
    const sub: SubQueue<Body> = this.#state[place];
    for (let lock = sub.firstLock(); lock && lock.untilMs <= nowMs; lock = sub.firstLock())
      this.#fail(nowMs, place, sub.get(lock.sequenceNumber)!);
  }

  /** A delivery ended without success. */
  #fail(nowMs: number, place: SubQueueName, message: StoredMessage<Body>, body?: Body): void {
    const deliveryCount = message.deliveryCount + 1;
    const { maxDeliveryCount } = this.settings;
    if (place === "main" && deliveryCount >= maxDeliveryCount) {
      const description = `Message could not be consumed after ${maxDeliveryCount} delivery attempts.`;
      this.#bury(message, deliveryCount, { reason: "MaxDeliveryCountExceeded", description }, body);
    } else if (place === "main" && message.expiresAtMs !== undefined && message.expiresAtMs <= nowMs) {
      this.#drop(message);
    } else {
      const { sequenceNumber } = message;
      this.#commit({ kind: "attempted", in: place, sequenceNumber, deliveryCount, ...(body && { body }) });
    }
  }

  #activate(nowMs: number, message: StoredMessage<Body>): void {
    const newSequenceNumber = this.#state.nextSequenceNumber;
    this.#commit({ kind: "activated", sequenceNumber: message.sequenceNumber, newSequenceNumber, atMs: nowMs });
  }

  #bury(message: StoredMessage<Body>, deliveryCount: number, info: DeadLetterInfo, body?: Body): void {
    const { sequenceNumber } = message;
    this.#commit({ kind: "deadLettered", sequenceNumber, deliveryCount, info, ...(body && { body }) });
  }

  #drop(message: StoredMessage<Body>): void {
    const description = "The message expired and was dead lettered.";
    if (this.settings.deadLetterExpired)
      this.#bury(message, message.deliveryCount, { reason: "TTLExpiredException", description });
    else this.#commit({ kind: "removed", from: "main", sequenceNumber: message.sequenceNumber });
  }
}

const accepted = <Body>(message: NewMessage<Body>, sequenceNumber: number, nowMs: number): StoredMessage<Body> => {
  const { id, body, scheduledForMs, timeToLiveMs } = message;
  const later = scheduledForMs !== undefined && scheduledForMs > nowMs;
  return {
    sequenceNumber,
    enqueuedSequenceNumber: sequenceNumber,
    id,
    enqueuedAtMs: nowMs,
    ...(later && { scheduledForMs }),
    ...(timeToLiveMs !== undefined && { expiresAtMs: (later ? scheduledForMs : nowMs) + timeToLiveMs }),
    deliveryCount: 0,
    body,
  };
};
