import type { TSchema } from "typebox";
import type { JsonObject } from "../../core/types.ts";
import type { Rule } from "../schema.ts";

/** What the definition of a kind says of its objects. */
export interface KindSchemas {
  readonly description: string;
  /** Schema of `metadata` where the rules read the name; of more than it and `generateName` a definition may not speak. */
  readonly metadata?: JsonObject;
  readonly spec: TSchema;
  /** A kind that is only copied from has none. */
  readonly status?: TSchema;
  /** Rules that need the object's name or its status; of `metadata` they see only `name` and `generateName`. */
  readonly rules?: readonly Rule[];
}
