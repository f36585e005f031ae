import { filled, given, type Part, present } from "./parts.ts";

/** CEL about what became of a value: `now` and `was` name the new one and the old one. */
export type Change = (now: string, was: string) => string;

/** Both mean the same, by what a part makes of each. */
export const same =
  (part: Part): Change =>
  (now, was) =>
    `${part(now)} == ${part(was)}`;

/** By their paths and beside no literal: of anything else API servers of 1.32 do not know how long it can be. */
const sameWhere =
  (has: (path: string) => Part) =>
  (path: string): Change =>
  (now, was) =>
    `(${has(path)(now)} ? ${has(path)(was)} && ${now}.${path} == ${was}.${path} : !${has(path)(was)})`;

/** The field has one value in both, or is in neither. */
export const sameAt = sameWhere(present);

/** The text is one in both; absent and empty are one. */
export const sameText = sameWhere(given);

/** The list is one in both, order included; absent and empty are one. */
export const sameList = sameWhere(filled);

/** Both have the same items, in any order. */
export const sameSet =
  (list: Part): Change =>
  (now, was) =>
    `${list(now)}.all(x, x in ${list(was)}) && ${list(was)}.all(x, x in ${list(now)})`;

/** The condition does not hold of both. */
export const unlessBoth =
  (condition: Part): Change =>
  (now, was) =>
    `!(${condition(now)} && ${condition(was)})`;

/** All of it. */
export const allOf =
  (...changes: readonly Change[]): Change =>
  (now, was) =>
    changes.map((change) => `(${change(now, was)})`).join(" && ");
