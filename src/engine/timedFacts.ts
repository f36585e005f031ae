import { limits } from "../core/chain/limits.ts";
import type { Deps, Facts } from "./deps.ts";

/** Facts for one turn: it waits for a look-up, its own or another turn's, no longer than for an answer of Azure. */
export const timedFacts = (
  facts: Facts,
  { deps, startedMs }: { readonly deps: Pick<Deps, "clock">; readonly startedMs: number },
): Facts => {
  const endMs = startedMs + limits.azureStartMs + limits.azureRequestMs;
  return { get: (query, arm) => facts.get(query, arm, Math.max(0, endMs - deps.clock.monotonicMs())) };
};
