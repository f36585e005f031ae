import { isJsonList } from "../../wire/json.ts";
import type { AppliedLeaf, Json, JsonObject, Refusal } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { excludes, same } from "./compare.ts";
import type { Decision, Inputs } from "./decide.ts";
import { type Edit, pathText } from "./edit.ts";
import { declaredKey, keysOfItem } from "./itemKeys.ts";
import { type Leaf, recorded, shown } from "./leaves.ts";
import { isWithin, itemsAround, type Located, stepTo } from "./located.ts";
import { type Frame, type Place, propertyPlace, ruleAt } from "./place.ts";
import { edited } from "./target.ts";

interface Item {
  readonly at: Located;
  readonly value: Json;
}

const exclusiveFields = ({ rules }: Frame, list: Located): readonly string[] | undefined =>
  ruleAt(rules.exclusive, list.place);

/** The lists with exclusive fields that hold any of these places. */
const exclusiveLists = (frame: Frame, places: readonly Located[]): readonly Located[] => {
  const lists = places.flatMap(itemsAround).flatMap(({ parent }) => parent ?? []);
  return [...new Map(lists.map((list) => [list.key, list])).values()].filter(
    (list) => exclusiveFields(frame, list) !== undefined,
  );
};

const itemsIn = (frame: Frame, body: JsonObject, list: Located): readonly Item[] => {
  const values = valueAt(frame, body, list);
  if (!isJsonList(values)) return [];
  return values.flatMap((value) => {
    const [key] = keysOfItem(frame.rules, list.place.pattern, value);
    return key === undefined ? [] : [{ at: stepTo(frame, list, key), value }];
  });
};

const itemOfList = (list: Located, place: Located): Located | undefined =>
  itemsAround(place).find((item) => item.path.length === list.path.length + 1 && isWithin(item, list));

const placeOf = (frame: Frame, item: Located, field: string): Place =>
  field.split(".").reduce((place, name) => propertyPlace(frame, place, name), item.place);

const fieldOf = (frame: Frame, body: JsonObject, item: Located, field: string): Json | undefined =>
  valueAt(frame, body, { path: [...item.path, ...field.split(".")] });

const clashes = (frame: Frame, body: JsonObject, one: Located, other: Located, fields: readonly string[]): boolean =>
  fields.every((field) =>
    excludes(frame, placeOf(frame, one, field), fieldOf(frame, body, one, field), fieldOf(frame, body, other, field)),
  );

/** Whether all that we applied to a former item, but for what it is called, stands in this one. */
const equalsFormer = (
  { frame, observed }: Inputs,
  list: Located,
  former: readonly (AppliedLeaf & Located)[],
  item: Item,
): boolean => {
  const depth = list.path.length + 1;
  const names = [declaredKey(frame.rules, list.place.pattern) ?? "name", "id"];
  const fields = former.filter(({ path }) => path.length > depth + 1 || !names.includes(path[depth] ?? ""));
  return (
    fields.length > 0 &&
    former.some(({ mark }) => mark === "asked") &&
    fields.every((leaf) =>
      same(
        frame,
        leaf.place,
        leaf.value,
        valueAt(frame, observed, { path: [...item.at.path, ...leaf.path.slice(depth)] }),
      ),
    )
  );
};

const renamedIn = (inputs: Inputs, list: Located): readonly Edit[] => {
  const { frame, observed, leaves } = inputs;
  const applied = [...inputs.applied.values()].filter((leaf) => isWithin(leaf, list));
  const known = [...leaves, ...applied].flatMap((place) => itemOfList(list, place)?.key ?? []);
  const formers = Map.groupBy(applied, (leaf) => itemOfList(list, leaf)?.key ?? "");
  const gone = [...formers.values()].filter(([leaf]) => {
    const item = leaf === undefined ? undefined : itemOfList(list, leaf);
    return item !== undefined && valueAt(frame, observed, item) === undefined;
  });
  return itemsIn(frame, observed, list)
    .filter(({ at }) => !known.includes(at.key))
    .filter((item) => gone.some((former) => equalsFormer(inputs, list, former, item)))
    .map(({ at, value }) => ({ at, from: value, to: undefined }));
};

/**
 * Items that nobody wants and that equal a vanished one of ours but for the name: it was renamed, so they are ours and
 * go. Looked for only where two such items could not stand side by side.
 */
export const removeRenamed = (inputs: Inputs): readonly Edit[] =>
  exclusiveLists(inputs.frame, [...inputs.applied.values()]).flatMap((list) => renamedIn(inputs, list));

const conflictOf = (frame: Frame, mine: Item, other: Item, foreign: boolean, fields: readonly string[]): Refusal => {
  const whose = foreign ? ", which is not ours" : "";
  return {
    reason: foreign ? "ForeignConflict" : "Contradiction",
    path: pathText(mine.at),
    observed: shown(frame, other.at, other.value),
    desired: shown(frame, mine.at, mine.value),
    message: `${pathText(mine.at)} is impossible next to ${pathText(other.at)}${whose}: both have the same ${fields.join(" and ")}`,
  };
};

interface Found {
  readonly item: Located;
  readonly refusal: Refusal;
}

const isAround = (item: Located, places: readonly Located[]): boolean => places.some((place) => isWithin(place, item));

/** Items of ours among `moved` that cannot stand where they are to: an item that is not ours, that stays or that comes first is there. */
const clashesIn = (
  frame: Frame,
  leaves: readonly Leaf[],
  moved: readonly Located[],
  target: JsonObject,
): readonly Found[] =>
  exclusiveLists(frame, moved).flatMap((list) => {
    const fields = exclusiveFields(frame, list) ?? [];
    const items = itemsIn(frame, target, list);
    const rank = ({ at }: Item): number => leaves.findIndex((leaf) => isWithin(leaf, at));
    return items
      .filter(({ at }) => isAround(at, moved))
      .flatMap((mine) => {
        const before = (one: Item): boolean => rank(one) < rank(mine) || !isAround(one.at, moved);
        const other = items.find(
          (one) => one !== mine && before(one) && clashes(frame, target, mine.at, one.at, fields),
        );
        return other === undefined
          ? []
          : [{ item: mine.at, refusal: conflictOf(frame, mine, other, rank(other) < 0, fields) }];
      });
  });

const withoutItem = ({ applied }: Inputs, item: Located, decision: Decision): Decision => {
  if (!isWithin(decision.leaf, item)) return decision;
  const before = applied.get(decision.leaf.key);
  return { leaf: decision.leaf, ...(before && { record: recorded(before) }) };
};

/**
 * Takes back what is decided for items of ours that another item makes impossible. What goes in the same write makes no
 * conflict; what is taken back stays where it is and may be in the way of others in turn.
 */
export const refuseConflicts = (
  inputs: Inputs,
  decisions: readonly Decision[],
  removals: readonly Edit[],
): { readonly decisions: readonly Decision[]; readonly refusals: readonly Refusal[] } => {
  const { frame, leaves, observed } = inputs;
  const edits = decisions.flatMap(({ edit }) => edit ?? []);
  const target = edited(frame, observed, [...edits, ...removals]);
  const found = clashesIn(
    frame,
    leaves,
    edits.map(({ at }) => at),
    target,
  );
  if (found.length === 0) return { decisions, refusals: [] };
  const rest = found.reduce((kept, { item }) => kept.map((one) => withoutItem(inputs, item, one)), decisions);
  const further = refuseConflicts(inputs, rest, removals);
  return { decisions: further.decisions, refusals: [...found.map(({ refusal }) => refusal), ...further.refusals] };
};

/** A body to be created without the items that another one makes impossible. */
export const withoutClashes = (
  frame: Frame,
  leaves: readonly Leaf[],
  body: JsonObject,
): { readonly body: JsonObject; readonly refusals: readonly Refusal[] } => {
  const found = clashesIn(frame, leaves, leaves, body);
  return {
    body: found.reduce((whole, { item }) => withValue(frame, whole, item, undefined), body),
    refusals: found.map(({ refusal }) => refusal),
  };
};
