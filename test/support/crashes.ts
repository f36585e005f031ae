import type { Deps } from "../../src/engine/deps.ts";
import { intercept } from "./intercept.ts";

/** Lets a function app die at a given call to the outside: that call, and all after it, never come back. */
export interface CrashPlan {
  /** Deps whose every call counts. */
  readonly deps: Deps;
  /** Calls so far, with the name of each. */
  readonly calls: readonly string[];
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
}

/**
 * `at` counts from 1; `effect` says whether the fatal call still takes effect outside (the answer is lost) or not (it was
 * not sent). `at` 0 never dies.
 */
export const crashing = (deps: Deps, at: number, effect: "before" | "after"): CrashPlan => {
  const calls: string[] = [];
  const { promise: died, resolve: die } = Promise.withResolvers<void>();
  const never = new Promise<never>(() => {});
  let dead = false;
  return {
    calls,
    died,
    deps: intercept(deps, async ({ name }, run) => {
      if (dead) return never;
      calls.push(name);
      if (calls.length !== at) return run();
      dead = true;
      if (effect === "after") await run();
      die();
      return never;
    }),
  };
};
