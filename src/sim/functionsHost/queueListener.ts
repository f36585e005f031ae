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

/** Short, so that a restarted broker is found at once; the client repeats for ever while it is subscribed. */
const retryOptions = { retryDelayInMs: 300, maxRetries: 3 };

const bodyText = (body: unknown): string => {
  if (typeof body === "string") return body;
  return body instanceof Uint8Array ? Buffer.from(body).toString("utf8") : JSON.stringify(body ?? null);
};

// .NET writes a DateTime without its zone and a DateTimeOffset with it.
const dateTime = (date: Date): TypedData => ({ json: JSON.stringify(date.toISOString().replace("Z", "")) });
const dateTimeOffset = (date: Date): TypedData => ({ json: JSON.stringify(date.toISOString().replace("Z", "+00:00")) });

/**
 * Trigger metadata of a message, by the names that Service Bus extension 5.x gives. `DeliveryCount` counts this
 * delivery, so the first is 1; the client counts the failed ones before it.
 */
export const triggerMetadata = (message: ServiceBusReceivedMessage): InvocationRequest["triggerMetadata"] => {
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

/**
 * Lets one caller through in each turn of the event loop. The client's AMQP library merges the outcomes of adjacent
 * messages that are settled in one turn, even when one is completed and the other abandoned.
 */
const createTurnstile = (): (() => Promise<void>) => {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
};

/** Logs the first of a row of equal errors, such as those of each try to reach a broker that is away. */
const createErrorLog = (log: Log, queue: string) => {
  let last = "";
  return {
    report: (source: string, error: Error): void => {
      const text = `${source}: ${error.message}`;
      if (text !== last) log("warning", "queue error", { queue, source, error: error.message });
      last = text;
    },
    clear: (): void => {
      last = "";
    },
  };
};

const settle = async (
  receiver: ServiceBusReceiver,
  message: ServiceBusReceivedMessage,
  outcome: "complete" | "abandon",
): Promise<void> => {
  if (outcome === "complete") await receiver.completeMessage(message);
  else await receiver.abandonMessage(message);
};

/** Receives from a queue for one function; a broker that goes away is looked for until `stop`. */
export const listenToQueue = ({ trigger, settings, log, onMessage }: QueueListenerOptions): QueueListener => {
  const client = new ServiceBusClient(trigger.connectionString, { retryOptions });
  const receiver = client.createReceiver(trigger.queue, {
    receiveMode: "peekLock",
    maxAutoLockRenewalDurationInMs: settings.maxAutoLockRenewalMs,
    skipParsingBodyAsJson: true,
  });
  const autoComplete = trigger.autoCompleteMessages ?? settings.autoCompleteMessages;
  const errors = createErrorLog(log, trigger.queue);
  const turnstile = createTurnstile();
  const inHand = new Set<Promise<void>>();
  const handle = async (message: ServiceBusReceivedMessage): Promise<void> => {
    errors.clear();
    const outcome = await onMessage({ string: bodyText(message.body) }, triggerMetadata(message)).then(
      () => (autoComplete ? ("complete" as const) : undefined),
      () => "abandon" as const,
    );
    if (outcome === undefined) return;
    await turnstile();
    // The lock is lost or the broker away: it will deliver the message again.
    await settle(receiver, message, outcome).catch((error: Error) => errors.report(outcome, error));
  };
  const subscription = receiver.subscribe(
    {
      processMessage: (message) => {
        const one = handle(message);
        inHand.add(one);
        return one.finally(() => inHand.delete(one));
      },
      processError: async ({ error, errorSource }) => errors.report(errorSource, error),
    },
    { autoCompleteMessages: false, maxConcurrentCalls: settings.maxConcurrentCalls },
  );
  return {
    stop: async () => {
      await subscription.close();
      while (inHand.size > 0) await Promise.all(inHand);
    },
    close: () => client.close(),
  };
};
