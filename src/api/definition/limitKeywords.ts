/** The keywords of a schema that bound numbers, texts, lists and maps. */
export const limitKeywords = [
  "minimum",
  "maximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minProperties",
  "maxProperties",
] as const;
export type LimitKeyword = (typeof limitKeywords)[number];
