import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ArmSimulatorOptions } from "../arm/options.ts";
import { launch } from "../process/launch.ts";
import type { Running } from "./part.ts";

/** A program of the stack that listens on a port. */
export interface Listening extends Running {
  readonly port: number;
}

interface Start {
  /** 0: any free one. */
  readonly port: number;
  readonly log: (line: string) => void;
}

const hasPort = (value: unknown): value is { readonly port: number } =>
  typeof value === "object" && value !== null && "port" in value && typeof value.port === "number";

const listening = async (entry: URL, args: readonly string[], log: Start["log"]): Promise<Listening> => {
  const child = await launch({ entry, args, onLine: log, isReady: hasPort });
  const { ready } = child;
  if (!hasPort(ready)) throw new Error(`${entry.pathname} gave a ready line without a port`);
  const { pid, exited } = child;
  return { port: ready.port, pid, exited, kill: (signal) => child.kill(signal), stop: () => child.stop() };
};

/** As `infra` makes them in Azure (design, section 4). */
const queues = [
  "reconcile:maxDeliveryCount=20,lockSeconds=60,duplicateDetectionSeconds=600",
  "reconcile-failed:maxDeliveryCount=20,lockSeconds=60,duplicateDetectionSeconds=600",
] as const;

/** Starts the Service Bus broker; its queues outlive it in the journal. */
export const launchBroker = ({ port, log, journal }: Start & { readonly journal: string }): Promise<Listening> =>
  listening(
    new URL("../serviceBus/main.ts", import.meta.url),
    [...queues.flatMap((queue) => ["--queue", queue]), "--port", String(port), "--journal", journal],
    log,
  );

export interface ArmStart extends Start {
  readonly dir: string;
  readonly options: Omit<ArmSimulatorOptions, "validate">;
  readonly requestsFile: string | undefined;
}

/** Starts the Azure simulator. Its resources are gone when it ends. */
export const launchArm = async ({ port, log, dir, options, requestsFile }: ArmStart): Promise<Listening> => {
  const file = join(dir, "azure-options.json");
  await writeFile(file, JSON.stringify(options));
  const requests = requestsFile === undefined ? [] : ["--requests", requestsFile];
  return listening(
    new URL("../arm/main.ts", import.meta.url),
    ["--port", String(port), "--options", file, ...requests],
    log,
  );
};

/** The watcher, which tells its health and its numbers on a port. */
export interface Watching extends Running {
  readonly healthPort: number;
}

const hasHealthPort = (value: unknown): value is { readonly healthPort: number } =>
  typeof value === "object" && value !== null && "healthPort" in value && typeof value.healthPort === "number";

/** It waits longer for a broker that is gone; what it did not announce, its next start announces. */
const watcherGraceMs = 2_000;

/** Starts the watcher with these settings; it is ready when it says where its health is told. */
export const launchWatcher = async ({
  settings,
  log,
}: {
  readonly settings: Readonly<Record<string, string>>;
  readonly log: Start["log"];
}): Promise<Watching> => {
  const entry = new URL("../../watcher/main.ts", import.meta.url);
  const child = await launch({ entry, env: settings, onLine: log, isReady: hasHealthPort });
  const { pid, exited, ready } = child;
  if (!hasHealthPort(ready)) throw new Error("the watcher gave a ready line without its port");
  const { healthPort } = ready;
  return { healthPort, pid, exited, kill: (signal) => child.kill(signal), stop: () => child.stop(watcherGraceMs) };
};
