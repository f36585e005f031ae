import type { Json } from "../wire/json.ts";
import { keysOfList } from "./apply/itemKeys.ts";
import type { Rules } from "./rules.ts";
import type { Desired } from "./types.ts";

type KeyRules = Pick<Rules, "keys">;

const marked = Symbol("marked");

/** What is special about a value or subtree. */
type Special =
  | { readonly kind: "default" | "createOnly" | "yielded" | "ifThere" }
  | { readonly kind: "version"; readonly version: string };

/** A value or subtree with a mark. */
export interface ByDefault<T> {
  readonly [marked]: T;
  readonly special: Special;
}

const mark = <T>(value: T, special: Special): ByDefault<T> => Object.freeze({ [marked]: value, special });

type MayBeLeftOut<T, K extends keyof T> = object extends Pick<T, K> ? undefined : never;

type Bare<T> = T extends readonly (infer Item)[]
  ? readonly Marked<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Marked<T[K]> | MayBeLeftOut<T, K> }
    : T;

/** `T` in which any node may be wrapped by a mark such as `byDefault`, and optional properties may be undefined. */
export type Marked<T> = Bare<T> | ByDefault<Bare<Exclude<T, undefined>>>;

/**
 * Marks a value, or everything in a subtree, as our own choice. The type comes from where the value goes, so that an
 * unknown property is an error; where nothing is expected (a constant, a spread) name it: `byDefault<number>(4)`.
 */
export const byDefault = <const T>(value: NoInfer<T>): ByDefault<T> => mark<T>(value, { kind: "default" });

/** A value from a Kubernetes Secret; `version` is the Secret's uid and resourceVersion and the key within it. */
export const fromSecret = <const T>(value: NoInfer<T>, version: string): ByDefault<T> =>
  mark<T>(value, { kind: "version", version });

/** A value made up for the creation of a resource, which nobody keeps. */
export const atCreation = <const T>(value: NoInfer<T>): ByDefault<T> => mark<T>(value, { kind: "createOnly" });

/** What another owner decides once the resource is there. */
export const yielded = <const T>(value: NoInfer<T>): ByDefault<T> => mark<T>(value, { kind: "yielded" });

/** A reference that is left out while what it names is not made (see `Desired.ifThere`). */
export const ifThere = <const T>(value: NoInfer<T>): ByDefault<T> => mark<T>(value, { kind: "ifThere" });

/** What the spec asks for, or else our own choice, marked as such. */
export const orDefault = <const T>(asked: T | undefined, fallback: T): T | ByDefault<T> =>
  asked === undefined ? byDefault(fallback) : asked;

/** A body without marks, and the paths that were marked (items of keyed lists stand under their key). */
type Unmarked = { readonly value: Json } & Pick<Desired, "defaults" | "versions" | "createOnly" | "yields" | "ifThere">;

interface MarkedPath {
  readonly path: readonly string[];
  readonly special: Special;
}

interface Stripped {
  readonly value: Json;
  readonly marks: readonly MarkedPath[];
}

interface Cursor {
  readonly path: readonly string[];
  readonly pattern: string;
}

const isMarked = (node: unknown): node is ByDefault<unknown> =>
  typeof node === "object" && node !== null && marked in node;

const below = ({ path, pattern }: Cursor, name: string): Cursor => ({
  path: [...path, name],
  pattern: pattern === "" ? name : `${pattern}.${name}`,
});

const strip = (rules: KeyRules, node: unknown, at: Cursor): Stripped => {
  if (isMarked(node)) {
    const { value, marks } = strip(rules, node[marked], at);
    const { special } = node;
    return { value, marks: [{ path: at.path, special }, ...marks.filter((one) => one.special.kind !== special.kind)] };
  }
  if (Array.isArray(node)) return stripList(rules, node, at);
  if (typeof node === "object" && node !== null) return stripObject(rules, node, at);
  // The one cast: what is neither list nor object in a typed wire body is a JSON scalar.
  return { value: node as Json, marks: [] };
};

const stripObject = (rules: KeyRules, node: object, at: Cursor): Stripped => {
  const entries = Object.entries(node).flatMap(([name, child]: [string, unknown]) =>
    child === undefined ? [] : [{ name, ...strip(rules, child, below(at, name)) }],
  );
  return {
    value: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
    marks: entries.flatMap(({ marks }) => marks),
  };
};

/** A list that is taken whole is our own choice when all its items are. */
const stripList = (rules: KeyRules, node: readonly unknown[], at: Cursor): Stripped => {
  const value = node.map((item) => strip(rules, item, at).value);
  const keys = keysOfList(rules, at.pattern, value);
  if (keys === undefined) return { value, marks: marksOfWhole(node, at) };
  const marks = node.flatMap((item, index) => {
    const path = [...at.path, keys[index] ?? ""];
    return strip(rules, item, { path, pattern: `${at.pattern}[]` }).marks;
  });
  return { value, marks };
};

const marksOfWhole = (node: readonly unknown[], { path }: Cursor): readonly MarkedPath[] => {
  const chosen = node.every((item) => isMarked(item) && item.special.kind === "default");
  return chosen ? [{ path, special: { kind: "default" } }] : [];
};

/** Takes the marks out of a body. Undefined properties are dropped. */
export const unmark = (body: unknown, rules: KeyRules): Unmarked => {
  const { value, marks } = strip(rules, body, { path: [], pattern: "" });
  const pathsOf = (kind: Special["kind"]) =>
    marks.filter(({ special }) => special.kind === kind).map(({ path }) => path);
  const versions = marks.flatMap(({ path, special }) =>
    special.kind === "version" ? [{ path, version: special.version }] : [],
  );
  const [createOnly, yields, there] = [pathsOf("createOnly"), pathsOf("yielded"), pathsOf("ifThere")];
  return {
    value,
    defaults: pathsOf("default"),
    ...(versions.length > 0 && { versions }),
    ...(createOnly.length > 0 && { createOnly }),
    ...(yields.length > 0 && { yields }),
    ...(there.length > 0 && { ifThere: there }),
  };
};
