import { told } from "./explained.ts";
import type { Ending, Turning } from "./turning.ts";

/** Later turns sort first. */
const reversed = (turn: number): string => String(1e12 - turn).padStart(13, "0");

/** One row a turn that wrote or failed, with every write explained; best effort, after the commit. */
export const remember = async ({ deps, item }: Turning, ending: Extract<Ending, { kind: "commit" }>): Promise<void> => {
  if (ending.wrote.length === 0 && ending.failure === undefined) return;
  const values = {
    atMs: deps.tables.nowMs() ?? 0,
    cause: item.cause,
    generation: item.generation,
    result: ending.result,
    wrote: ending.wrote.length,
    polled: ending.polled,
    code: ending.failure?.code ?? "",
    message: (ending.failure?.message ?? "").slice(0, 4_096),
  };
  const kept = await deps.tables.commit("history", ending.held.partition, [
    { kind: "upsert", row: reversed(ending.held.row.turn + 1), values, packed: { writes: told(ending.wrote) } },
  ]);
  if (!kept.ok) deps.log("debug", "history row not written", { code: kept.error.code });
};
