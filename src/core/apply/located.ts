import { type Frame, isListPlace, itemPlace, type Place, propertyPlace, rootPlace } from "./place.ts";

/** A canonical path (items of keyed lists stand under their key) with all that is known about where it leads. */
export interface Located {
  readonly path: readonly string[];
  /** Equal for paths that name the same place. */
  readonly key: string;
  readonly place: Place;
  /** One step back; undefined for the whole body. */
  readonly parent: Located | undefined;
  /** Whether the last step leads to an item of a list. */
  readonly isItem: boolean;
}

const separator = "\u0000";

/** Names of properties of this object differ in nothing but case: tags, and maps whose names are ids. */
export const ignoresCase = (place: Place, name: string): boolean =>
  place.pattern.toLowerCase() === "tags" || name.toLowerCase().startsWith("/subscriptions/");

/** The place of the whole body. */
export const root = (frame: Frame): Located => ({
  path: [],
  key: "",
  place: rootPlace(frame),
  parent: undefined,
  isItem: false,
});

/** One step further: a property's name, or in a list the key of an item. */
export const stepTo = (frame: Frame, at: Located, step: string): Located => {
  const isItem = isListPlace(frame, at.place);
  const same = isItem || ignoresCase(at.place, step) ? step.toLowerCase() : step;
  const key = at.key + separator + same;
  const place = isItem ? itemPlace(frame, at.place) : propertyPlace(frame, at.place, step);
  return {
    path: [...at.path, step],
    key,
    place: frame.secrets.has(key) ? { ...place, secret: true } : place,
    parent: at,
    isItem,
  };
};

/** Finds where a path leads. */
export const locate = (frame: Frame, path: readonly string[]): Located =>
  path.reduce((at, step) => stepTo(frame, at, step), root(frame));

/** A place after all that lies above it, the whole body first. */
export const wayTo = (at: Located): readonly Located[] => (at.parent === undefined ? [at] : [...wayTo(at.parent), at]);

/** The items of lists on the way to a place, the outermost first. */
export const itemsAround = (at: Located): readonly Located[] => wayTo(at).filter(({ isItem }) => isItem);

/** The keys of a place and of everything above it. */
export const keysAbove = (at: Located): readonly string[] => wayTo(at).map(({ key }) => key);

/** Whether one place lies at or below another one. */
export const isWithin = (inner: Located, outer: Located): boolean =>
  inner.key === outer.key || inner.key.startsWith(outer.key + separator);
