import type { Json, JsonObject } from "../core/types.ts";

/** Whether a value is an object; a list is not one. */
export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The value at a path of property names; undefined when there is none. */
export const valueAt = (value: Json | undefined, ...path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((at, step) => (isObject(at) ? at[step] : undefined), value);

/** The text at a path; undefined when there is none, or an empty one. */
export const textAt = (value: Json | undefined, ...path: readonly string[]): string | undefined => {
  const found = valueAt(value, ...path);
  return typeof found === "string" && found !== "" ? found : undefined;
};
