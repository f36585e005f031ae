import type { Queue } from "../queue/queue.ts";
import { withApplicationProperties } from "./encodeMessage.ts";
import { type Failure, failures } from "./failures.ts";
import type { Outcome } from "./rhea.ts";
import type { WireMessage } from "./wireMessage.ts";

type Properties = Readonly<Record<string, unknown>>;

/** What a receiver wants done with a message. */
export type Verdict =
  | { readonly kind: "complete" }
  | { readonly kind: "abandon"; readonly properties: Properties }
  | { readonly kind: "defer" }
  | {
      readonly kind: "deadLetter";
      readonly reason: string | undefined;
      readonly description: string | undefined;
      readonly properties: Properties;
    };

/** Reads the terminal state that a client put on a delivery; `name` is the name of rhea's event. */
export const verdictOf = (name: "accepted" | "rejected" | "released" | "modified", outcome: Outcome): Verdict => {
  switch (name) {
    case "accepted":
      return { kind: "complete" };
    case "released":
      return { kind: "abandon", properties: {} };
    case "modified":
      if (outcome.undeliverable_here) return { kind: "defer" };
      return { kind: "abandon", properties: outcome.message_annotations ?? {} };
    case "rejected": {
      const { DeadLetterReason, DeadLetterErrorDescription, ...properties } = outcome.error?.info ?? {};
      return {
        kind: "deadLetter",
        reason: textOf(DeadLetterReason),
        description: textOf(DeadLetterErrorDescription),
        properties,
      };
    }
  }
};

/** A text, or undefined for anything else. */
export const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

/** Carries a verdict out. Returns why not when it cannot be. */
export const applyVerdict = (
  queue: Queue<WireMessage>,
  nowMs: number,
  lockToken: string,
  verdict: Verdict,
): Failure | undefined => {
  switch (verdict.kind) {
    case "complete":
      return failureOf(queue.complete(nowMs, lockToken));
    case "abandon":
      return failureOf(queue.abandon(nowMs, lockToken, changedBody(queue, nowMs, lockToken, verdict.properties)));
    case "deadLetter": {
      const { reason, description, properties } = verdict;
      const info = { ...(reason !== undefined && { reason }), ...(description !== undefined && { description }) };
      return failureOf(queue.deadLetter(nowMs, lockToken, info, changedBody(queue, nowMs, lockToken, properties)));
    }
    case "defer":
      return failures.notImplemented("This broker does not defer messages. The lock stays until it expires.");
  }
};

const failureOf = (settled: ReturnType<Queue<WireMessage>["deadLetter"]>): Failure | undefined => {
  switch (settled) {
    case "settled":
      return undefined;
    case "lockLost":
      return failures.lockLost();
    case "notAllowed":
      return failures.notAllowed("A message in the dead-letter queue cannot be dead-lettered again.");
  }
};

const changedBody = (
  queue: Queue<WireMessage>,
  nowMs: number,
  lockToken: string,
  properties: Properties,
): WireMessage | undefined => {
  const body = queue.held(nowMs, lockToken)?.body;
  if (!body || Object.keys(properties).length === 0) return undefined;
  return { ...body, rest: withApplicationProperties(body.rest, properties) };
};
