import { randomUUID } from "node:crypto";
import type { ServiceBusReceivedMessage, ServiceBusSender } from "@azure/service-bus";
import type { JsonObject } from "../../../src/core/types.ts";
import { eventually } from "./eventually.ts";
import type { Place } from "./manifests.ts";
import type { Scene } from "./scene.ts";

type QueueName = Parameters<Scene["stack"]["queueCounts"]>[0];

/** A doorbell for an AzureCluster that brings no news of its own, as any sender could make it. */
export const doorbellOf = ({ stack }: Scene, { namespace, name }: Place, more: JsonObject = {}): JsonObject => ({
  v: 1,
  cluster: stack.cluster,
  kind: "AzureCluster",
  namespace,
  name,
  uid: "",
  generation: 0,
  inputs: "",
  paused: false,
  deleting: false,
  attempt: 0,
  nonce: randomUUID(),
  cause: "change",
  sentAt: new Date().toISOString(),
  ...more,
});

/** Sends bodies as they are, each under an id of its own. */
export const send = async ({ bus }: Scene, queue: QueueName, bodies: readonly unknown[]): Promise<void> => {
  const sender = bus.createSender(queue);
  try {
    await sender.sendMessages(bodies.map((body) => ({ messageId: randomUUID(), body })));
  } finally {
    await sender.close();
  }
};

/** Everything in a queue, scheduled messages too; takes nothing. */
const peekAll = async ({ bus }: Scene, queue: QueueName): Promise<readonly ServiceBusReceivedMessage[]> => {
  const receiver = bus.createReceiver(queue);
  try {
    const all: ServiceBusReceivedMessage[] = [];
    for (;;) {
      const some = await receiver.peekMessages(100);
      if (some.length === 0) return all;
      all.push(...some);
    }
  } finally {
    await receiver.close();
  }
};

/** The bodies of a queue, oldest first; takes nothing. */
export const bodiesIn = async (scene: Scene, queue: QueueName): Promise<readonly unknown[]> =>
  (await peekAll(scene, queue)).map(({ body }) => body as unknown);

const isFor = (body: unknown, { namespace, name }: Place): boolean => {
  const item = body as Readonly<Record<string, unknown>> | null;
  return item?.["namespace"] === namespace && item["name"] === name;
};

/** Sends every message for an AzureCluster once more, under an id of its own, to come after so long. */
export const copyMessages = async (scene: Scene, place: Place, lateMs: number): Promise<void> => {
  const meant = (await peekAll(scene, "reconcile")).filter(({ body }) => isFor(body, place));
  const scheduledEnqueueTimeUtc = new Date(Date.now() + lateMs);
  const sender = scene.bus.createSender("reconcile");
  try {
    await sender.sendMessages(
      meant.map(({ body }) => ({ messageId: randomUUID(), body: body as unknown, scheduledEnqueueTimeUtc })),
    );
  } finally {
    await sender.close();
  }
};

/** Takes a scheduled message back; false when it came due meanwhile. */
const takeBack = async (
  sender: ServiceBusSender,
  sequenceNumber: NonNullable<ServiceBusReceivedMessage["sequenceNumber"]>,
): Promise<boolean> => {
  try {
    await sender.cancelScheduledMessages(sequenceNumber);
    return true;
  } catch (error) {
    if (error instanceof Error && /no scheduled message/.test(error.message)) return false;
    throw error;
  }
};

/** Delivers now what is scheduled for later and of this cause; returns how many that were. */
export const hurry = async (scene: Scene, cause: string): Promise<number> => {
  const isMeant = ({ state, body }: ServiceBusReceivedMessage): boolean =>
    state === "scheduled" && (body as { readonly cause?: unknown } | null)?.cause === cause;
  const meant = (await peekAll(scene, "reconcile")).filter(isMeant);
  const sender = scene.bus.createSender("reconcile");
  try {
    // Each is sent at once: what fails half-way must not lose what was taken back.
    for (const { sequenceNumber, body } of meant)
      if (sequenceNumber !== undefined && (await takeBack(sender, sequenceNumber)))
        await sender.sendMessages({ messageId: randomUUID(), body: body as unknown });
  } finally {
    await sender.close();
  }
  return meant.length;
};

const gaveUp = { deadLetterReason: "MaxDeliveryCountExceeded", deadLetterErrorDescription: "given up by a test" };

/** Takes one message from `reconcile` and gives it up, as the broker does after too many tries. */
export const deadLetterNext = async ({ bus }: Scene): Promise<void> => {
  const receiver = bus.createReceiver("reconcile");
  try {
    const [message] = await receiver.receiveMessages(1, { maxWaitTimeInMs: 5_000 });
    if (message === undefined) throw new Error("the queue has nothing to be given up");
    await receiver.deadLetterMessage(message, gaveUp);
  } finally {
    await receiver.close();
  }
};

/** Waits until no message of the queue is due or being handled; scheduled ones may remain. */
export const idle = ({ stack }: Scene): Promise<unknown> =>
  eventually("no message is due", async () => (await stack.queueCounts("reconcile")).active === 0);

/** What was given up by the broker and by the app. */
export const givenUp = async ({ stack }: Scene): Promise<{ readonly deadLetter: number; readonly failed: number }> => ({
  deadLetter: (await stack.queueCounts("reconcile")).deadLetter,
  failed: (await stack.queueCounts("reconcile-failed")).active,
});

/** Throws away what the app gave up. */
export const emptyFailed = async (scene: Scene): Promise<void> => {
  const receiver = scene.bus.createReceiver("reconcile-failed", { receiveMode: "receiveAndDelete" });
  try {
    while ((await givenUp(scene)).failed > 0) await receiver.receiveMessages(100, { maxWaitTimeInMs: 1_000 });
  } finally {
    await receiver.close();
  }
};
