import type { Choice } from "../services/scope.ts";

/** Whether a spec says something at a place: absence, empty text and empty lists say nothing. */
export const says = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);

/** A value of the complete form: asked when the spec itself says something at its place, else a default of ours. */
export const chosen = <T>(value: T, said: unknown): Choice<T> => ({ value, asked: says(said) });
