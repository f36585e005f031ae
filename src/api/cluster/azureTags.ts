import { Type } from "typebox";
import { type Rule, ruled } from "../schema.ts";

/** Azure's limits of tags (https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources). */

/** Azure takes 50 on a resource; three are ours: owner, role and name. */
const mostTags = 47;

const keys: Rule = {
  rule: String.raw`self.all(key, key != '' && size(key) <= 512 && !key.matches('[<>%&?/\\\\]'))`,
  message: String.raw`must have keys of 1 to 512 characters without <>%&\?/`,
};

const few: Rule = {
  rule: `size(self) <= ${mostTags}`,
  message: `must have at most ${mostTags} tags: Azure takes 50, and three are ours`,
};

/** Tags that a user adds to those of ours. */
export const additionalTags = ruled(
  Type.Record(Type.String(), Type.String({ maxLength: 256 }), { description: "Tags for everything that is created." }),
  few,
  keys,
);
