import type { Outgoing } from "../workItem.ts";

/** What a turn really read of an object: a doorbell that says the same brings no news. */
export interface Seen {
  readonly uid: string;
  readonly generation: number;
  readonly inputs: string;
}

/** Who may work on the object, and until when. Table-service time; 0 when the lease was released. */
export interface Lease {
  readonly nonce: string;
  readonly endMs: number;
}

/** What beside its own state a turn must heed: read Azure afresh; a person waits for it. */
export interface Why {
  readonly observe: boolean;
  readonly human: boolean;
}

/** The row `object` of table `state`: all that the chain of one object remembers between two messages. */
export interface ChainRow {
  /** Of the object last read; empty before the first. */
  readonly uid: string;
  readonly seen?: Seen;
  /** Number of commits; a `followUp` or `wake` of another turn is void, and so is a `followUp` of another incarnation. */
  readonly turn: number;
  /** Random, new whenever the row is created or the object is another one under the same name. */
  readonly incarnation: string;
  readonly lease: Lease;
  /** A message met a live lease: what the running turn has read may be old. */
  readonly dirty: boolean;
  /** That message was about a pause or a deletion: the running turn starts no further writes. */
  readonly stop: boolean;
  readonly why: Why;
  /** The message that the last commit owes. */
  readonly outbox?: Outgoing;
  /** Whether the outbox is known to have been sent. */
  readonly sent: boolean;
  /** When the object wants its next turn (table-service time). */
  readonly dueMs: number;
  /** Since when the API server says that the object does not exist. */
  readonly goneSinceMs?: number;
  /** Turns in a row that ended with a failure of our own surroundings. */
  readonly surroundings: number;
  /** Turns in a row that ended with a defect of our own code. */
  readonly defects: number;
}

/** The first row of an object. */
export const newRow = (incarnation: string): ChainRow => ({
  uid: "",
  turn: 0,
  incarnation,
  lease: { nonce: "", endMs: 0 },
  dirty: false,
  stop: false,
  why: { observe: true, human: false },
  sent: true,
  dueMs: 0,
  surroundings: 0,
  defects: 0,
});

/** Whether the row's lease was taken under this nonce (also after its release, until another takes it). */
export const isHeldBy = (row: ChainRow | undefined, nonce: string): row is ChainRow => row?.lease.nonce === nonce;

/** The row once its outbox was sent: written under the etag of the read or commit; a lost race (412) is ignored. */
export const markSent = (row: ChainRow): ChainRow => ({ ...row, sent: true });
