import { apiVersions } from "../wire/generated/apiVersions.ts";
import { annotations } from "./annotations.ts";
import { tagsPathOf } from "./apply/tagsAtScope.ts";
import { foreignOwnerTag } from "./ownership.ts";
import type { JsonObject, PlannedRequest, Refusal, ResourceId, Tags } from "./types.ts";

/** How a resource becomes ours that a person wants adopted. */
export type Adoption =
  /** Our tag is there already, or there can be none: only the ledger says so. */
  | { readonly kind: "remember" }
  | { readonly kind: "tag"; readonly request: PlannedRequest }
  | { readonly kind: "refused"; readonly refusal: Refusal };

interface Adoptable {
  readonly id: ResourceId;
  readonly taggable: boolean;
  /** It carries our owner tags. */
  readonly tagged: boolean;
  readonly tags: Readonly<Record<string, unknown>>;
  readonly ownerTags: Tags;
}

/** Never when it belongs to another cluster; else with exactly one write, which sets nothing but our owner tag. */
export const adoption = ({ id, taggable, tagged, tags, ownerTags }: Adoptable): Adoption => {
  const foreign = foreignOwnerTag(tags, ownerTags);
  if (foreign !== undefined) return { kind: "refused", refusal: conflict(id, foreign) };
  return taggable && !tagged ? { kind: "tag", request: tagRequest(id, tags, ownerTags) } : { kind: "remember" };
};

const conflict = (id: ResourceId, foreign: string): Refusal => ({
  reason: "ForeignConflict",
  path: "tags",
  observed: { [foreign]: "owned" },
  desired: null,
  message: `${id} is not adopted although annotation ${annotations.adopt} names it: it carries ${foreign}, the owner tag of another cluster`,
});

/** Sets only the tags named (https://learn.microsoft.com/rest/api/resources/tags/update-at-scope). */
const tagRequest = (id: ResourceId, tags: Readonly<Record<string, unknown>>, ownerTags: Tags): PlannedRequest => ({
  method: "PATCH",
  path: tagsPathOf(id),
  apiVersion: apiVersions["Microsoft.Resources/tags"],
  body: { operation: "Merge", properties: { tags: ownerTags } satisfies JsonObject },
  changes: Object.entries(ownerTags).map(([name, to]) => {
    const from = tags[name];
    return { path: `tags.${name}`, from: typeof from === "string" ? from : null, to, effect: "inPlace" };
  }),
});
