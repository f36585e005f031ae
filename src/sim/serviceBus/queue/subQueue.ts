import { Heap } from "./heap.ts";
import type { Delivery, StoredMessage } from "./storedMessage.ts";

interface Lock {
  readonly token: string;
  readonly sequenceNumber: number;
  readonly untilMs: number;
}

/** Messages of one place with their locks. It moves nothing by itself: `Queue` decides, this keeps. */
export class SubQueue<Body> {
  readonly #messages = new Map<number, StoredMessage<Body>>();
  /** Deliverable numbers; one that has gone or was locked meanwhile is skipped when it comes up. */
  readonly #ready = new Heap<number>((a, b) => a < b);
  /** By token. All locks last equally long and a renewed one is put last, so insertion order is order of expiry. */
  readonly #locks = new Map<string, Lock>();
  readonly #tokens = new Map<number, string>();
  #scheduled = 0;

  get size(): number {
    return this.#messages.size;
  }
  get scheduled(): number {
    return this.#scheduled;
  }
  get locked(): number {
    return this.#locks.size;
  }

  get(sequenceNumber: number): StoredMessage<Body> | undefined {
    return this.#messages.get(sequenceNumber);
  }
  isLocked(sequenceNumber: number): boolean {
    return this.#tokens.has(sequenceNumber);
  }
  /** All messages, in order of sequence number. */
  inOrder(from = 0): readonly StoredMessage<Body>[] {
    return [...this.#messages.values()]
      .filter((message) => message.sequenceNumber >= from)
      .sort((a, b) => a.sequenceNumber - b.sequenceNumber);
  }

  /** Adds a message or puts a new version in place of the old one. */
  put(message: StoredMessage<Body>): void {
    this.delete(message.sequenceNumber);
    this.#messages.set(message.sequenceNumber, message);
    if (message.scheduledForMs === undefined) this.#ready.push(message.sequenceNumber);
    else this.#scheduled += 1;
  }

  /** Takes a message out together with its lock. */
  delete(sequenceNumber: number): void {
    const message = this.#messages.get(sequenceNumber);
    if (!message) return;
    if (message.scheduledForMs !== undefined) this.#scheduled -= 1;
    const token = this.#tokens.get(sequenceNumber);
    if (token !== undefined) this.#locks.delete(token);
    this.#tokens.delete(sequenceNumber);
    this.#messages.delete(sequenceNumber);
  }

  /** The deliverable message with the lowest number. */
  head(): StoredMessage<Body> | undefined {
    for (let next = this.#ready.peek(); next !== undefined; next = this.#ready.peek()) {
      const message = this.#messages.get(next);
      if (message && !this.#tokens.has(next)) return message;
      this.#ready.pop();
    }
    return undefined;
  }

  lock(message: StoredMessage<Body>, token: string, untilMs: number): Delivery<Body> {
    this.#locks.set(token, { token, sequenceNumber: message.sequenceNumber, untilMs });
    this.#tokens.set(message.sequenceNumber, token);
    if (this.#ready.peek() === message.sequenceNumber) this.#ready.pop();
    return { lockToken: token, lockedUntilMs: untilMs, message };
  }

  /** Whether the token still holds a lock; the new end is in effect afterwards. */
  renew(token: string, untilMs: number): boolean {
    const lock = this.#locks.get(token);
    if (!lock) return false;
    this.#locks.delete(token);
    this.#locks.set(token, { ...lock, untilMs });
    return true;
  }

  /** The message that the token holds. */
  held(token: string): StoredMessage<Body> | undefined {
    const lock = this.#locks.get(token);
    return lock && this.#messages.get(lock.sequenceNumber);
  }

  /** The lock that ends first. */
  firstLock(): Lock | undefined {
    return this.#locks.values().next().value;
  }
}
