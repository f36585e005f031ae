import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { Json, JsonObject } from "../types.ts";
import { keysOfItem } from "./itemKeys.ts";
import { ignoresCase, type Located } from "./located.ts";
import { type Frame, isListPlace, isMapPlace, itemPlace, type Place, propertyPlace, rootPlace } from "./place.ts";

/** The name by which the object has this property, or the name itself. */
const spelling = (object: JsonObject, place: Place, name: string): string => {
  if (Object.hasOwn(object, name) || !ignoresCase(place, name)) return name;
  return Object.keys(object).find((own) => own.toLowerCase() === name.toLowerCase()) ?? name;
};

/** The item of a list that goes by this key. */
const indexOfItem = ({ rules }: Frame, list: readonly Json[], place: Place, key: string): number =>
  list.findIndex((item) =>
    keysOfItem(rules, place.pattern, item).some((own) => own.toLowerCase() === key.toLowerCase()),
  );

const child = (frame: Frame, node: Json | undefined, place: Place, step: string): Json | undefined => {
  if (isJsonList(node)) return node[indexOfItem(frame, node, place, step)];
  if (!isJsonObject(node)) return undefined;
  const name = spelling(node, place, step);
  return Object.hasOwn(node, name) ? node[name] : undefined;
};

const stepPlace = (frame: Frame, place: Place, step: string): Place =>
  isListPlace(frame, place) ? itemPlace(frame, place) : propertyPlace(frame, place, step);

/** The value at a path; undefined when there is none, and for null, which Azure uses for the same. */
export const valueAt = (frame: Frame, body: JsonObject, { path }: Pick<Located, "path">): Json | undefined => {
  const found = path.reduce<{ readonly node: Json | undefined; readonly place: Place }>(
    ({ node, place }, step) => ({ node: child(frame, node, place, step), place: stepPlace(frame, place, step) }),
    { node: body, place: rootPlace(frame) },
  );
  return found.node ?? undefined;
};

const without = (object: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([own]) => own !== name));

/** Without its names a map is an empty map; an object without its fields is none. */
const mayVanish = (frame: Frame, place: Place): boolean =>
  place.pattern !== "" && place.pattern !== "properties" && !isMapPlace(frame, place);

const replaceItem = (frame: Frame, list: readonly Json[], place: Place, path: Path, value: Value): Value => {
  const [step = "", ...rest] = path;
  const index = indexOfItem(frame, list, place, step);
  const item = replace(frame, list[index], itemPlace(frame, place), rest, value);
  if (index < 0) return item === undefined ? list : [...list, item];
  return item === undefined ? list.toSpliced(index, 1) : list.with(index, item);
};

type Path = readonly string[];
type Value = Json | undefined;

const replace = (frame: Frame, node: Value, place: Place, path: Path, value: Value): Value => {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (isListPlace(frame, place)) return replaceItem(frame, isJsonList(node) ? node : [], place, path, value);
  const object = isJsonObject(node) ? node : {};
  const name = spelling(object, place, step);
  const own = Object.hasOwn(object, name) ? object[name] : undefined;
  const next = replace(frame, own, propertyPlace(frame, place, step), rest, value);
  if (next !== undefined) return { ...object, [name]: next };
  const others = without(object, name);
  return Object.keys(others).length === 0 && mayVanish(frame, place) ? undefined : others;
};

/**
 * The body with another value at a path. Undefined takes the value out, and with it the objects (not maps) that hold
 * nothing else; a key that no item of a list has adds one.
 */
export const withValue = (
  frame: Frame,
  body: JsonObject,
  { path }: Pick<Located, "path">,
  value: Value,
): JsonObject => {
  const replaced = replace(frame, body, rootPlace(frame), path, value);
  return isJsonObject(replaced) ? replaced : {};
};
