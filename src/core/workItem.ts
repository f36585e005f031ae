import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { Value } from "typebox/value";
import type { ObjectKey, Result } from "./types.ts";

export const causes = ["change", "dependency", "followUp", "wake", "resync", "drift", "replay"] as const;
export type Cause = (typeof causes)[number];

/** An object in one management cluster. */
export interface Address extends ObjectKey {
  /** uid of the management cluster's `kube-system` namespace. */
  readonly cluster: string;
}

/** One message of the queue `reconcile`: it names an object and why, never the spec and never a secret. */
export interface WorkItem extends Address {
  readonly v: 1;
  /** A hint; the object as read decides. Empty when the sender did not know it. */
  readonly uid: string;
  readonly generation: number;
  /** Hash of all that a turn obeys and generation does not show (`inputs.ts`). */
  readonly inputs: string;
  readonly paused: boolean;
  readonly deleting: boolean;
  /** Only of a doorbell for an object that goes, or went, because it was moved to another management cluster. */
  readonly moved?: true;
  /** Only of `followUp` and `wake`: the turn of the row that it continues. */
  readonly turn?: number;
  /** Only of a `resync` from the hourly listing: it runs although nothing is due. */
  readonly listed?: true;
  readonly attempt: number;
  /** `followUp`: the row's incarnation; `wake`: the lease's nonce; else what makes the message id unique. */
  readonly nonce: string;
  readonly cause: Cause;
  /** RFC 3339. */
  readonly sentAt: string;
}

/** A message with its id and when it shall arrive (table-service time in ms). */
export interface Outgoing {
  readonly item: WorkItem;
  readonly messageId: string;
  readonly dueMs: number;
}

export const keyOf = ({ kind, namespace, name }: ObjectKey): ObjectKey => ({ kind, namespace, name });

/** The object that a message names. */
export const addressOf = ({ cluster, kind, namespace, name }: Address): Address => ({ cluster, kind, namespace, name });

const count = Type.Integer({ minimum: 0 });
/** Names as Kubernetes has them: they become parts of URLs and of table keys. */
export const namePatterns = {
  cluster: "^[A-Za-z0-9][A-Za-z0-9-]{0,62}$",
  kind: "^[A-Za-z][A-Za-z0-9]{0,62}$",
  namespace: "^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$",
  name: "^[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?$",
} as const;
const place = Type.Object({
  cluster: Type.String({ pattern: namePatterns.cluster }),
  kind: Type.String({ pattern: namePatterns.kind }),
  namespace: Type.String({ pattern: namePatterns.namespace }),
  name: Type.String({ pattern: namePatterns.name }),
});
const fields = Type.Object({
  v: Type.Literal(1),
  cluster: Type.String({ pattern: namePatterns.cluster }),
  kind: Type.String({ pattern: namePatterns.kind }),
  namespace: Type.String({ pattern: namePatterns.namespace }),
  name: Type.String({ pattern: namePatterns.name }),
  uid: Type.String(),
  generation: count,
  inputs: Type.String(),
  paused: Type.Boolean(),
  deleting: Type.Boolean(),
  moved: Type.Optional(Type.Literal(true)),
  turn: Type.Optional(count),
  listed: Type.Optional(Type.Literal(true)),
  attempt: count,
  nonce: Type.String(),
  cause: Type.Enum(causes),
  sentAt: Type.String(),
});
/** Compiled: whatever a message is about, it passes here. */
const shape = Compile(fields);
/** Whether an address has names that Kubernetes could have given. */
export const isAddress = (address: Address): boolean => Value.Check(place, address);

const versioned = Compile(Type.Object({ v: Type.Number() }));

const refused = (code: string, message: string): Result<never> => ({
  ok: false,
  error: { kind: "badConfiguration", code, message },
});

const firstProblem = (value: unknown): string => {
  const [problem] = shape.Errors(value);
  return problem === undefined ? "no reason known" : `${problem.instancePath || "message"}: ${problem.message}`;
};

/**
 * A message as it came from the queue. Never throws. Failure codes: `MessageFromTheFuture` (another format version, from
 * a newer app or watcher), `UnreadableMessage`. Unknown properties are left out.
 */
export const parseWorkItem = (value: unknown): Result<WorkItem> => {
  if (versioned.Check(value) && value.v > 1)
    return refused("MessageFromTheFuture", `message has format version ${value.v}, this app reads version 1`);
  if (!shape.Check(value)) return refused("UnreadableMessage", firstProblem(value));
  const { turn, listed, moved, ...rest } = value;
  const { v, uid, generation, inputs, paused, deleting, attempt, nonce, cause, sentAt } = rest;
  if ((cause === "followUp" || cause === "wake") && turn === undefined)
    return refused("UnreadableMessage", `/turn: a ${cause} names the turn that it continues`);
  return {
    ok: true,
    value: {
      v,
      ...addressOf(rest),
      uid,
      generation,
      inputs,
      paused,
      deleting,
      attempt,
      nonce,
      cause,
      sentAt,
      ...(moved === undefined ? {} : { moved }),
      ...(turn === undefined ? {} : { turn }),
      ...(listed === undefined ? {} : { listed }),
    },
  };
};
