import { isObject } from "../../src/api/json.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { completeForms } from "./completeForms.ts";
import { exampleObject } from "./exampleObject.ts";

/** What a turn puts where the spec says nothing; lists of objects are whole parts, no values. */
const added = (path: string, said: JsonObject, whole: JsonObject): readonly (readonly [path: string, value: Json])[] =>
  Object.entries(whole).flatMap(([name, value]): readonly (readonly [string, Json])[] => {
    const at = `${path}.${name}`;
    const before = said[name];
    if (isObject(value)) return added(at, isObject(before) ? before : {}, value);
    if (before !== undefined && before !== "") return [];
    return Array.isArray(value) && value.some((item: Json) => isObject(item)) ? [] : [[at, value]];
  });

/** By path: the values that a turn computes for the example of the kind. Empty for a kind without computed defaults. */
export const computedDefaults = (kind: string): ReadonlyMap<string, Json> =>
  new Map(added("spec", exampleObject(kind, {}).spec, completeForms[kind]?.({}) ?? {}));
