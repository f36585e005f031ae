import type { Pattern, Rules } from "../rules.ts";

type KeyRules = Pick<Rules, "keys">;

const plain = (pattern: Pattern): string => pattern.toLowerCase().replace(/\[\]$/, "");

/** What is declared for a pattern, in any case; a list and its items count as one. */
export const declaredFor = <T>(declared: Readonly<Record<Pattern, T>> | undefined, pattern: Pattern): T | undefined =>
  Object.entries(declared ?? {}).find(([other]) => plain(other) === plain(pattern))?.[1];

/** Property by which the items of the list at this pattern are told apart, when the rules declare one. */
export const declaredKey = (rules: KeyRules, pattern: Pattern): string | undefined => declaredFor(rules.keys, pattern);

const keyable = (value: unknown): value is string | number =>
  (typeof value === "string" && value !== "") || typeof value === "number";

/** As key of a list in `Rules.keys`: its items are scalars and are their own keys. */
export const itself = "$value";

/**
 * Every key under which an item of the list at this pattern may be known, the preferred one first: its declared key
 * property, else its `name` and its `id`. None: the list can only be taken whole.
 */
export const keysOfItem = (rules: KeyRules, pattern: Pattern, item: unknown): readonly string[] => {
  if (keyable(item)) return declaredKey(rules, pattern) === itself ? [String(item)] : [];
  if (typeof item !== "object" || item === null || Array.isArray(item)) return [];
  const declared = declaredKey(rules, pattern);
  const properties: Readonly<Record<string, unknown>> = { ...item };
  const names = declared === undefined ? ["name", "id"] : [declared];
  return names
    .map((name) => properties[name])
    .filter(keyable)
    .map(String);
};

/** The keys of all items of a list, or undefined when the list can only be taken whole. */
export const keysOfList = (
  rules: KeyRules,
  pattern: Pattern,
  items: readonly unknown[],
): readonly string[] | undefined => {
  const keys = items.flatMap((item) => keysOfItem(rules, pattern, item).slice(0, 1));
  const distinct = new Set(keys.map((key) => key.toLowerCase()));
  return distinct.size === items.length ? keys : undefined;
};
