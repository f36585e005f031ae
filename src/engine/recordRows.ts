import type { TableAction } from "../ports.ts";
import { type Held, saveRows } from "./fence.ts";
import type { Ending, Turning } from "./turning.ts";

/** Rows are on record, or there is no object row that they could stand beside. */
export interface Recorded {
  readonly kind: "recorded";
  readonly held: Held;
}

/** Puts rows on record before what they tell of becomes true, whether or not the turn is to stop. */
export const recordRows = async (
  { held, deps }: Pick<Turning, "held" | "deps">,
  rows: readonly TableAction[],
): Promise<Recorded | Ending> => {
  const saved = await saveRows(held, rows, deps, "toTheEnd");
  switch (saved.kind) {
    case "saved":
    case "finish":
      return { kind: "recorded", held: saved.held };
    case "missing":
      return { kind: "recorded", held };
    case "lost":
      return { kind: "lost" };
    case "failed":
      return { kind: "tables", failure: saved.failure };
  }
};
