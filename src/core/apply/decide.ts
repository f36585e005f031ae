import type { AppliedLeaf, Desired, Json, JsonObject, Refusal } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { same } from "./compare.ts";
import { type Edit, pathText } from "./edit.ts";
import { type AppliedByKey, hidesSecret, type Leaf, shown } from "./leaves.ts";
import { itemsAround, type Located } from "./located.ts";
import { coveredBy, type Frame } from "./place.ts";

/** What is decided from: the wanted, the observed and the applied. */
export interface Inputs {
  readonly frame: Frame;
  readonly desired: Desired;
  readonly leaves: readonly Leaf[];
  /** The writable part of what Azure shows. */
  readonly shown: JsonObject;
  /** The same with one alternative of each group. */
  readonly observed: JsonObject;
  readonly applied: AppliedByKey;
  /** Nothing is known of earlier writes: what agrees is taken for ours. */
  readonly takeover: boolean;
}

/** What becomes of one leaf, or of all leaves of one item that is not there yet. */
export interface Decision {
  readonly leaf: Leaf;
  readonly edit?: Edit;
  readonly refusal?: Refusal;
  /** What the ledger shall hold. */
  readonly record?: AppliedLeaf;
}

const recordOf = (frame: Frame, leaf: Leaf, value: Json): AppliedLeaf => ({
  path: leaf.path,
  value: shown(frame, leaf.place, value),
  mark: leaf.mark,
});

/** Sent with a creation, never afterwards: another owner's field, or one that the schema calls read-only. */
export const isYielded = ({ rules }: Frame, { place }: Located): boolean =>
  !place.writable || coveredBy(rules.yields, place);

/** A default keeps the value that was applied; a newer one of ours is not written. */
const targetOf = ({ frame, applied }: Inputs, leaf: Leaf): Json | undefined => {
  const before = applied.get(leaf.key);
  if (leaf.mark === "asked" || before?.mark === "asked") return leaf.value;
  if (before === undefined) return undefined;
  return hidesSecret(frame, leaf.place, leaf.value) ? leaf.value : before.value;
};

const agrees = ({ frame, applied, takeover }: Inputs, leaf: Leaf, value: Json, observed: Json | undefined): boolean => {
  const neverShown = leaf.place.secret || leaf.place.writeOnly;
  if (observed !== undefined || !neverShown) return same(frame, leaf.place, value, observed);
  const before = applied.get(leaf.key);
  if (before === undefined) return takeover || coveredBy(frame.rules.immutable, leaf.place);
  return JSON.stringify(before.value) === JSON.stringify(shown(frame, leaf.place, value));
};

const immutableDrift = (frame: Frame, at: Located, observed: Json | undefined, wanted: Json): Refusal => {
  const from = shown(frame, at.place, observed ?? null);
  const to = shown(frame, at.place, wanted);
  return {
    reason: "ImmutableDrift",
    path: pathText(at),
    observed: from,
    desired: to,
    message: `${pathText(at)} cannot change in Azure: it is ${JSON.stringify(from)}, wanted is ${JSON.stringify(to)}`,
  };
};

const refuse = ({ frame, applied }: Inputs, leaf: Leaf, observed: Json | undefined): Decision => {
  const before = applied.get(leaf.key);
  if (leaf.mark === "default")
    return {
      leaf,
      ...(before?.mark === "default" && { record: { path: before.path, value: before.value, mark: "default" } }),
    };
  return {
    leaf,
    refusal: immutableDrift(frame, leaf, observed, leaf.value),
    ...(before && { record: { path: before.path, value: before.value, mark: before.mark } }),
  };
};

/** Decides on a leaf whose surroundings exist. */
const decideLeaf = (inputs: Inputs, leaf: Leaf): Decision => {
  const { frame } = inputs;
  if (isYielded(frame, leaf)) return { leaf };
  const observed = valueAt(frame, inputs.observed, leaf);
  const target = targetOf(inputs, leaf);
  if (target === undefined)
    return inputs.takeover && agrees(inputs, leaf, leaf.value, observed)
      ? { leaf, record: recordOf(frame, leaf, leaf.value) }
      : { leaf };
  if (agrees(inputs, leaf, target, observed)) return { leaf, record: recordOf(frame, leaf, target) };
  if (coveredBy(frame.rules.immutable, leaf.place)) return refuse(inputs, leaf, observed);
  return { leaf, record: recordOf(frame, leaf, target), edit: { at: leaf, from: observed, to: target } };
};

/** Decides on an item that is not there: with all its leaves when any of them is wanted, as in a creation. */
const decideItem = (inputs: Inputs, item: Located, leaves: readonly Leaf[]): readonly Decision[] => {
  const { frame, desired } = inputs;
  const wanted = leaves.filter((leaf) => leaf.mark === "asked" || inputs.applied.has(leaf.key));
  if (wanted.length === 0 || isYielded(frame, item)) return leaves.map((leaf) => ({ leaf }));
  const values = leaves.map((leaf) => ({ leaf, value: targetOf(inputs, leaf) ?? leaf.value }));
  const body = values.reduce((whole, { leaf, value }) => withValue(frame, whole, leaf, value), desired.body);
  const to = valueAt(frame, body, item) ?? null;
  if (coveredBy(frame.rules.immutable, item.place))
    return leaves.map((leaf, index) => ({
      leaf,
      ...(index === 0 && { refusal: immutableDrift(frame, item, undefined, to) }),
    }));
  const edit = { at: item, from: undefined, to };
  return values.map(({ leaf, value }, index) => ({
    leaf,
    ...(index === 0 && { edit }),
    ...(!isYielded(frame, leaf) && { record: recordOf(frame, leaf, value) }),
  }));
};

/** Decides on every wanted leaf of a resource that exists. */
export const decide = (inputs: Inputs): readonly Decision[] => {
  const { frame, leaves, observed } = inputs;
  const missing = (leaf: Leaf): Located | undefined =>
    itemsAround(leaf).find((item) => valueAt(frame, observed, item) === undefined);
  const placed = leaves.map((leaf) => ({ leaf, item: missing(leaf) }));
  const decisions = [...Map.groupBy(placed, ({ item }) => item?.key).values()].flatMap((group) => {
    const item = group[0]?.item;
    const members = group.map(({ leaf }) => leaf);
    return item === undefined ? members.map((leaf) => decideLeaf(inputs, leaf)) : decideItem(inputs, item, members);
  });
  const byKey = new Map(decisions.map((decision) => [decision.leaf.key, decision]));
  return leaves.flatMap(({ key }) => byKey.get(key) ?? []);
};
