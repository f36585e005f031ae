import { ServiceBusClient } from "@azure/service-bus";
import { afterAll, beforeAll } from "vitest";
import { kubeClusters } from "../../../src/adapters/kubeClusters.ts";
import { tables } from "../../../src/adapters/tables.ts";
import type { Kube, Tables } from "../../../src/ports.ts";
import type { Stack, StackOptions } from "../../../src/sim/stack/stack.ts";
import { startStack } from "../../../src/sim/stack/startStack.ts";
import { must } from "../contracts/must.ts";
import { expectAtRest } from "./atRest.ts";

/** The running stack, and the ends of it that only a test holds. */
export interface Scene {
  readonly stack: Stack;
  /** Typed reads of single objects; what a person does goes through `stack.kubectl`. */
  readonly kube: Kube;
  /** The table service, as the function app reaches it. */
  readonly store: Tables;
  /** The broker, as anybody reaches it. */
  readonly bus: ServiceBusClient;
}

const settingOf = (stack: Stack, name: string): string => {
  const value = stack.settings[name];
  if (value === undefined) throw new Error(`the stack has no setting ${name}`);
  return value;
};

const sceneOf = async (stack: Stack): Promise<Scene> => {
  const { cluster, controlPlane } = stack;
  const clusters = kubeClusters([{ uid: cluster, source: { kind: "file", path: controlPlane.kubeconfigPath } }]);
  const connectionString = settingOf(stack, "CAPSTAN_TABLES_CONNECTION");
  return {
    stack,
    kube: must(await clusters.connect(cluster)),
    store: tables({ source: { kind: "connectionString", connectionString } }),
    bus: new ServiceBusClient(settingOf(stack, "ServiceBusConnection"), { retryOptions: { retryDelayInMs: 300 } }),
  };
};

/**
 * One stack for all tests of the file, and the way to it from inside a test. Its timers are off: whatever becomes right
 * does so without a resync. What the tests leave behind is looked at in the end: one more resync must change nothing.
 */
export const useScene = (options: StackOptions = {}): (() => Scene) => {
  let scene: Scene | undefined;
  beforeAll(async () => {
    scene = await sceneOf(await startStack({ timers: false, ...options }));
  });
  afterAll(async () => {
    try {
      if (scene !== undefined) await expectAtRest(scene);
    } finally {
      await scene?.bus.close();
      await scene?.stack.stop();
    }
  });
  return () => {
    if (scene === undefined) throw new Error("the stack is only there inside of a test");
    return scene;
  };
};
