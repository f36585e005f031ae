import type { Stack } from "../../src/sim/stack/stack.ts";
import { startStack } from "../../src/sim/stack/startStack.ts";
import type { Bench } from "./bench.ts";
import { type Creation, createCluster } from "./creation.ts";

/** A bench that has started nothing yet, and how to end what it will have started. */
export const createBench = (progress: Bench["progress"]): Bench & { stop(): Promise<void> } => {
  let stack: Promise<Stack> | undefined;
  let cluster: Promise<Creation> | undefined;
  const bench: Bench = {
    progress,
    stack: () => {
      stack ??= startStack({ progress, timers: false, azure: { latency: 0, retryAfterSeconds: "none" } });
      return stack;
    },
    cluster: () => {
      cluster ??= bench.stack().then((running) => createCluster(running, progress));
      return cluster;
    },
  };
  return {
    ...bench,
    stop: async () => {
      const running = await stack?.catch(() => undefined);
      await running?.stop();
    },
  };
};
