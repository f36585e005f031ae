import { isTagsRequest } from "../apply/tagsAtScope.ts";
import type { DecisionInput } from "../decide.ts";
import { guard } from "../guard.ts";
import type { Desired, Observed, PlannedRequest } from "../types.ts";
import type { CountedWrite, Track } from "./countedWrite.ts";
import type { Attempt } from "./earned.ts";
import { partHashOf, planHashOf } from "./planHash.ts";

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

const partOf = (desired: Desired, track: Track, { kind }: Observed): string =>
  kind === "absent" ? planHashOf(desired) : partHashOf(desired, track);

/** Tags and all else, each counted and held back for itself; a creation is of the whole plan. */
export const partsOf = (
  requests: readonly PlannedRequest[],
  writes: readonly CountedWrite[],
  whole: Attempt,
  { desired, observed }: Pick<DecisionInput, "desired" | "observed">,
): readonly Part[] =>
  (["body", "tags"] as const).flatMap((track) => {
    const own = requests.filter((request) => isTagsRequest(request) === (track === "tags"));
    if (own.length === 0) return [];
    const attempt: Attempt = { ...whole, part: partOf(desired, track, observed), size: own.length };
    return [{ track, requests: own, attempt, ...guard(writes, track, attempt) }];
  });
