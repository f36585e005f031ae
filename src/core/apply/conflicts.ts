import { isJsonList } from "../../wire/json.ts";
import type { AppliedLeaf, Json, JsonObject, Refusal } from "../types.ts";
import { valueAt } from "./body.ts";
import { excludes, same } from "./compare.ts";
import type { Decision, Inputs } from "./decide.ts";
import { type Edit, pathText } from "./edit.ts";
import { declaredKey, keysOfItem } from "./itemKeys.ts";
import { shown } from "./leaves.ts";
import { isWithin, itemsAround, type Located, stepTo } from "./located.ts";
import { type Frame, type Place, propertyPlace, ruleAt } from "./place.ts";

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

const conflictOf = (frame: Frame, mine: Item, foreign: Item, fields: readonly string[]): Refusal => ({
  reason: "ForeignConflict",
  path: pathText(mine.at),
  observed: shown(frame, foreign.at.place, foreign.value),
  desired: shown(frame, mine.at.place, mine.value),
  message: `${pathText(mine.at)} is impossible next to ${pathText(foreign.at)}, which is not ours: both have the same ${fields.join(" and ")}`,
});

const withoutItem = ({ applied }: Inputs, item: Located, decision: Decision): Decision => {
  if (!isWithin(decision.leaf, item)) return decision;
  const before = applied.get(decision.leaf.key);
  return {
    leaf: decision.leaf,
    ...(before && { record: { path: before.path, value: before.value, mark: before.mark } }),
  };
};

/**
 * Takes back what is decided for items of ours that a foreign item makes impossible. `target` is the body as it would
 * be sent: what goes in the same write makes no conflict.
 */
export const refuseConflicts = (
  inputs: Inputs,
  decisions: readonly Decision[],
  target: JsonObject,
): { readonly decisions: readonly Decision[]; readonly refusals: readonly Refusal[] } => {
  const { frame, leaves } = inputs;
  const edited = decisions.flatMap(({ edit }) => edit?.at ?? []);
  const found = exclusiveLists(frame, edited).flatMap((list) => {
    const fields = exclusiveFields(frame, list) ?? [];
    const items = itemsIn(frame, target, list);
    const foreign = items.filter(({ at }) => !leaves.some((leaf) => isWithin(leaf, at)));
    return items
      .filter(({ at }) => edited.some((place) => isWithin(place, at)))
      .flatMap((mine) => {
        const other = foreign.find(({ at }) => clashes(frame, target, mine.at, at, fields));
        return other === undefined ? [] : [{ item: mine.at, refusal: conflictOf(frame, mine, other, fields) }];
      });
  });
  return {
    decisions: found.reduce((kept, { item }) => kept.map((decision) => withoutItem(inputs, item, decision)), decisions),
    refusals: found.map(({ refusal }) => refusal),
  };
};
