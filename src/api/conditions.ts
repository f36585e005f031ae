import { Type } from "typebox";
import { list, text } from "./schema.ts";

/** One condition in the form of Cluster API's v1beta1 contract. */
const condition = Type.Object({
  type: text("What it is about.", { minLength: 1, maxLength: 256 }),
  status: text("`True`, `False` or `Unknown`."),
  severity: Type.Optional(text("`Error`, `Warning` or `Info`; only when the status is `False`.", { maxLength: 32 })),
  lastTransitionTime: Type.String({ description: "When the status last changed.", format: "date-time" }),
  reason: Type.Optional(text("Why, in one word.", { minLength: 1, maxLength: 256 })),
  message: Type.Optional(text("Why, for people.", { minLength: 1, maxLength: 10_240 })),
});

/** Conditions as one value: a single writer applies them all. */
export const conditions = list("How far the object has come, and what stands in its way.", condition);
