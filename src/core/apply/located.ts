import { type Frame, isListPlace, itemPlace, type Place, propertyPlace, rootPlace } from "./place.ts";

/** A canonical path (items of keyed lists stand under their key) with all that is known about where it leads. */
export interface Located {
  readonly path: readonly string[];
  /** Equal for paths that name the same place. */
  readonly key: string;
  readonly place: Place;
  /** Lengths of those beginnings of the path that lead to an item of a list, the outermost first. */
  readonly items: readonly number[];
}

const separator = "\u0000";

/** Names of properties of this object differ in nothing but case: tags, and maps whose names are ids. */
export const ignoresCase = (place: Place, name: string): boolean =>
  place.pattern.toLowerCase() === "tags" || name.toLowerCase().startsWith("/subscriptions/");

/** The place of the whole body. */
export const root = (frame: Frame): Located => ({ path: [], key: "", place: rootPlace(frame), items: [] });

/** One step further: a property's name, or in a list the key of an item. */
export const stepTo = (frame: Frame, { path, key, place, items }: Located, step: string): Located => {
  const toItem = isListPlace(frame, place);
  const same = toItem || ignoresCase(place, step) ? step.toLowerCase() : step;
  return {
    path: [...path, step],
    key: `${key}${separator}${same}`,
    place: toItem ? itemPlace(frame, place) : propertyPlace(frame, place, step),
    items: toItem ? [...items, path.length + 1] : items,
  };
};

/** Finds where a path leads. */
export const locate = (frame: Frame, path: readonly string[]): Located =>
  path.reduce((at, step) => stepTo(frame, at, step), root(frame));

/** The items of lists on the way to a place, the outermost first. */
export const itemsAround = (frame: Frame, { path, items }: Located): readonly Located[] =>
  items.map((length) => locate(frame, path.slice(0, length)));

/** The keys of a place and of everything above it. */
export const keysAbove = ({ key }: Located): readonly string[] => {
  const steps = key.split(separator);
  return steps.map((_, index) => steps.slice(0, index + 1).join(separator));
};

/** Whether one place lies at or below another one. */
export const isWithin = (inner: Located, outer: Located): boolean =>
  inner.key === outer.key || inner.key.startsWith(outer.key + separator);
