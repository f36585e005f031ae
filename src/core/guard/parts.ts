import { guard } from "../guard.ts";
import type { Desired, PlannedRequest } from "../types.ts";
import type { CountedWrite, Track } from "./countedWrite.ts";
import type { Attempt } from "./earned.ts";
import { isTagsRequest } from "./heldWrite.ts";
import { partHashOf } from "./planHash.ts";

/** The requests of a write that are counted together, and what the loop guard says of them. */
export interface Part {
  readonly track: Track;
  readonly requests: readonly PlannedRequest[];
  readonly attempt: Attempt;
  /** Somebody asked for it. */
  readonly earned: boolean;
  /** When it may go, in table-service ms; 0: now. */
  readonly untilMs: number;
  /** Writes of the fight so far, when it is not earned. */
  readonly count: number;
}

/** Tags and all else, each counted and held back for itself. */
export const partsOf = (
  requests: readonly PlannedRequest[],
  writes: readonly CountedWrite[],
  whole: Attempt,
  desired: Desired,
): readonly Part[] =>
  (["body", "tags"] as const).flatMap((track) => {
    const own = requests.filter((request) => isTagsRequest(request) === (track === "tags"));
    if (own.length === 0) return [];
    const attempt: Attempt = { ...whole, part: partHashOf(desired, track), size: own.length };
    return [{ track, requests: own, attempt, ...guard(writes, track, attempt) }];
  });
