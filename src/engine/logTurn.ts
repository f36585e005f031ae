import type { WorkItem } from "../core/workItem.ts";
import type { Turning } from "./turning.ts";

/** How log lines name the object of a message. */
export const nameOf = (item: WorkItem): { readonly object: string; readonly kind: string } => ({
  object: `${item.namespace}/${item.name}`,
  kind: item.kind,
});

/** The one line of a turn. */
export const logTurn = (
  { deps, item, startedMs }: Turning,
  result: string,
  more: Readonly<Record<string, string | number | undefined>>,
): void =>
  deps.log("info", "turn finished", {
    ...nameOf(item),
    cause: item.cause,
    generation: item.generation,
    result,
    durationMs: Math.round(deps.clock.monotonicMs() - startedMs),
    ...more,
  });
