import { Queue } from "../../../../src/sim/serviceBus/queue/queue.ts";
import { type QueueOptions, queueSettings } from "../../../../src/sim/serviceBus/queue/queueOptions.ts";
import type { Change } from "../../../../src/sim/serviceBus/queue/storedMessage.ts";

interface TestQueue {
  readonly queue: Queue<string>;
  readonly changes: readonly Change<string>[];
}

/** A queue of texts that counts its lock tokens and remembers its changes. */
export const aQueue = (options: Partial<QueueOptions> = {}): TestQueue => {
  const changes: Change<string>[] = [];
  let tokens = 0;
  const newLockToken = () => {
    tokens += 1;
    return `token-${tokens}`;
  };
  const record = (change: Change<string>) => void changes.push(change);
  return { queue: new Queue<string>(queueSettings({ name: "q", ...options }), { newLockToken, record }), changes };
};
