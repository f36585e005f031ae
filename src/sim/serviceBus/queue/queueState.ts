import { Agenda } from "./agenda.ts";
import { DuplicateHistory } from "./duplicateHistory.ts";
import type { QueueSettings } from "./queueOptions.ts";
import type { Change, DeadLetterInfo, StoredMessage, SubQueueName } from "./storedMessage.ts";
import { SubQueue } from "./subQueue.ts";

/** History entries a line of a snapshot may carry, so that no line grows without bound. */
const entriesPerChange = 1000;

/** The durable state of a queue: the fold of its changes, with the locks of the running process beside it. */
export class QueueState<Body> {
  readonly main = new SubQueue<Body>();
  readonly deadLetter = new SubQueue<Body>();
  readonly history: DuplicateHistory;
  readonly agenda = new Agenda();
  #nextSequenceNumber = 1;

  constructor(settings: QueueSettings) {
    this.history = new DuplicateHistory(settings.duplicateDetectionMs);
  }

  get nextSequenceNumber(): number {
    return this.#nextSequenceNumber;
  }

  /** Carries out one change. A change of a message that is not there does nothing. */
  apply(change: Change<Body>): void {
    switch (change.kind) {
      case "added":
        this.#add(change.message, change.to, change.remember);
        break;
      case "activated":
        this.#activate(change.sequenceNumber, change.newSequenceNumber, change.atMs);
        break;
      case "attempted":
        this.#replace(change.in, change.sequenceNumber, change.deliveryCount, change.body);
        break;
      case "deadLettered":
        this.#bury(change.sequenceNumber, change.deliveryCount, change.info, change.body);
        break;
      case "removed":
        this[change.from].delete(change.sequenceNumber);
        break;
      case "remembered":
        for (const [id, atMs] of change.entries) this.history.remember(id, atMs);
        break;
      case "numbered":
        this.#nextSequenceNumber = Math.max(this.#nextSequenceNumber, change.nextSequenceNumber);
    }
  }

  /**
   * Changes that rebuild this state from nothing. What is current is copied before this returns; the sequence itself
   * may be consumed later, while the queue goes on.
   */
  snapshot(): Iterable<Change<Body>> {
    const nextSequenceNumber = this.#nextSequenceNumber;
    const history = this.history.entries();
    const places = (["main", "deadLetter"] as const).map((to) => ({ to, messages: this[to].inOrder() }));
    return (function* () {
      yield { kind: "numbered", nextSequenceNumber };
      for (let at = 0; at < history.length; at += entriesPerChange)
        yield { kind: "remembered", entries: history.slice(at, at + entriesPerChange) };
      for (const { to, messages } of places)
        for (const message of messages) yield { kind: "added", to, message, remember: false };
    })();
  }

  #add(message: StoredMessage<Body>, to: SubQueueName, remember: boolean): void {
    this.#nextSequenceNumber = Math.max(this.#nextSequenceNumber, message.sequenceNumber + 1);
    if (remember) this.history.remember(message.id, message.enqueuedAtMs);
    this[to].put(message);
    if (to === "main") this.#plan(message);
  }

  #activate(sequenceNumber: number, newSequenceNumber: number, atMs: number): void {
    const scheduled = this.main.get(sequenceNumber);
    if (!scheduled) return;
    const { scheduledForMs: _, ...message } = scheduled;
    this.main.delete(sequenceNumber);
    this.#add({ ...message, sequenceNumber: newSequenceNumber, enqueuedAtMs: atMs }, "main", false);
  }

  #replace(place: SubQueueName, sequenceNumber: number, deliveryCount: number, body: Body | undefined): void {
    const message = this[place].get(sequenceNumber);
    if (message) this[place].put(changed(message, deliveryCount, body));
  }

  #bury(sequenceNumber: number, deliveryCount: number, info: DeadLetterInfo, body: Body | undefined): void {
    const message = this.main.get(sequenceNumber);
    if (!message) return;
    this.main.delete(sequenceNumber);
    this.deadLetter.put({ ...changed(message, deliveryCount, body), deadLetter: info });
  }

  #plan(message: StoredMessage<Body>): void {
    const atMs = message.scheduledForMs ?? message.expiresAtMs;
    if (atMs === undefined) return;
    // Entries of messages that were settled before their time stay behind; without this they would pile up.
    if (this.agenda.size > 2 * this.main.size + 1000) {
      this.agenda.clear();
      for (const other of this.main.inOrder()) {
        const otherAtMs = other.scheduledForMs ?? other.expiresAtMs;
        if (otherAtMs !== undefined) this.agenda.add(otherAtMs, other.sequenceNumber);
      }
    } else this.agenda.add(atMs, message.sequenceNumber);
  }
}

const changed = <Body>(
  message: StoredMessage<Body>,
  deliveryCount: number,
  body: Body | undefined,
): StoredMessage<Body> => ({ ...message, deliveryCount, ...(body === undefined ? {} : { body }) });
