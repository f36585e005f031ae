import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { Json, JsonObject } from "../types.ts";
import { isYielded } from "./decide.ts";
import { keysOfItem } from "./itemKeys.ts";
import type { AppliedByKey, Leaf } from "./leaves.ts";
import { itemsAround, keysAbove, type Located, root, stepTo, wayTo } from "./located.ts";
import { type Frame, isFixed, isListPlace } from "./place.ts";

/** Which places are wanted for certain, and which are known at all. */
interface Claims {
  readonly binding: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
}

const claimsOf = (frame: Frame, leaves: readonly Leaf[], applied: AppliedByKey): Claims => {
  const fixed = (leaf: Leaf): boolean => isFixed(frame, leaf.place) || isYielded(frame, leaf);
  const binding = leaves.filter((leaf) => !fixed(leaf) && (leaf.mark === "asked" || applied.has(leaf.key)));
  return {
    binding: new Set(binding.flatMap(keysAbove)),
    known: new Set([...leaves, ...applied.values()].flatMap(keysAbove)),
  };
};

const parentOf = (pattern: string): string => pattern.slice(0, Math.max(0, pattern.lastIndexOf(".")));
const lastOf = (pattern: string): string => pattern.slice(pattern.lastIndexOf(".") + 1);

const groupsAt = ({ rules }: Frame, at: Located): readonly (readonly string[])[] =>
  (rules.oneOf ?? [])
    .filter(([first]) => first !== undefined && parentOf(first).toLowerCase() === at.place.pattern.toLowerCase())
    .map((patterns) => patterns.map(lastOf));

const holdsSomething = (value: Json | undefined): value is Json => {
  if (value === undefined || value === null || value === "") return false;
  if (isJsonList(value)) return value.length > 0;
  return !isJsonObject(value) || Object.keys(value).length > 0;
};

/** Azure shows one value as a list of one, or a list of one as a value. */
const converted = (frame: Frame, to: Located, value: Json | undefined): Json | undefined => {
  if (!holdsSomething(value)) return undefined;
  if (isListPlace(frame, to.place)) return isJsonList(value) ? undefined : [value];
  return isJsonList(value) && value.length === 1 ? value[0] : undefined;
};

const settleGroup = (
  frame: Frame,
  claims: Claims,
  at: Located,
  names: readonly string[],
  object: JsonObject,
): JsonObject => {
  const valueFor = (name: string): Json | undefined => {
    if (holdsSomething(object[name])) return object[name];
    const place = stepTo(frame, at, name);
    const others = names.filter((other) => other !== name);
    return others.map((other) => converted(frame, place, object[other])).find((value) => value !== undefined);
  };
  const claimed = (keys: ReadonlySet<string>) => (name: string) => keys.has(stepTo(frame, at, name).key);
  const chosen =
    names.find(claimed(claims.binding)) ??
    names.find((name) => claimed(claims.known)(name) && valueFor(name) !== undefined) ??
    names.find((name) => holdsSomething(object[name])) ??
    names.find((name) => object[name] !== undefined);
  const rest = Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
  if (chosen === undefined) return rest;
  const value = valueFor(chosen) ?? object[chosen];
  return value === undefined ? rest : { ...rest, [chosen]: value };
};

/** The step to an item: the key under which it is wanted or was applied, else its first one. */
const stepToItem = (frame: Frame, claims: Claims, at: Located, item: Json): Located => {
  const steps = keysOfItem(frame.rules, at.place.pattern, item).map((key) => stepTo(frame, at, key));
  return steps.find(({ key }) => claims.known.has(key)) ?? steps[0] ?? stepTo(frame, at, "");
};

const settle = (frame: Frame, claims: Claims, at: Located, value: Json): Json => {
  if (isJsonList(value))
    return isListPlace(frame, at.place)
      ? value.map((item) => settle(frame, claims, stepToItem(frame, claims, at, item), item))
      : value;
  if (!isJsonObject(value)) return value;
  const one = groupsAt(frame, at).reduce((object, names) => settleGroup(frame, claims, at, names, object), value);
  return Object.fromEntries(
    Object.entries(one).map(([name, child]) => [name, settle(frame, claims, stepTo(frame, at, name), child)]),
  );
};

/**
 * The observed body with one alternative of each `oneOf` group, where Azure fills in several: the wanted one, when it is
 * shown or another one says the same (a list of one for a single value); else the first declared that holds something.
 */
export const settleAlternatives = (
  frame: Frame,
  observed: JsonObject,
  leaves: readonly Leaf[],
  applied: AppliedByKey,
): JsonObject => {
  if (frame.rules.oneOf === undefined) return observed;
  const settled = settle(frame, claimsOf(frame, leaves, applied), root(frame), observed);
  return isJsonObject(settled) ? settled : observed;
};

/**
 * The other alternatives of a place that is set, where Azure would keep them although they are left out. Inside a list
 * nothing is kept: it goes whole.
 */
export const otherAlternatives = (frame: Frame, set: Located): readonly Located[] =>
  itemsAround(set).length > 0
    ? []
    : wayTo(set).flatMap(({ parent, path }) => {
        const name = path.at(-1);
        if (parent === undefined || name === undefined) return [];
        return groupsAt(frame, parent)
          .filter((names) => names.includes(name))
          .flatMap((names) => names.filter((other) => other !== name).map((other) => stepTo(frame, parent, other)));
      });
