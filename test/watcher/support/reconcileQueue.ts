import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBusClient } from "@azure/service-bus";
import { parseWorkItem, type WorkItem } from "../../../src/core/workItem.ts";
import { type Broker, startBroker } from "../../../src/sim/serviceBus/startBroker.ts";

/** The queue `reconcile` on a real broker, and all that arrives in it, in order. */
export interface ReconcileQueue {
  readonly connectionString: string;
  /** Takes what is there and tells all that has come since the last `forget`. */
  received(): Promise<readonly WorkItem[]>;
  forget(): Promise<void>;
  /** The broker goes; what it took, it keeps. */
  stopBroker(): Promise<void>;
  startBroker(): Promise<void>;
  stop(): Promise<void>;
}

export const startReconcileQueue = async ({
  duplicateDetectionSeconds = 600,
}: {
  readonly duplicateDetectionSeconds?: number;
} = {}): Promise<ReconcileQueue> => {
  const journalDir = await mkdtemp(join(tmpdir(), "capstan-watcher-queue-"));
  const queues = [{ name: "reconcile", duplicateDetectionSeconds }];
  let broker: Broker = await startBroker({ queues, journalDir });
  const { port, connectionString } = broker;
  let items: WorkItem[] = [];
  const take = async (): Promise<void> => {
    if (broker.counts("reconcile").active === 0) return;
    const client = new ServiceBusClient(connectionString);
    const receiver = client.createReceiver("reconcile", { receiveMode: "receiveAndDelete" });
    while (broker.counts("reconcile").active > 0)
      for (const { body } of await receiver.receiveMessages(100, { maxWaitTimeInMs: 1_000 })) {
        const item = parseWorkItem(body);
        if (!item.ok) throw new Error(item.error.message);
        items.push(item.value);
      }
    await client.close();
  };
  return {
    connectionString,
    received: async () => {
      await take();
      return items;
    },
    forget: async () => {
      await take();
      items = [];
    },
    stopBroker: () => broker.stop(),
    startBroker: async () => {
      broker = await startBroker({ queues, journalDir, port });
    },
    stop: async () => {
      await broker.stop();
      await rm(journalDir, { recursive: true, force: true });
    },
  };
};
