import type { TSchema } from "typebox";

/** What the definition of a kind says of its objects. */
export interface KindSchemas {
  readonly description: string;
  readonly spec: TSchema;
  /** A kind that is only copied from has none. */
  readonly status?: TSchema;
}
