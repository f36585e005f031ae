import { isJsonList, isJsonObject } from "../../wire/json.ts";
import { redact, redacted } from "../../wire/redact.ts";
import type { AppliedLeaf, Desired, Json, Mark } from "../types.ts";
import { keysOfList } from "./itemKeys.ts";
import { isWithin, type Located, locate, root, stepTo } from "./located.ts";
import { coveredBy, type Frame, isListPlace, type Place } from "./place.ts";

/** One wanted value: a scalar, something empty, a secret, or a list that is taken whole. */
export interface Leaf extends Located {
  readonly value: Json;
  readonly mark: Mark;
}

const childrenOf = (frame: Frame, at: Located, value: Json): readonly (readonly [Located, Json])[] => {
  if (at.place.secret || at.place.writeOnly) return [];
  if (isJsonObject(value))
    return Object.entries(value).map(([name, child]) => [stepTo(frame, at, name), child] as const);
  if (!isJsonList(value) || !isListPlace(frame, at.place) || coveredBy(frame.rules.sets, at.place)) return [];
  const keys = keysOfList(frame.rules, at.place.pattern, value) ?? [];
  return keys.map((key, index) => [stepTo(frame, at, key), value[index] ?? null] as const);
};

const leavesBelow = (frame: Frame, at: Located, value: Json): readonly (Located & { readonly value: Json })[] => {
  const children = childrenOf(frame, at, value);
  if (children.length === 0) return [{ ...at, value }];
  return children.flatMap(([place, child]) => leavesBelow(frame, place, child));
};

/** All wanted values with their marks. */
export const leavesOf = (frame: Frame, { body, defaults }: Pick<Desired, "body" | "defaults">): readonly Leaf[] => {
  const chosen = defaults.map((path) => locate(frame, path));
  return leavesBelow(frame, root(frame), body)
    .filter(({ path }) => path.length > 0)
    .map((leaf) => ({ ...leaf, mark: chosen.some((part) => isWithin(leaf, part)) ? "default" : "asked" }));
};

/** A value that may be stored and shown. */
export const shown = ({ schema }: Frame, place: Place, value: Json): Json => {
  if (value === null) return null;
  if (place.secret) return redacted;
  return place.node === undefined ? value : redact(schema, place.node, value);
};

/** Whether `shown` hides something of the value. */
export const hidesSecret = (frame: Frame, place: Place, value: Json): boolean =>
  JSON.stringify(shown(frame, place, value)) !== JSON.stringify(value);

/** What the ledger holds, by the key of its place. */
export type AppliedByKey = ReadonlyMap<string, AppliedLeaf & Located>;

/** Finds the places of the ledger's leaves. */
export const locateApplied = (frame: Frame, applied: readonly AppliedLeaf[]): AppliedByKey =>
  new Map(
    applied.map((leaf) => {
      const located = { ...locate(frame, leaf.path), ...leaf };
      return [located.key, located];
    }),
  );
