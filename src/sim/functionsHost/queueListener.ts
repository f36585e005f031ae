import { setTimeout as delay } from "node:timers/promises";
import { ServiceBusClient, type ServiceBusReceivedMessage, type ServiceBusReceiver } from "@azure/service-bus";
import type { HostJson } from "./hostJson.ts";
import type { Log } from "./log.ts";
import type { InvocationRequest, TypedData } from "./rpc.ts";
import type { QueueTrigger } from "./trigger.ts";

export interface QueueListener {
  /** Takes no further message; resolves when those that run are settled. */
  stop(): Promise<void>;
  close(): Promise<void>;
}

export interface QueueListenerOptions {
  readonly trigger: QueueTrigger;
  readonly settings: HostJson["serviceBus"];
  readonly log: Log;
  /** Resolves to complete the message, rejects to abandon it. */
  readonly onMessage: (data: TypedData, triggerMetadata: InvocationRequest["triggerMetadata"]) => Promise<unknown>;
}

/** Short, so that a restarted broker is found at once. */
const retryOptions = { retryDelayInMs: 300, maxRetries: 3 };

/**
 * How long a receiver waits before it asks again; each time costs a round trip. A broker that is killed while receivers are
 * being opened may leave one waiting on a link that no longer is: it notices no earlier.
 */
const waitMs = 10_000;

const bodyText = (body: unknown): string => {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : JSON.stringify(body ?? null);
};

/** End of .NET's calendar, where a message without an expiry lands. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
const isoText = (date: Date): string => new Date(Math.min(date.getTime(), latestMs)).toISOString();
// .NET writes a DateTime without its zone and a DateTimeOffset with it.
const dateTime = (date: Date): TypedData => ({ json: JSON.stringify(isoText(date).replace("Z", "")) });
const dateTimeOffset = (date: Date): TypedData => ({ json: JSON.stringify(isoText(date).replace("Z", "+00:00")) });

/**
 * Trigger metadata of a message, by the names that Service Bus extension 5.x gives. `DeliveryCount` counts this
 * delivery, so the first is 1; the client counts the failed ones before it.
 */
const triggerMetadata = (message: ServiceBusReceivedMessage): InvocationRequest["triggerMetadata"] => {
  const text = (value: string | undefined): TypedData | undefined =>
    value === undefined || value === null ? undefined : { string: value };
  const { enqueuedTimeUtc: enqueued, expiresAtUtc: expires } = message;
  const properties = { json: JSON.stringify(message.applicationProperties ?? {}) };
  const entries: readonly (readonly [string, TypedData | undefined])[] = [
    ["MessageId", text(message.messageId?.toString())],
    ["LockToken", text(message.lockToken)],
    ["DeliveryCount", { int: (message.deliveryCount ?? 0) + 1 }],
    ["SequenceNumber", { json: String(message.sequenceNumber ?? 0) }],
    ["EnqueuedTimeUtc", enqueued && dateTime(enqueued)],
    ["EnqueuedTime", enqueued && dateTimeOffset(enqueued)],
    ["ExpiresAtUtc", expires && dateTime(expires)],
    ["ExpiresAt", expires && dateTimeOffset(expires)],
    ["ContentType", text(message.contentType)],
    ["CorrelationId", text(message.correlationId?.toString())],
    ["Subject", text(message.subject)],
    ["Label", text(message.subject)],
    ["To", text(message.to)],
    ["ReplyTo", text(message.replyTo)],
    ["PartitionKey", text(message.partitionKey)],
    ["DeadLetterSource", text(message.deadLetterSource)],
    ["ApplicationProperties", properties],
    ["UserProperties", properties],
  ];
  return Object.fromEntries(entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
};

/** Logs the first of a row of equal errors, such as those of each try to reach a broker that is away. */
const createErrorLog = (log: Log, queue: string) => {
  let last = "";
  return {
    report: (source: string, error: Error): void => {
      const text = `${source}: ${error.message || error.name}`;
      if (text !== last) log("warning", "queue error", { queue, error: text });
      last = text;
    },
    clear: (): void => {
      last = "";
    },
  };
};

/** A receiver's way: one message at a time, until `signal` aborts. Nothing that happens on the way ends it. */
const receiveOneByOne = async (
  receiver: ServiceBusReceiver,
  signal: AbortSignal,
  handle: (message: ServiceBusReceivedMessage) => Promise<void>,
  onError: (source: string, error: Error) => void,
): Promise<void> => {
  while (!signal.aborted) {
    try {
      const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: waitMs, abortSignal: signal });
      if (message !== undefined) await handle(message);
    } catch (error) {
      if (signal.aborted) return;
      onError("receive", error instanceof Error ? error : new Error(String(error)));
      await delay(retryOptions.retryDelayInMs);
    }
  }
};

/**
 * Receives from a queue for one function; a broker that goes away is looked for until `stop`.
 *
 * `maxConcurrentCalls` receivers take one message each. A single subscription would be less work, but it takes more
 * messages than allowed after each reconnect, waits a minute for the outcome of those from before it, and its AMQP
 * library merges the outcomes of neighbouring messages settled in one turn, even of a completed and an abandoned one.
 */
export const listenToQueue = ({ trigger, settings, log, onMessage }: QueueListenerOptions): QueueListener => {
  const client = new ServiceBusClient(trigger.connectionString, { retryOptions });
  const autoComplete = trigger.autoCompleteMessages ?? settings.autoCompleteMessages;
  const errors = createErrorLog(log, trigger.queue);
  const stopped = new AbortController();
  const run = async (receiver: ServiceBusReceiver, message: ServiceBusReceivedMessage): Promise<void> => {
    errors.clear();
    const succeeded = await onMessage({ string: bodyText(message.body) }, triggerMetadata(message)).then(
      () => true,
      () => false,
    );
    if (succeeded && !autoComplete) return;
    const settled = succeeded ? receiver.completeMessage(message) : receiver.abandonMessage(message);
    // The lock is lost or the broker away: it will deliver the message again.
    await settled.catch((error: Error) => errors.report(succeeded ? "complete" : "abandon", error));
  };
  const receivers = Array.from({ length: settings.maxConcurrentCalls }, () => {
    const receiver = client.createReceiver(trigger.queue, {
      receiveMode: "peekLock",
      maxAutoLockRenewalDurationInMs: settings.maxAutoLockRenewalMs,
      skipParsingBodyAsJson: true,
    });
    return receiveOneByOne(receiver, stopped.signal, (message) => run(receiver, message), errors.report);
  });
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(receivers);
    },
    close: () => client.close(),
  };
};
