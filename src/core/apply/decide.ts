import type { AppliedLeaf, Desired, Json, JsonObject, Refusal } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { same } from "./compare.ts";
import { type Edit, pathText } from "./edit.ts";
import { type AppliedByKey, hidesSecret, type Leaf, recorded, shown } from "./leaves.ts";
import { itemsAround, keysAbove, type Located } from "./located.ts";
import { coveredBy, type Frame, isFixed } from "./place.ts";

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

/** What the ledger holds of a leaf with this value. */
export const recordOf = (frame: Frame, leaf: Leaf, value: Json): AppliedLeaf =>
  recorded({ ...leaf, value: shown(frame, leaf, value) });

/** Sent with a creation, never afterwards: another owner's field, or one that the schema calls read-only. */
export const isYielded = ({ rules, yielded }: Frame, at: Located): boolean =>
  !at.place.writable ||
  coveredBy(rules.yields, at.place) ||
  (yielded.size > 0 && keysAbove(at).some((key) => yielded.has(key)));

/** A default keeps the value that was applied; a newer one of ours is not written. */
const targetOf = ({ frame, applied }: Inputs, leaf: Leaf): Json | undefined => {
  const before = applied.get(leaf.key);
  if (leaf.mark === "asked" || before?.mark === "asked") return leaf.value;
  if (before === undefined) return undefined;
  return hidesSecret(frame, leaf, leaf.value) ? leaf.value : before.value;
};

const isNeverShown = ({ place }: Located): boolean => place.secret || place.writeOnly;

/** What Azure does not show agrees with what was applied: by the version of its Secret where that is known. */
const agreesUnseen = ({ frame, applied, takeover }: Inputs, leaf: Leaf, value: Json): boolean => {
  const before = applied.get(leaf.key);
  if (before === undefined) return takeover || isFixed(frame, leaf.place);
  if (leaf.version !== undefined) return before.version === undefined || before.version === leaf.version;
  return JSON.stringify(before.value) === JSON.stringify(shown(frame, leaf, value));
};

const agrees = (inputs: Inputs, leaf: Leaf, value: Json, observed: Json | undefined): boolean =>
  observed === undefined && isNeverShown(leaf)
    ? agreesUnseen(inputs, leaf, value)
    : same(inputs.frame, leaf.place, value, observed);

const whyFixed = ({ rules }: Frame, { place }: Located): string =>
  coveredBy(rules.immutable, place)
    ? "cannot change in Azure"
    : "changes only with a new resource, which is never made in place of the old one";

const immutableDrift = (frame: Frame, at: Located, observed: Json | undefined, wanted: Json): Refusal => {
  const from = shown(frame, at, observed ?? null);
  const to = shown(frame, at, wanted);
  return {
    reason: "ImmutableDrift",
    path: pathText(at),
    observed: from,
    desired: to,
    message: `${pathText(at)} ${whyFixed(frame, at)}: it is ${JSON.stringify(from)}, wanted is ${JSON.stringify(to)}`,
  };
};

const refuse = ({ frame, applied }: Inputs, leaf: Leaf, observed: Json | undefined): Decision => {
  const before = applied.get(leaf.key);
  if (leaf.mark === "default")
    return {
      leaf,
      ...(before?.mark === "default" && { record: recorded(before) }),
    };
  return {
    leaf,
    refusal: immutableDrift(frame, leaf, observed, leaf.value),
    ...(before && { record: recorded(before) }),
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
  if (isFixed(frame, leaf.place)) return refuse(inputs, leaf, observed);
  // What Azure does not show is explained by what was applied.
  const from = observed ?? (isNeverShown(leaf) ? inputs.applied.get(leaf.key)?.value : undefined);
  return { leaf, record: recordOf(frame, leaf, target), edit: { at: leaf, from, to: target } };
};

/** Decides on an item that is not there: with all its leaves when any of them is wanted, as in a creation. */
const decideItem = (inputs: Inputs, item: Located, leaves: readonly Leaf[]): readonly Decision[] => {
  const { frame, desired } = inputs;
  const wanted = leaves.filter((leaf) => leaf.mark === "asked" || inputs.applied.has(leaf.key));
  if (wanted.length === 0 || isYielded(frame, item)) return leaves.map((leaf) => ({ leaf }));
  const values = leaves.map((leaf) => ({ leaf, value: targetOf(inputs, leaf) ?? leaf.value }));
  const body = values.reduce((whole, { leaf, value }) => withValue(frame, whole, leaf, value), desired.body);
  const to = valueAt(frame, body, item) ?? null;
  if (isFixed(frame, item.place))
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
