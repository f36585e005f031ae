import type { Value } from "typebox/value";

/** One thing that TypeBox found. */
export type ShapeError = ReturnType<typeof Value.Errors>[number];

/** What TypeBox found in the phrase of the API server, where that has one; else in TypeBox's own. */
export const shapePhrase = (error: ShapeError): string => {
  const { keyword, params, message } = error;
  switch (keyword) {
    case "type":
      return `must be of type ${[params.type].flat().join(",")}`;
    case "pattern":
      return `should match '${typeof params.pattern === "string" ? params.pattern : params.pattern.source}'`;
    case "minimum":
      return `should be greater than or equal to ${params.limit}`;
    case "maximum":
      return `should be less than or equal to ${params.limit}`;
    case "minLength":
      return `should be at least ${params.limit} chars long`;
    case "maxLength":
      return `may not be more than ${params.limit} bytes`;
    case "minItems":
      return `should have at least ${params.limit} items`;
    case "maxItems":
      return `must have at most ${params.limit} items`;
    default:
      return message;
  }
};
