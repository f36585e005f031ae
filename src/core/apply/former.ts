import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { AppliedLeaf, Json, JsonObject } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { same } from "./compare.ts";
import { type Inputs, isYielded } from "./decide.ts";
import type { Edit } from "./edit.ts";
import { itemsAround, keysAbove, type Located, locate } from "./located.ts";
import { coveredBy, type Frame, ruleAt } from "./place.ts";

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
      !coveredBy(frame.rules.immutable, former.place),
  );
};

/** The outermost item around a former leaf of which nothing is wanted any more. */
const unwantedItem = (frame: Frame, wanted: ReadonlySet<string>, former: Former): Located | undefined =>
  itemsAround(frame, former).find(({ key }) => !wanted.has(key));

/** How far the body empties when a leaf goes: the outermost object that would hold nothing else. */
const emptied = (frame: Frame, observed: JsonObject, former: Former): Located => {
  const after = withValue(frame, observed, former, undefined);
  const gone = former.path
    .map((_, index) => locate(frame, former.path.slice(0, index + 1)))
    .find((place) => valueAt(frame, after, place) === undefined);
  return gone ?? former;
};

const clearLeaf = ({ frame, observed }: Inputs, former: Former): Edit | undefined => {
  const from = valueAt(frame, observed, former);
  // Something empty was asked for: what others have put into it since is theirs.
  if (from === undefined || (isEmpty(former.value) && !isEmpty(from))) return undefined;
  const place = [former, emptied(frame, observed, former)].find(
    (at) => ruleAt(frame.rules.clear, at.place) !== undefined,
  );
  const absent = ruleAt(frame.rules.absentMeans, former.place);
  if (place === undefined)
    return absent !== undefined && same(frame, former.place, absent, from)
      ? undefined
      : { at: former, from, to: undefined };
  const to = ruleAt(frame.rules.clear, place.place);
  const now = valueAt(frame, observed, place);
  // Exactly: `{}` stands for something else than whatever it could be laid over.
  return to === undefined || JSON.stringify(to) === JSON.stringify(now) ? undefined : { at: place, from: now, to };
};

const distinct = (edits: readonly Edit[]): readonly Edit[] => [
  ...new Map(edits.map((edit) => [edit.at.key, edit])).values(),
];

/** What goes because it was asked for once and no longer is: leaves, and items of lists as a whole. */
export const clearFormer = (inputs: Inputs): readonly Edit[] => {
  const { frame, observed } = inputs;
  const wanted = new Set(inputs.leaves.flatMap(keysAbove));
  return distinct(
    formerlyAsked(inputs).flatMap((former): readonly Edit[] => {
      const item = unwantedItem(frame, wanted, former);
      if (item === undefined) return [clearLeaf(inputs, former) ?? []].flat();
      const from = valueAt(frame, observed, item);
      return from === undefined ? [] : [{ at: item, from, to: undefined }];
    }),
  );
};
