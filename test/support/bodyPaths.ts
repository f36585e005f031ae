import type { Json } from "../../src/core/types.ts";
import { isJsonList, isJsonObject } from "../../src/wire/json.ts";

const isItem = (item: Json, step: string): boolean =>
  isJsonObject(item) &&
  [item["name"], item["id"]].some((name) => typeof name === "string" && name.toLowerCase() === step.toLowerCase());

/** The value at a path; undefined when there is none. Items of lists are found by name, id or themselves. */
export const at = (value: Json | undefined, [step, ...rest]: readonly string[]): Json | undefined => {
  if (step === undefined || value === undefined) return value;
  if (isJsonList(value))
    return at(
      value.find((item) => isItem(item, step)),
      rest,
    );
  return isJsonObject(value) ? at(value[step], rest) : undefined;
};

/** The value with another one at a path; undefined takes it out. What is not there is not put. */
export const put = (value: Json, [step, ...rest]: readonly string[], to: Json | undefined): Json => {
  if (step === undefined) return to ?? null;
  if (isJsonList(value))
    return value.flatMap((item) => {
      if (!isItem(item, step)) return [item];
      return rest.length === 0 && to === undefined ? [] : [put(item, rest, to)];
    });
  if (!isJsonObject(value)) return value;
  const { [step]: before, ...others } = value;
  if (before === undefined) return value;
  if (rest.length > 0) return { ...value, [step]: put(before, rest, to) };
  return to === undefined ? others : { ...value, [step]: to };
};

/** A value of the same kind that is not this one. */
export const another = (value: Json, serial: number): Json => {
  if (typeof value === "number") return value + 1 + serial;
  if (typeof value === "boolean") return !value;
  return isJsonList(value) ? [`10.${100 + serial}.0.0/16`] : `theirs-${serial}`;
};
