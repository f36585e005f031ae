import type { Change, ManagedFields } from "../types.ts";
import { type CountedWrite, ofTrack, planOf, type Track, withinHour } from "./countedWrite.ts";
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
  const [theirs, ours] = [new Set(others), pathsOf(managed, now)];
  const common = ours.filter((path) => theirs.has(path));
  return common.length > 0 ? common : deepestCommon(others, ours);
};

/** `spec.additionalTags.team`, `spec.additionalTags`; not the spec itself, in which all fields lie. */
const withAbove = (path: string): readonly string[] => {
  const above = path.replace(/(\.[^.[\]]+|\[[^\]]*\])$/, "");
  return above === path || path === "spec" ? [] : [path, ...withAbove(above)];
};

/** Where each sets a name of its own and takes the other's away, the map that they set. */
const deepestCommon = (others: readonly string[], ours: readonly string[]): readonly string[] => {
  const theirs = new Set(others.flatMap(withAbove));
  const common = ours.flatMap(withAbove).filter((path) => theirs.has(path));
  return common.toSorted((one, other) => other.length - one.length).slice(0, 1);
};

/** Since the last write the spec has changed, and with it what is wanted: nobody has undone anything. */
const isAskedAnew = (last: CountedWrite | undefined, attempt: Attempt): boolean =>
  last?.generation !== undefined && last.generation !== attempt.generation && planOf(last) !== planOf(attempt);

/** Those for whom the writes of the last hour were made, latest first. */
const askers = (writes: readonly CountedWrite[], { writers: [now] }: Attempt): readonly string[] => {
  const names = [now?.name, ...writes.map(({ writer }) => writer).toReversed()];
  return [...new Set(names.filter((name) => name !== undefined))];
};

/**
 * What kind of fight it is: over the spec, when two field managers change the same fields of it in turn; none at all, when
 * the spec just changes very often; over tags, when nothing else differs; else over a field in Azure.
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
  if (isAskedAnew(own.at(-1), attempt))
    return { reason: "ChangedOften", others: askers(withinHour(own, attempt.nowMs), attempt), specPaths: [] };
  return { reason: areTags(changes) ? "TagContested" : "ReconcileLoop", others: [], specPaths: [] };
};
