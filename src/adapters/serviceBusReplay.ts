import { setImmediate } from "node:timers/promises";
import type { ServiceBusClient, ServiceBusReceivedMessage, ServiceBusReceiver } from "@azure/service-bus";
import type { Result } from "../core/types.ts";
import { brokerFailure, requestMs, type ServiceBusConnection } from "./serviceBusClient.ts";

/** Where messages are parked that were given up. */
export type ParkedQueue = "reconcile-failed" | "reconcile/deadLetter" | "reconcile-failed/deadLetter";

/** A message that was given up. */
export interface ParkedMessage {
  readonly messageId: string;
  /** As it was sent; unchecked. */
  readonly body: unknown;
  readonly deliveryCount: number;
  /** RFC 3339; empty when the broker does not say. */
  readonly enqueuedAt: string;
  /** Why the broker or the host gave it up, if they said so. */
  readonly reason?: string;
  readonly description?: string;
}

/** A parked message that is held: nobody else gets it until it is settled or its lock ends. */
export interface HeldMessage extends ParkedMessage {
  /** It has been dealt with and goes. */
  complete(): Promise<Result<void>>;
  /** It stays parked. */
  abandon(): Promise<Result<void>>;
}

export interface HeldMessages {
  readonly messages: readonly HeldMessage[];
  /** What is not settled by then becomes free when its lock ends. */
  close(): Promise<void>;
}

/** Looks at and takes parked messages, for a replay by hand. */
export interface Parked {
  /** Oldest first; takes nothing. */
  peek(queue: ParkedQueue, max: number): Promise<Result<readonly ParkedMessage[]>>;
  /** Waits up to two seconds for the first. */
  receive(queue: ParkedQueue, max: number): Promise<Result<HeldMessages>>;
}

const waitMs = 2_000;

const textOf = (body: unknown): string | undefined => {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : undefined;
};

/** The client parses JSON by itself; what another client sent may still be text. */
const bodyOf = ({ body }: ServiceBusReceivedMessage): unknown => {
  const text = textOf(body);
  if (text === undefined) return body;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

const parked = (message: ServiceBusReceivedMessage): ParkedMessage => ({
  messageId: String(message.messageId ?? ""),
  body: bodyOf(message),
  deliveryCount: message.deliveryCount ?? 0,
  enqueuedAt: message.enqueuedTimeUtc?.toISOString() ?? "",
  ...(message.deadLetterReason !== undefined && { reason: message.deadLetterReason }),
  ...(message.deadLetterErrorDescription !== undefined && { description: message.deadLetterErrorDescription }),
});

const receiverOf = (client: ServiceBusClient, queue: ParkedQueue): ServiceBusReceiver => {
  const [name = queue, dead] = queue.split("/");
  return client.createReceiver(name, {
    receiveMode: "peekLock",
    maxAutoLockRenewalDurationInMs: 0,
    ...(dead !== undefined && { subQueueType: "deadLetter" as const }),
  });
};

/**
 * Settles one after another, in turns of the event loop of their own: the AMQP library gives two adjacent messages that
 * are settled in one turn the outcome of the first.
 */
const settler = (): ((settle: () => Promise<void>) => Promise<Result<void>>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (settle) => {
    const done = last.then(async (): Promise<Result<void>> => {
      await setImmediate();
      try {
        await settle();
        return { ok: true, value: undefined };
      } catch (error) {
        return { ok: false, error: brokerFailure(error) };
      }
    });
    last = done;
    return done;
  };
};

const hold = async (receiver: ServiceBusReceiver, max: number): Promise<HeldMessages> => {
  const abortSignal = AbortSignal.timeout(waitMs + requestMs);
  const received = await receiver.receiveMessages(max, { maxWaitTimeInMs: waitMs, abortSignal });
  const settle = settler();
  return {
    messages: received.map((message) => ({
      ...parked(message),
      complete: () => settle(() => receiver.completeMessage(message)),
      abandon: () => settle(() => receiver.abandonMessage(message)),
    })),
    close: () => receiver.close(),
  };
};

const peek = async (
  { separate }: ServiceBusConnection,
  queue: ParkedQueue,
  max: number,
): Promise<readonly ParkedMessage[]> => {
  // A client remembers for each queue how far it has looked; a new one starts at the oldest message.
  const client = await separate();
  try {
    return (await receiverOf(client, queue).peekMessages(max)).map(parked);
  } finally {
    await client.close();
  }
};

const receive = async ({ client }: ServiceBusConnection, queue: ParkedQueue, max: number): Promise<HeldMessages> => {
  const receiver = receiverOf(await client(), queue);
  try {
    return await hold(receiver, max);
  } catch (error) {
    await receiver.close();
    throw error;
  }
};

const attempt = async <T>(run: Promise<T>): Promise<Result<T>> => {
  try {
    return { ok: true, value: await run };
  } catch (error) {
    return { ok: false, error: brokerFailure(error) };
  }
};

/** Parked messages of the queues in Service Bus. */
export const serviceBusReplay = (connection: ServiceBusConnection): Parked => ({
  peek: (queue, max) => attempt(peek(connection, queue, max)),
  receive: (queue, max) => attempt(receive(connection, queue, max)),
});
