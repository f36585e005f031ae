/** The two places of a queue: the queue itself and its dead-letter sub-queue. */
export type SubQueueName = "main" | "deadLetter";

/** Why a message was dead-lettered, as the receiver stated it or as the queue found. */
export interface DeadLetterInfo {
  readonly reason?: string;
  readonly description?: string;
}

/** What a sender hands over. */
export interface NewMessage<Body> {
  /** The message id that duplicate detection compares. */
  readonly id: string;
  readonly body: Body;
  /** Not to be delivered before this time; a time that has passed means now. */
  readonly scheduledForMs?: number;
  readonly timeToLiveMs?: number;
}

/** A message as a queue keeps it; never changed in place. */
export interface StoredMessage<Body> {
  /** Unique within the queue, rising; a scheduled message gets a new one when it becomes active. */
  readonly sequenceNumber: number;
  /** The number under which the message was accepted. */
  readonly enqueuedSequenceNumber: number;
  readonly id: string;
  readonly enqueuedAtMs: number;
  /** Present exactly while the message is scheduled. */
  readonly scheduledForMs?: number;
  readonly expiresAtMs?: number;
  /** Deliveries that ended without success so far. */
  readonly deliveryCount: number;
  /** Present exactly in the dead-letter sub-queue. */
  readonly deadLetter?: DeadLetterInfo;
  readonly body: Body;
}

/** A message under a receiver's lock. */
export interface Delivery<Body> {
  readonly lockToken: string;
  readonly lockedUntilMs: number;
  readonly message: StoredMessage<Body>;
}

/**
 * One durable change of a queue. The durable state is the fold of its changes; locks are not part of it, so that
 * after a restart locked messages are available again with an unchanged delivery count.
 */
export type Change<Body> =
  | {
      readonly kind: "added";
      readonly to: SubQueueName;
      readonly message: StoredMessage<Body>;
      /** Whether the id enters the duplicate history; a snapshot lists the history by itself. */
      readonly remember: boolean;
    }
  | {
      readonly kind: "activated";
      readonly sequenceNumber: number;
      readonly newSequenceNumber: number;
      readonly atMs: number;
    }
  | {
      readonly kind: "attempted";
      readonly in: SubQueueName;
      readonly sequenceNumber: number;
      readonly deliveryCount: number;
      /** Present when the receiver changed the message while abandoning it. */
      readonly body?: Body;
    }
  | {
      readonly kind: "deadLettered";
      readonly sequenceNumber: number;
      readonly deliveryCount: number;
      readonly info: DeadLetterInfo;
      readonly body?: Body;
    }
  | { readonly kind: "removed"; readonly from: SubQueueName; readonly sequenceNumber: number }
  | { readonly kind: "remembered"; readonly entries: readonly (readonly [id: string, atMs: number])[] }
  | { readonly kind: "numbered"; readonly nextSequenceNumber: number };
