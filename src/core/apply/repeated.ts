import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { Json, JsonObject, Refusal } from "../types.ts";
import { pathText } from "./edit.ts";
import { keysOfItem } from "./itemKeys.ts";
import { shown } from "./leaves.ts";
import { type Located, root, stepTo } from "./located.ts";
import { coveredBy, type Frame, isListPlace } from "./place.ts";

interface Once {
  readonly value: Json;
  readonly refusals: readonly Refusal[];
}

const twice = (frame: Frame, at: Located, first: Json, second: Json): readonly Refusal[] => {
  if (JSON.stringify(first) === JSON.stringify(second)) return [];
  const message = `${pathText(at)} is wanted twice, in two forms: the first one counts`;
  const [observed, desired] = [shown(frame, at, first), shown(frame, at, second)];
  return [{ reason: "Contradiction", path: pathText(at), observed, desired, message }];
};

const onceInList = (frame: Frame, at: Located, list: readonly Json[]): Once => {
  const keyed = list.map((item) => ({ item, key: keysOfItem(frame.rules, at.place.pattern, item)[0] }));
  if (coveredBy(frame.rules.sets, at.place) || keyed.some(({ key }) => key === undefined))
    return { value: list, refusals: [] };
  const groups = [...Map.groupBy(keyed, ({ key = "" }) => key.toLowerCase()).values()];
  const parts = groups.flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const place = stepTo(frame, at, first.key ?? "");
    const { value, refusals } = once(frame, place, first.item);
    return [{ value, refusals: [...refusals, ...others.flatMap(({ item }) => twice(frame, place, first.item, item))] }];
  });
  return { value: parts.map(({ value }) => value), refusals: parts.flatMap(({ refusals }) => refusals) };
};

const once = (frame: Frame, at: Located, value: Json): Once => {
  if (isJsonList(value)) return isListPlace(frame, at.place) ? onceInList(frame, at, value) : { value, refusals: [] };
  if (!isJsonObject(value)) return { value, refusals: [] };
  const parts = Object.entries(value).map(([name, child]) => ({
    name,
    ...once(frame, stepTo(frame, at, name), child),
  }));
  return {
    value: Object.fromEntries(parts.map((part) => [part.name, part.value])),
    refusals: parts.flatMap(({ refusals }) => refusals),
  };
};

/**
 * A wanted body in which no item of a keyed list stands twice: a list with one key for two items could only go whole, and
 * would delete what others have in it.
 */
export const withoutRepeated = (
  frame: Frame,
  body: JsonObject,
): { readonly body: JsonObject; readonly refusals: readonly Refusal[] } => {
  const { value, refusals } = once(frame, root(frame), body);
  return { body: isJsonObject(value) ? value : {}, refusals };
};
