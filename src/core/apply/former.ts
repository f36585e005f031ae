import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { AppliedLeaf, Json, JsonObject } from "../types.ts";
import { otherAlternatives } from "./alternatives.ts";
import { valueAt, withValue } from "./body.ts";
import { same } from "./compare.ts";
import { type Inputs, isYielded } from "./decide.ts";
import type { Edit } from "./edit.ts";
import { isWithin, itemsAround, keysAbove, type Located, wayTo } from "./located.ts";
import { type Frame, isFixed, ruleAt } from "./place.ts";

type Former = AppliedLeaf & Located;

const isEmpty = (value: Json): boolean =>
  isJsonList(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;

/** Leaves that were asked for and are no longer wanted in any form: themselves, above (a list as a whole) or below. */
export const formerlyAsked = ({ frame, leaves, applied }: Inputs): readonly Former[] => {
  const withAbove = new Set(leaves.flatMap(keysAbove));
  const whole = new Set(leaves.filter(({ value }) => !isEmpty(value)).map(({ key }) => key));
  return [...applied.values()].filter(
    (former) =>
      former.mark === "asked" &&
      !withAbove.has(former.key) &&
      !keysAbove(former).some((key) => whole.has(key)) &&
      !isYielded(frame, former) &&
      !isFixed(frame, former.place),
  );
};

/** The outermost item around a former leaf of which nothing is wanted any more. */
const unwantedItem = (wanted: ReadonlySet<string>, former: Former): Located | undefined =>
  itemsAround(former).find(({ key }) => !wanted.has(key));

/** How far the body empties: the outermost object around a leaf that holds nothing else once all that goes is gone. */
const emptied = (frame: Frame, after: JsonObject, former: Former): Located =>
  wayTo(former).find((place) => valueAt(frame, after, place) === undefined) ?? former;

/** An object around a former leaf that shall stay although it holds nothing any more. */
const wantedEmpty = ({ leaves }: Inputs, former: Former, gone: Located): Located | undefined =>
  leaves.find((leaf) => isEmpty(leaf.value) && isWithin(former, leaf) && isWithin(leaf, gone));

const clearedTo = ({ frame, leaves, observed }: Inputs, places: readonly Located[]): Edit | undefined => {
  const at = places
    .filter((place) => !leaves.some((leaf) => isWithin(leaf, place)))
    .find(({ place }) => ruleAt(frame.rules.clear, place) !== undefined);
  return at && { at, from: valueAt(frame, observed, at), to: ruleAt(frame.rules.clear, at.place) };
};

const clearLeaf = (inputs: Inputs, after: JsonObject, former: Former): Edit | undefined => {
  const { frame, observed } = inputs;
  const from = valueAt(frame, observed, former);
  // Something empty was asked for: what others have put into it since is theirs.
  if (from === undefined || (isEmpty(former.value) && !isEmpty(from))) return undefined;
  const gone = emptied(frame, after, former);
  const kept = wantedEmpty(inputs, former, gone);
  if (kept !== undefined) return { at: kept, from: valueAt(frame, observed, kept), to: {} };
  const cleared = clearedTo(inputs, [former, gone]);
  // Exactly: `{}` stands for something else than whatever it could be laid over.
  if (cleared !== undefined) return JSON.stringify(cleared.to) === JSON.stringify(cleared.from) ? undefined : cleared;
  const absent = ruleAt(frame.rules.absentMeans, former.place);
  if (absent !== undefined && same(frame, former.place, absent, from)) return undefined;
  return { at: former, from, to: undefined };
};

const distinct = (edits: readonly Edit[]): readonly Edit[] => [
  ...new Map(edits.map((edit) => [edit.at.key, edit])).values(),
];

/** What goes because it was asked for once and no longer is: leaves, and items of lists as a whole. */
export const clearFormer = (inputs: Inputs): readonly Edit[] => {
  const { frame, observed } = inputs;
  const wanted = new Set(inputs.leaves.flatMap(keysAbove));
  const formers = formerlyAsked(inputs).map((former) => ({ former, item: unwantedItem(wanted, former) }));
  const items = formers.flatMap(({ item }) => item ?? []);
  const leaves = formers.flatMap(({ former, item }) => (item === undefined ? [former] : []));
  const after = leaves.reduce((body, former) => withValue(frame, body, former, undefined), observed);
  return distinct([
    ...items.flatMap((at): readonly Edit[] => {
      const from = valueAt(frame, observed, at);
      return from === undefined ? [] : [{ at, from, to: undefined }];
    }),
    ...leaves.flatMap((former) => clearLeaf(inputs, after, former) ?? []),
  ]);
};

/** The alternatives that go because another one is set. An overlay does without them anyway. */
export const dropAlternatives = (inputs: Inputs, edits: readonly Edit[]): readonly Edit[] => {
  const { frame, shown } = inputs;
  if (frame.rules.writes === "overlay") return [];
  const others = edits.filter(({ to }) => to !== undefined).flatMap(({ at }) => otherAlternatives(frame, at));
  return distinct(
    others.flatMap((at): readonly Edit[] => {
      const from = valueAt(frame, shown, at);
      return from === undefined || isEmpty(from) || from === ""
        ? []
        : [{ at, from, to: ruleAt(frame.rules.clear, at.place) }];
    }),
  );
};
