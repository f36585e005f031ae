import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";

export interface LaunchOptions {
  /** File that Node runs; a `.ts` file is run as it is. */
  readonly entry: string | URL;
  readonly args?: readonly string[];
  /** Laid over the environment of this process; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  /** Each line the child writes, but for the ready line, which may hold a key. */
  readonly onLine?: (line: string, stream: "stdout" | "stderr") => void;
  /** Tells the ready line from other JSON lines; default: the first JSON object is it. */
  readonly isReady?: (value: object) => boolean;
  /** Default 30 000. */
  readonly readyTimeoutMs?: number;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Launched {
  /** The ready line, parsed. */
  readonly ready: unknown;
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Sends a signal; false when the child is gone. */
  kill(signal: NodeJS.Signals): boolean;
  /** SIGTERM, then SIGKILL after `graceMs` (default 8 000). */
  stop(graceMs?: number): Promise<Exit>;
}

const keptLines = 20;

const parseObject = (line: string): object | undefined => {
  if (!line.startsWith("{")) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
};

const isRunning = (child: ChildProcess): boolean => child.exitCode === null && child.signalCode === null;

const stopChild = async (child: ChildProcess, exited: Promise<Exit>, graceMs: number): Promise<Exit> => {
  if (isRunning(child)) child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), graceMs);
  try {
    return await exited;
  } finally {
    clearTimeout(timer);
  }
};

const describeExit = ({ code, signal }: Exit): string => (signal === null ? `code ${code}` : `signal ${signal}`);

/**
 * Starts a program of the simulation as a child and waits for the one JSON object that it prints when ready.
 *
 * The child gets `--exit-with-parent` and a standard input that closes when this process ends, also by SIGKILL.
 * Rejects with the child's last lines when it ends first, or when `readyTimeoutMs` has passed (the child is then killed).
 */
export const launch = async (options: LaunchOptions): Promise<Launched> => {
  const entry = typeof options.entry === "string" ? options.entry : fileURLToPath(options.entry);
  const child = spawn(process.execPath, [entry, ...(options.args ?? []), "--exit-with-parent"], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = new Promise<Exit>((resolve) => {
    child.once("exit", (code, signal) => resolve({ code, signal }));
    child.once("error", () => resolve({ code: 1, signal: null }));
  });
  // A child that dies closes the pipe; its exit says all there is to say.
  child.stdin.on("error", () => undefined);
  const ready = await waitUntilReady(child, child.stdout, child.stderr, entry, options);
  return {
    ready,
    pid: child.pid ?? 0,
    exited,
    kill: (signal) => isRunning(child) && child.kill(signal),
    stop: (graceMs = 8_000) => stopChild(child, exited, graceMs),
  };
};

const waitUntilReady = (
  child: ChildProcess,
  stdout: Readable,
  stderr: Readable,
  entry: string,
  { onLine, isReady = () => true, readyTimeoutMs = 30_000 }: LaunchOptions,
): Promise<unknown> => {
  const last: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  const fail = (what: string): void => {
    reject(new Error([`${entry} ${what}`, ...last].join("\n")));
  };
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    fail(`was not ready after ${readyTimeoutMs} ms`);
  }, readyTimeoutMs);
  let waiting = true;
  const pass = (line: string, stream: "stdout" | "stderr"): void => {
    if (waiting && last.push(line) > keptLines) last.shift();
    onLine?.(line, stream);
  };
  createInterface({ input: stderr }).on("line", (line) => pass(line, "stderr"));
  createInterface({ input: stdout }).on("line", (line) => {
    const value = waiting ? parseObject(line) : undefined;
    if (value === undefined || !isReady(value)) return pass(line, "stdout");
    waiting = false;
    resolve(value);
  });
  child.once("error", (error) => fail(`could not be started: ${error.message}`));
  // "close" comes after the last line, "exit" may come before it.
  child.once("close", (code, signal) => fail(`ended before it was ready, with ${describeExit({ code, signal })}`));
  return promise.finally(() => clearTimeout(timer));
};
