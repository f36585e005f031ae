import type { Json } from "../../../src/core/types.ts";
import { memoryQueue } from "../../../src/sim/memory/memoryQueue.ts";
import type { Queue } from "../../../src/sim/serviceBus/queue/queue.ts";
import { queueContract, type Received } from "../../support/contracts/queueContract.ts";

queueContract(() => {
  let nowMs = 1_000;
  let serial = 0;
  const nonce = (): string => {
    serial += 1;
    return `lock-${serial}`;
  };
  const queue = memoryQueue(() => nowMs, nonce);
  const takeFrom = (from: Queue<Json>): readonly Received[] => {
    const message = from.receiveAndDelete(nowMs);
    return message === undefined ? [] : [{ messageId: message.id, body: message.body }, ...takeFrom(from)];
  };
  return Promise.resolve({
    queue,
    take: (name) => Promise.resolve(takeFrom(name === "reconcile" ? queue.reconcile : queue.failed)),
    pass: (ms) => {
      nowMs += ms;
      return Promise.resolve();
    },
    stop: () => Promise.resolve(),
  });
});
