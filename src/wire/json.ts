/** A JSON value as it stands on the wire, never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Whether a JSON value is an object; a list is not one. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether a JSON value is a list. */
export const isJsonList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
