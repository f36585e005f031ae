import { type Exit, launch } from "../process/launch.ts";
import type { FunctionSummary } from "./loadedFunction.ts";
import type { Settings } from "./settings.ts";

export interface FunctionsHostOptions {
  /** Folder with package.json and host.json. */
  readonly app: string;
  /** File or glob of the modules to load, from `app`; default: `main` of its package.json. */
  readonly main?: string;
  /** App settings; the host gets them, over this process's environment, as its own. */
  readonly settings: Settings;
  /** File that keeps the access keys, made when there is none. Default: each process has its own. */
  readonly keysFile?: string;
  /** Default 0, a free one. */
  readonly port?: number;
  /** False: timer functions run only through `invokeAdmin`. Default true. */
  readonly timers?: boolean;
  readonly log?: (line: string, stream: "stdout" | "stderr") => void;
  /** Default 30 000. */
  readonly readyTimeoutMs?: number;
}

/** A Functions host that runs as a child process. */
export interface FunctionsHost {
  readonly pid: number;
  readonly port: number;
  /** Opens `/admin` and every function. */
  readonly masterKey: string;
  /** Opens functions of level `function`. */
  readonly functionKey: string;
  readonly functions: readonly FunctionSummary[];
  /** Starts a timer or queue function by hand; `input` is the message body. Answers before the function has ended. */
  invokeAdmin(name: string, body?: { readonly input?: unknown }): Promise<AdminAnswer>;
  /** Sends a request to this host; adds no key. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  kill(signal: NodeJS.Signals): boolean;
  /** SIGTERM: running invocations get 5 s to end. */
  stop(): Promise<Exit>;
  readonly exited: Promise<Exit>;
}

interface AdminAnswer {
  /** 202 when the function was started. */
  readonly status: number;
  /** As in its log lines. */
  readonly invocationId: string | undefined;
}

interface Ready {
  readonly port: number;
  readonly masterKey: string;
  readonly functionKey: string;
  readonly functions: readonly FunctionSummary[];
}

const isReady = (value: unknown): value is Ready =>
  typeof value === "object" &&
  value !== null &&
  "port" in value &&
  "masterKey" in value &&
  "functionKey" in value &&
  "functions" in value;

/** Starts a host for a function app; rejects with the reason when the app cannot be loaded. */
export const startFunctionsHost = async (options: FunctionsHostOptions): Promise<FunctionsHost> => {
  const child = await launch({
    entry: new URL("main.ts", import.meta.url),
    args: [
      "--app",
      options.app,
      "--port",
      String(options.port ?? 0),
      ...(options.main === undefined ? [] : ["--main", options.main]),
      ...(options.keysFile === undefined ? [] : ["--keys", options.keysFile]),
      ...(options.timers === false ? ["--no-timers"] : []),
    ],
    env: options.settings,
    isReady,
    ...(options.log !== undefined && { onLine: options.log }),
    ...(options.readyTimeoutMs !== undefined && { readyTimeoutMs: options.readyTimeoutMs }),
  });
  const { ready } = child;
  if (!isReady(ready)) throw new Error("The Functions host gave a ready line of another form");
  const call = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(new URL(path, `http://127.0.0.1:${ready.port}`), init);
  return {
    ...ready,
    pid: child.pid,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    stop: () => child.stop(),
    fetch: call,
    invokeAdmin: async (name, body = {}) => {
      const answer = await call(`/admin/functions/${encodeURIComponent(name)}`, {
        method: "POST",
        headers: { "x-functions-key": ready.masterKey, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      return { status: answer.status, invocationId: answer.headers.get("x-invocation-id") ?? undefined };
    },
  };
};
