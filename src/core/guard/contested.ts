import type { Change, ManagedFields } from "../types.ts";
import { type CountedWrite, ofTrack, type Track } from "./countedWrite.ts";
import { type Attempt, takingTurns } from "./earned.ts";
import { areTags, type HeldWrite } from "./heldWrite.ts";
import { pathsOf } from "./specWriters.ts";

/** Where the paths of the other are not known, all that can be said. */
const someOfSpec = ["spec"];

const specPaths = (
  managed: readonly ManagedFields[],
  now: string,
  others: readonly string[] | undefined,
): readonly string[] => {
  if (others === undefined) return someOfSpec;
  const theirs = new Set(others);
  return pathsOf(managed, now).filter((path) => theirs.has(path));
};

/**
 * What kind of fight it is: over the spec, when two field managers change the same fields of it in turn; over tags, when
 * nothing else differs; else over a field in Azure.
 */
export const contested = (
  writes: readonly CountedWrite[],
  track: Track,
  attempt: Attempt,
  managed: readonly ManagedFields[],
  changes: readonly Change[],
): Pick<HeldWrite, "reason" | "others" | "specPaths"> => {
  const own = ofTrack(writes, track);
  const turns = takingTurns(own, attempt);
  const paths = turns === undefined ? [] : specPaths(managed, turns.now, own.at(-1)?.paths);
  if (turns !== undefined && paths.length > 0)
    return { reason: "SpecContested", others: [turns.now, turns.other], specPaths: paths };
  return { reason: areTags(changes) ? "TagContested" : "ReconcileLoop", others: [], specPaths: [] };
};
