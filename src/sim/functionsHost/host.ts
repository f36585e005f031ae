import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createFunctionsCore, type FunctionsCore, installFunctionsCore } from "./functionsCore.ts";
import { type HostJson, parseHostJson } from "./hostJson.ts";
import { startHttpServer } from "./httpServer.ts";
import { type Keys, keptKeys } from "./keys.ts";
import { loadApp } from "./loadApp.ts";
import { type FunctionSummary, type LoadedFunction, summarise } from "./loadedFunction.ts";
import type { Log } from "./log.ts";
import type { QueueListener } from "./queueListener.ts";
import { createRunner, newInvocation, type Runner } from "./runner.ts";
import type { Settings } from "./settings.ts";
import { startTimer, type TimerListener, timerInput } from "./timerListener.ts";
import { parseTrigger } from "./trigger.ts";

export interface HostOptions {
  /** Folder with package.json and host.json. */
  readonly app: string;
  /** Instead of the `main` of package.json: file or glob. */
  readonly main: string | undefined;
  readonly settings: Settings;
  readonly port: number;
  /** False: timer functions run only by hand. */
  readonly timers: boolean;
  readonly log: Log;
  /** An invocation has outrun `functionTimeout`. */
  readonly onTimeout: () => void;
  /** See `keptKeys`. */
  readonly keysFile: string | undefined;
}

export interface Host extends Keys {
  readonly port: number;
  readonly functions: readonly FunctionSummary[];
  /** Receives nothing more, waits for what runs at most `graceMs`, and tells the app. */
  stop(graceMs: number): Promise<void>;
}

const readHostJson = (folder: string): HostJson => {
  const parsed = parseHostJson(JSON.parse(readFileSync(join(folder, "host.json"), "utf8")));
  if (parsed.kind === "problems") throw new Error(parsed.problems.join("; "));
  return parsed.value;
};

const readFunctions = (core: FunctionsCore, settings: Settings): readonly LoadedFunction[] => {
  const parsed = core.functions().map((fn) => ({ fn, trigger: parseTrigger(fn, settings) }));
  const problems = parsed.flatMap(({ trigger }) => (trigger.kind === "problems" ? trigger.problems : []));
  if (problems.length > 0) throw new Error(problems.join("; "));
  return parsed.flatMap(({ fn, trigger }) => (trigger.kind === "ok" ? [{ fn, trigger: trigger.value }] : []));
};

const listen = async (
  functions: readonly LoadedFunction[],
  runner: Runner,
  hostJson: HostJson,
  log: Log,
): Promise<readonly QueueListener[]> => {
  const queues = functions.filter(({ trigger }) => trigger.kind === "serviceBusQueue");
  if (queues.length === 0) return [];
  // An app without queues starts without the client.
  const { listenToQueue } = await import("./queueListener.ts");
  return queues.flatMap(({ fn, trigger }) =>
    trigger.kind === "serviceBusQueue"
      ? listenToQueue({
          trigger,
          settings: hostJson.serviceBus,
          log,
          onMessage: (data, metadata) => runner.run(fn, newInvocation(trigger.binding, data, metadata)),
        })
      : [],
  );
};

const startTimers = (functions: readonly LoadedFunction[], runner: Runner): readonly TimerListener[] =>
  functions.flatMap(({ fn, trigger }) => {
    if (trigger.kind !== "timer") return [];
    const { binding, schedule, runOnStartup } = trigger;
    return startTimer(schedule, runOnStartup, async (isPastDue) => {
      const request = newInvocation(binding, timerInput(schedule, isPastDue, Date.now()));
      // The runner has logged it; the schedule goes on.
      await runner.run(fn, request).catch(() => undefined);
    });
  });

const within = async (work: Promise<unknown>, ms: number): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

/**
 * Loads an app into this process and runs its triggers. Rejects when a module, a binding, a setting or host.json does
 * not allow it, or when the app registers no function.
 */
export const startHost = async (options: HostOptions): Promise<Host> => {
  const { app: folder, settings, log } = options;
  const hostJson = readHostJson(folder);
  const core = createFunctionsCore((level, category, message) => log(level, message, { category }));
  installFunctionsCore(core.api);
  const app = await loadApp(folder, core, options.main);
  const functions = readFunctions(core, settings);
  const { functionTimeoutMs: timeoutMs, routePrefix } = hostJson;
  const runner = createRunner({ core, app, log, timeoutMs, onTimeout: options.onTimeout });
  const keys = keptKeys(options.keysFile);
  const server = await startHttpServer({ functions, runner, routePrefix, keys, log, port: options.port });
  const timers = options.timers ? startTimers(functions, runner) : [];
  const listeners = await listen(functions, runner, hostJson, log);
  return {
    ...keys,
    port: server.port,
    functions: functions.map((one) => summarise(one, routePrefix)),
    stop: async (graceMs) => {
      server.stop();
      for (const timer of timers) timer.stop();
      await within(Promise.all([...listeners.map((one) => one.stop()), runner.idle()]), graceMs);
      for (const hook of core.hooks("appTerminate")) await hook({ hookData: {}, appHookData: {} });
      await within(Promise.all(listeners.map((one) => one.close())), 1_000);
    },
  };
};
