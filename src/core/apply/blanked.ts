import type { ResourceSchema } from "../../wire/schema.ts";
import type { Rules } from "../rules.ts";
import type { Desired, JsonObject } from "../types.ts";
import { frameOf } from "./frame.ts";
import { shown } from "./leaves.ts";
import { root } from "./located.ts";

/** A body of a resource as it may be stored and shown: without its secrets, those of the schema and its own. */
export const blanked = (schema: ResourceSchema, rules: Rules, desired: Desired, body: JsonObject): JsonObject => {
  const frame = frameOf(schema, rules, desired, []);
  // The one cast: what is shown of an object is an object.
  return shown(frame, root(frame), body) as JsonObject;
};
