import type { ServiceBusMessage, ServiceBusSender } from "@azure/service-bus";
import type { Failure, Result } from "../core/types.ts";
import type { QueueMessage, WorkQueue } from "../ports.ts";
import { brokerFailure, requestMs, type ServiceBusConnection } from "./serviceBusClient.ts";

type QueueName = Parameters<WorkQueue["send"]>[0];

/** A delay is short next to what local clocks differ by; who receives too early sends again. */
const toMessage = ({ messageId, body, delayMs = 0 }: QueueMessage): ServiceBusMessage => ({
  messageId,
  body,
  contentType: "application/json",
  ...(delayMs > 0 && { scheduledEnqueueTimeUtc: new Date(Date.now() + delayMs) }),
});

const tooLarge = ({ messageId }: ServiceBusMessage): Failure => ({
  kind: "badConfiguration",
  code: "MessageTooLarge",
  message: `message ${String(messageId)} is larger than the queue takes`,
});

const aborted = (): { readonly abortSignal: AbortSignal } => ({ abortSignal: AbortSignal.timeout(requestMs) });

/** In as few batches as their size allows, in order. Answers the failure of a message that no batch takes. */
const sendInBatches = async (
  sender: ServiceBusSender,
  messages: readonly ServiceBusMessage[],
): Promise<Failure | undefined> => {
  let batch = await sender.createMessageBatch(aborted());
  for (const message of messages) {
    if (batch.tryAddMessage(message)) continue;
    if (batch.count > 0) await sender.sendMessages(batch, aborted());
    batch = await sender.createMessageBatch(aborted());
    if (!batch.tryAddMessage(message)) return tooLarge(message);
  }
  if (batch.count > 0) await sender.sendMessages(batch, aborted());
  return undefined;
};

/**
 * The port to the queues. A failure may come after some messages were sent: sending them all again is harmless, because
 * the queue knows their ids.
 * @param name of the queue `reconcile`; the other one is named like it with `-failed`
 */
export const serviceBus = (connection: ServiceBusConnection, name = "reconcile"): WorkQueue => {
  const senders = new Map<QueueName, ServiceBusSender>();
  const senderOf = async (queue: QueueName): Promise<ServiceBusSender> => {
    const client = await connection.client();
    const sender = senders.get(queue) ?? client.createSender(queue.replace(/^reconcile/, name));
    senders.set(queue, sender);
    return sender;
  };
  const send = async (queue: QueueName, messages: readonly ServiceBusMessage[]): Promise<Result<void>> => {
    const sender = await senderOf(queue);
    const [only] = messages;
    const failure =
      messages.length === 1 && only !== undefined
        ? await sender.sendMessages(only, aborted())
        : await sendInBatches(sender, messages);
    return failure === undefined ? { ok: true, value: undefined } : { ok: false, error: failure };
  };
  return {
    send: async (queue, messages) => {
      if (messages.length === 0) return { ok: true, value: undefined };
      try {
        return await send(queue, messages.map(toMessage));
      } catch (error) {
        return { ok: false, error: brokerFailure(error) };
      }
    },
  };
};
