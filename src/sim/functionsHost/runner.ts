import { randomUUID } from "node:crypto";
import type { FunctionsCore, RegisteredFunction } from "./functionsCore.ts";
import { invoke } from "./invoke.ts";
import type { LoadedApp } from "./loadApp.ts";
import type { Log } from "./log.ts";
import type { InvocationRequest, InvocationResponse } from "./rpc.ts";

/** Runs invocations and knows which are running. */
export interface Runner {
  /** Rejects with what the handler threw, or when the time limit has passed. */
  run(fn: RegisteredFunction, request: InvocationRequest): Promise<InvocationResponse>;
  /** Resolves when nothing is running. */
  idle(): Promise<void>;
}

export interface RunnerOptions {
  readonly core: FunctionsCore;
  readonly app: LoadedApp;
  readonly log: Log;
  /** Undefined: no limit. */
  readonly timeoutMs: number | undefined;
  /** Called after an invocation has outrun the limit; it cannot be stopped, so the process must end. */
  readonly onTimeout: () => void;
}

export const newInvocation = (
  binding: string,
  data: InvocationRequest["inputData"][number]["data"],
  triggerMetadata: InvocationRequest["triggerMetadata"] = {},
): InvocationRequest => ({ invocationId: randomUUID(), inputData: [{ name: binding, data }], triggerMetadata });

const limited = async <T>(work: Promise<T>, timeoutMs: number | undefined, onTimeout: () => void): Promise<T> => {
  if (timeoutMs === undefined) return work;
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    reject(new Error(`The function ran longer than functionTimeout, ${timeoutMs} ms`));
    onTimeout();
  }, timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
};

const describeError = (error: unknown): { readonly error: string; readonly stack?: string } =>
  error instanceof Error
    ? { error: error.message, ...(error.stack === undefined ? {} : { stack: error.stack }) }
    : { error: String(error) };

export const createRunner = ({ core, app, log, timeoutMs, onTimeout }: RunnerOptions): Runner => {
  const running = new Set<Promise<unknown>>();
  const runOne = async (fn: RegisteredFunction, request: InvocationRequest): Promise<InvocationResponse> => {
    const started = performance.now();
    const fields = { function: fn.name, invocationId: request.invocationId };
    const durationMs = (): number => Math.round(performance.now() - started);
    const work = invoke(core, app, fn, request, (level, category, message) =>
      log(level, message, { ...fields, category }),
    );
    try {
      const response = await limited(work, timeoutMs, onTimeout);
      log("information", "invocation ended", { ...fields, result: "success", durationMs: durationMs() });
      return response;
    } catch (error) {
      const ended = { ...fields, result: "failure", durationMs: durationMs(), ...describeError(error) };
      log("error", "invocation ended", ended);
      throw error;
    }
  };
  return {
    run: (fn, request) => {
      const one = runOne(fn, request);
      const settled = one.then(
        () => undefined,
        () => undefined,
      );
      running.add(settled);
      void settled.then(() => running.delete(settled));
      return one;
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
