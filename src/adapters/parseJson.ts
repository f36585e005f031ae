import type { Json } from "../core/types.ts";

/** The JSON value that a text holds; undefined when it is none. */
export const parseJson = (text: string): Json | undefined => {
  try {
    // The one cast: whatever JSON.parse returns is JSON.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
