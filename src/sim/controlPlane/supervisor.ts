import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, rmSync } from "node:fs";

/**
 * A process of its own between us and the programs: when our process goes, in whatever way, its channel closes and the
 * supervisor ends the programs and removes the temporary folder. Started by `startProcesses`, never by hand.
 */

/** One program to run. */
export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Both outputs are appended to this file. */
  readonly logFile: string;
  /** Time between SIGTERM and SIGKILL; 0 sends SIGKILL at once, for programs that keep nothing themselves. */
  readonly graceMs: number;
}

export type Order =
  | { readonly kind: "start"; readonly child: ChildSpec }
  | { readonly kind: "stop"; readonly name: string }
  | { readonly kind: "end" };

export type Report =
  | { readonly kind: "started"; readonly name: string; readonly pid: number }
  /** The program could not be started, or is gone; `how` is a status, a signal or an error. */
  | { readonly kind: "gone"; readonly name: string; readonly how: string };

interface Running {
  readonly spec: ChildSpec;
  readonly process: ChildProcess;
  readonly gone: Promise<void>;
}

const removeAtEnd = process.argv[2];
const running = new Map<string, Running>();
let ending = false;

const report = (message: Report): void => {
  // Our owner may be gone before the channel says so; without a callback that would end us before the programs.
  if (process.connected) process.send?.(message, () => undefined);
};

const start = (spec: ChildSpec): void => {
  if (ending) {
    report({ kind: "gone", name: spec.name, how: "the control plane is ending" });
    return;
  }
  const log = openSync(spec.logFile, "a");
  const child = spawn(spec.command, spec.args, { stdio: ["ignore", log, log], env: spec.env });
  closeSync(log);
  const gone = new Promise<void>((resolve) => {
    const leave = (how: string): void => {
      running.delete(spec.name);
      report({ kind: "gone", name: spec.name, how });
      resolve();
    };
    child.once("error", (error) => leave(error.message));
    child.once("exit", (code, signal) => leave(signal ?? `status ${code}`));
  });
  running.set(spec.name, { spec, process: child, gone });
  if (child.pid !== undefined) report({ kind: "started", name: spec.name, pid: child.pid });
};

const stop = async ({ spec, process: child, gone }: Running): Promise<void> => {
  child.kill(spec.graceMs === 0 ? "SIGKILL" : "SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), spec.graceMs);
  await gone;
  clearTimeout(timer);
};

const end = async (): Promise<void> => {
  if (ending) return;
  ending = true;
  // Last started, first stopped: what depends on etcd goes before it.
  for (const child of [...running.values()].toReversed()) await stop(child);
  if (removeAtEnd !== undefined) rmSync(removeAtEnd, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  process.exit(0);
};

const obey = async (order: Order): Promise<void> => {
  switch (order.kind) {
    case "start":
      return start(order.child);
    case "stop": {
      const child = running.get(order.name);
      return child === undefined ? report({ kind: "gone", name: order.name, how: "it was not running" }) : stop(child);
    }
    case "end":
      return end();
  }
};

// The one cast: the other end of the channel is our own `startProcesses`.
process.on("message", (order) => void obey(order as Order));
process.on("disconnect", () => void end());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void end());
