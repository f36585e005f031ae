import type { Result } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { type Verb, verbOf } from "../../src/engine/throttle/bucket.ts";
import type { ArmRequest } from "../../src/ports.ts";
import { intercept } from "./intercept.ts";

/** One request as it left a function app, and how long Azure wanted to be left alone then. */
export interface Sent {
  readonly app: string;
  readonly verb: Verb;
  readonly path: string;
  readonly atMs: number;
  readonly status: number;
  readonly refusedForMs?: number;
}

const methodOf = (name: string): ArmRequest["method"] => {
  const method = name.replace("arm ", "");
  return method === "PUT" || method === "PATCH" || method === "DELETE" || method === "POST" ? method : "GET";
};

/** The same function app, with every request that it sends to Azure written down. */
export const watched = (deps: Deps, app: string, sent: Sent[]): Deps =>
  intercept(deps, async (call, run) => {
    const answer = await run();
    if (call.port !== "arm") return answer;
    // The one cast: every port answers with a Result.
    const { ok, error } = answer as Extract<Result<unknown>, { ok: false }>;
    const refused = !ok && error.kind === "throttled" && { refusedForMs: 1_000 * (error.retryAfterSeconds ?? 0) };
    const status = ok ? 200 : (error.status ?? 0);
    const atMs = deps.tables.nowMs() ?? 0;
    sent.push({ app, verb: verbOf(methodOf(call.name)), path: call.path, atMs, status, ...refused });
    return answer;
  });

/** Requests that came before a refusal of their kind had run out, although their function app could have known. */
export const unhonoured = (sent: readonly Sent[], knownToOthersAfterMs: number): readonly Sent[] => {
  const refusals = sent.filter(({ refusedForMs }) => refusedForMs !== undefined);
  return sent.filter(({ app, verb, atMs }) =>
    refusals.some((one) => {
      const knownMs = one.atMs + (one.app === app ? 0 : knownToOthersAfterMs);
      return one.verb === verb && atMs > knownMs && atMs < one.atMs + (one.refusedForMs ?? 0);
    }),
  );
};
