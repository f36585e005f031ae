import { fork } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { ChildSpec, Order, Report } from "./supervisor.ts";

/** Programs that run exactly as long as the process that started them, or shorter. */
export interface Processes {
  /** Resolves when the program runs; fails when it cannot be started. */
  start(child: ChildSpec): Promise<void>;
  /** Resolves when the program is gone, also when it was gone before. */
  stop(name: string): Promise<void>;
  /** How the program ended, if it has. */
  ended(name: string): string | undefined;
  /** Stops all programs, last started first, and removes the temporary folder. */
  end(): Promise<void>;
}

export interface ProcessesOptions {
  /** Errors of the supervisor itself go here. */
  readonly logFile: string;
  /** A folder that the supervisor removes at its end, however that comes. */
  readonly removeAtEnd?: string | undefined;
}

/** Starts the supervisor, in a session of its own so that Ctrl-C in a terminal reaches us only. */
export const startProcesses = (options: ProcessesOptions): Processes => {
  const log = openSync(options.logFile, "a");
  const { NODE_OPTIONS: _, ...env } = process.env;
  const args = options.removeAtEnd === undefined ? [] : [options.removeAtEnd];
  const supervisor = fork(join(import.meta.dirname, "supervisor.ts"), args, {
    detached: true,
    execArgv: [],
    env,
    stdio: ["ignore", "ignore", log, "ipc"],
  });
  closeSync(log);

  const waiting = new Map<string, (report: Report) => void>();
  const ended = new Map<string, string>();
  const receive = (report: Report): void => {
    if (report.kind === "gone") ended.set(report.name, report.how);
    waiting.get(report.name)?.(report);
  };
  // The one cast: the other end of the channel is our own supervisor.
  supervisor.on("message", (report) => receive(report as Report));
  let over = false;
  supervisor.once("exit", () => {
    over = true;
    for (const settle of waiting.values()) settle({ kind: "gone", name: "supervisor", how: "the supervisor ended" });
  });
  const send = (order: Order): void => {
    if (supervisor.connected) supervisor.send(order);
  };
  const ask = async (name: string, order: Order): Promise<Report> => {
    if (over) return { kind: "gone", name, how: "the supervisor ended" };
    const { promise, resolve } = Promise.withResolvers<Report>();
    waiting.set(name, resolve);
    send(order);
    return promise.finally(() => waiting.delete(name));
  };

  return {
    start: async (child) => {
      ended.delete(child.name);
      const report = await ask(child.name, { kind: "start", child });
      if (report.kind === "gone") throw new Error(`${child.name} did not start: ${report.how}`);
    },
    stop: async (name) => {
      if (!ended.has(name)) await ask(name, { kind: "stop", name });
    },
    ended: (name) => ended.get(name),
    end: async () => {
      if (over) return;
      const gone = once(supervisor, "exit");
      send({ kind: "end" });
      await gone;
    },
  };
};
