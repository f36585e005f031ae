import type { Json, Result } from "../../core/types.ts";
import type { QueueMessage, WorkQueue } from "../../ports.ts";
import { Queue } from "../serviceBus/queue/queue.ts";
import { queueSettings } from "../serviceBus/queue/queueOptions.ts";
import type { Delivery } from "../serviceBus/queue/storedMessage.ts";

/** The broker's queues without AMQP, on the world's clock. */
export interface MemoryQueue extends WorkQueue {
  readonly reconcile: Queue<Json>;
  readonly failed: Queue<Json>;
  receive(): Delivery<Json> | undefined;
  /** When something can next be received or a lock ends. */
  nextDueMs(): number | undefined;
}

/** `down` is asked before every send. */
export const memoryQueue = (
  nowMs: () => number,
  nonce: () => string,
  down: () => boolean = () => false,
): MemoryQueue => {
  const deps = { newLockToken: nonce };
  const reconcile = new Queue<Json>(
    queueSettings({ name: "reconcile", lockSeconds: 60, maxDeliveryCount: 20, duplicateDetectionSeconds: 600 }),
    deps,
  );
  const failed = new Queue<Json>(queueSettings({ name: "reconcile-failed", duplicateDetectionSeconds: 600 }), deps);
  const send = (queue: Queue<Json>, { messageId, body, delayMs = 0 }: QueueMessage): void => {
    queue.send(nowMs(), [
      { id: messageId, body: structuredClone(body), ...(delayMs > 0 && { scheduledForMs: nowMs() + delayMs }) },
    ]);
  };
  return {
    reconcile,
    failed,
    send: (name, messages): Promise<Result<void>> => {
      if (down())
        return Promise.resolve({
          ok: false,
          error: { kind: "transient", code: "NoAnswer", message: "the broker does not answer" },
        });
      for (const message of messages) send(name === "reconcile" ? reconcile : failed, message);
      return Promise.resolve({ ok: true, value: undefined });
    },
    receive: () => reconcile.receive(nowMs()),
    nextDueMs: () => reconcile.nextDueMs(),
  };
};
