import type { Json } from "../wire/json.ts";
import { keysOfList } from "./apply/itemKeys.ts";
import type { Rules } from "./rules.ts";

type KeyRules = Pick<Rules, "keys">;

const chosen = Symbol("byDefault");

/** A value or subtree that we chose ourselves because the spec does not say. */
export interface ByDefault<T> {
  readonly [chosen]: T;
}

type MayBeLeftOut<T, K extends keyof T> = object extends Pick<T, K> ? undefined : never;

type Bare<T> = T extends readonly (infer Item)[]
  ? readonly Marked<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Marked<T[K]> | MayBeLeftOut<T, K> }
    : T;

/** `T` in which any node may be wrapped by `byDefault`, and optional properties may be undefined. */
export type Marked<T> = Bare<T> | ByDefault<Bare<Exclude<T, undefined>>>;

/**
 * Marks a value, or everything in a subtree, as our own choice. The type comes from where the value goes, so that an
 * unknown property is an error; where nothing is expected (a constant, a spread) name it: `byDefault<number>(4)`.
 */
export const byDefault = <const T>(value: NoInfer<T>): ByDefault<T> => Object.freeze({ [chosen]: value });

/** What the spec asks for, or else our own choice, marked as such. */
export const orDefault = <const T>(asked: T | undefined, fallback: T): T | ByDefault<T> =>
  asked === undefined ? byDefault(fallback) : asked;

/** A body without marks, and the paths that were marked (items of keyed lists stand under their key). */
export interface Unmarked {
  readonly value: Json;
  readonly defaults: readonly (readonly string[])[];
}

interface Cursor {
  readonly path: readonly string[];
  readonly pattern: string;
}

const isMarked = (node: unknown): node is ByDefault<unknown> =>
  typeof node === "object" && node !== null && chosen in node;

const below = ({ path, pattern }: Cursor, name: string): Cursor => ({
  path: [...path, name],
  pattern: pattern === "" ? name : `${pattern}.${name}`,
});

const strip = (rules: KeyRules, node: unknown, at: Cursor): Unmarked => {
  if (isMarked(node)) return { value: strip(rules, node[chosen], at).value, defaults: [at.path] };
  if (Array.isArray(node)) return stripList(rules, node, at);
  if (typeof node === "object" && node !== null) return stripObject(rules, node, at);
  // The one cast: what is neither list nor object in a typed wire body is a JSON scalar.
  return { value: node as Json, defaults: [] };
};

const stripObject = (rules: KeyRules, node: object, at: Cursor): Unmarked => {
  const entries = Object.entries(node).flatMap(([name, child]: [string, unknown]) =>
    child === undefined ? [] : [{ name, ...strip(rules, child, below(at, name)) }],
  );
  return {
    value: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    defaults: entries.flatMap(({ defaults }) => defaults),
  };
};

/** A list that is taken whole is our own choice when all its items are. */
const stripList = (rules: KeyRules, node: readonly unknown[], at: Cursor): Unmarked => {
  const value = node.map((item) => strip(rules, item, at).value);
  const keys = keysOfList(rules, at.pattern, value);
  if (keys === undefined) return { value, defaults: node.every(isMarked) ? [at.path] : [] };
  const defaults = node.flatMap((item, index) => {
    const path = [...at.path, keys[index] ?? ""];
    return strip(rules, item, { path, pattern: `${at.pattern}[]` }).defaults;
  });
  return { value, defaults };
};

/** Takes the marks out of a body. Undefined properties are dropped. */
export const unmark = (marked: unknown, rules: KeyRules): Unmarked => strip(rules, marked, { path: [], pattern: "" });
