import { setImmediate } from "node:timers/promises";
import type { ServiceBusClient, ServiceBusReceivedMessage, ServiceBusReceiver } from "@azure/service-bus";
import type { ParkedQueue } from "../core/replayRequest.ts";
import type { Json, Result } from "../core/types.ts";
import { parseJson } from "./parseJson.ts";
import { brokerFailure, requestMs, type ServiceBusConnection } from "./serviceBusClient.ts";

/** A message that was given up. */
export interface SeenMessage {
  readonly messageId: string;
  /** As it was sent; unchecked. */
  readonly body: Json;
  /** Why it was given up, as far as the broker or the sender said. */
  readonly reason: string;
  readonly deliveryCount: number;
  /** RFC 3339; empty when the broker does not say. */
  readonly enqueuedAt: string;
}

/** A message that is held: nobody else gets it until it is settled or its lock ends. */
export interface HeldMessage extends SeenMessage {
  /** It has been dealt with and goes. A lock that was lost is no failure: the message stays and can be held again. */
  complete(): Promise<void>;
  /** It stays where it is. */
  abandon(): Promise<void>;
}

/** Looks at and takes messages that were given up, for a replay by hand. */
export interface ServiceBusReplay {
  /** Oldest first; takes nothing and counts nothing. */
  peek(queue: ParkedQueue, most: number): Promise<Result<readonly SeenMessage[]>>;
  /** Oldest first; waits up to two seconds for the first. */
  receive(queue: ParkedQueue, most: number): Promise<Result<readonly HeldMessage[]>>;
}

const waitMs = 2_000;

/** The client parses JSON by itself; what another client sent may still be text. */
const bodyOf = ({ body }: ServiceBusReceivedMessage): Json => {
  if (typeof body !== "string" && !(body instanceof Uint8Array)) {
    // The one cast: the client made it by JSON.parse.
    return (body ?? null) as Json;
  }
  const text = typeof body === "string" ? body : Buffer.from(body).toString("utf8");
  return parseJson(text) ?? text;
};

const seen = (message: ServiceBusReceivedMessage): SeenMessage => ({
  messageId: String(message.messageId ?? ""),
  body: bodyOf(message),
  reason: [message.deadLetterReason, message.deadLetterErrorDescription].filter((it) => it !== undefined).join(": "),
  deliveryCount: message.deliveryCount ?? 0,
  enqueuedAt: message.enqueuedTimeUtc?.toISOString() ?? "",
});

const receiverOf = (client: ServiceBusClient, queue: ParkedQueue, name: string): ServiceBusReceiver => {
  const options = { receiveMode: "peekLock", maxAutoLockRenewalDurationInMs: 0 } as const;
  return queue === "failed"
    ? client.createReceiver(`${name}-failed`, options)
    : client.createReceiver(name, { ...options, subQueueType: "deadLetter" });
};

/**
 * Settles one after another, in turns of the event loop of their own: the AMQP library gives two adjacent messages that
 * are settled in one turn the outcome of the first.
 */
const settler = (): ((settle: () => Promise<void>) => Promise<void>) => {
  let last: Promise<void> = Promise.resolve();
  return (settle) => {
    last = last
      .then(() => setImmediate())
      .then(settle)
      .catch(() => undefined);
    return last;
  };
};

const hold = async (receiver: ServiceBusReceiver, most: number): Promise<readonly HeldMessage[]> => {
  const abortSignal = AbortSignal.timeout(waitMs + requestMs);
  const received = await receiver.receiveMessages(most, { maxWaitTimeInMs: waitMs, abortSignal });
  const settle = settler();
  return received.map((message) => ({
    ...seen(message),
    complete: () => settle(() => receiver.completeMessage(message)),
    abandon: () => settle(() => receiver.abandonMessage(message)),
  }));
};

const attempt = async <T>(run: () => Promise<T>): Promise<Result<T>> => {
  try {
    return { ok: true, value: await run() };
  } catch (error) {
    return { ok: false, error: brokerFailure(error) };
  }
};

/**
 * The messages that were given up. Receivers stay open with the connection, because held messages are settled on them.
 * @param name of the queue `reconcile`; the other one is named like it with `-failed`
 */
export const serviceBusReplay = (connection: ServiceBusConnection, name = "reconcile"): ServiceBusReplay => {
  const receivers = new Map<ParkedQueue, ServiceBusReceiver>();
  return {
    peek: (queue, most) =>
      attempt(async () => {
        // A client remembers for each queue how far it has looked; a new one starts at the oldest message.
        const client = await connection.separate();
        try {
          return (await receiverOf(client, queue, name).peekMessages(most)).map(seen);
        } finally {
          await client.close();
        }
      }),
    receive: (queue, most) =>
      attempt(async () => {
        const client = await connection.client();
        const receiver = receivers.get(queue) ?? receiverOf(client, queue, name);
        receivers.set(queue, receiver);
        return hold(receiver, most);
      }),
  };
};
