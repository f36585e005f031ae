import { isJsonObject } from "../../wire/json.ts";
import { ownerTag } from "../ownership.ts";
import type { Json, Refusal } from "../types.ts";
import type { Decision, Inputs } from "./decide.ts";
import type { Edit } from "./edit.ts";
import { recorded } from "./leaves.ts";
import type { Located } from "./located.ts";
import { isTagEdit } from "./tagsAtScope.ts";

/**
 * Tags that a resource or a group can have
 * (https://learn.microsoft.com/azure/azure-resource-manager/management/tag-resources#limitations).
 */
const mostTags = 50;

const nameOf = ({ path }: Located): string => path[1] ?? "";

const isOwner = ({ leaf }: Decision): boolean => nameOf(leaf).toLowerCase().startsWith(ownerTag("").toLowerCase());

/** Without its owner tag a resource would be nobody's: it is the last to be left out. */
const ownerFirst = (added: readonly Decision[]): readonly Decision[] => [
  ...added.filter(isOwner),
  ...added.filter((one) => !isOwner(one)),
];

const refusalOf = (names: readonly string[], there: number, wanted: number): Refusal => ({
  reason: "TooManyTags",
  path: "tags",
  observed: there,
  desired: wanted,
  message: `tags ${names.join(", ")} are left out, because Azure takes ${mostTags} tags, ${there} are there and ${wanted} would be: take some off, in the spec or in Azure`,
});

const countOf = (tags: Json | undefined): number =>
  tags !== undefined && isJsonObject(tags) ? Object.keys(tags).length : 0;

/** Leaves tags out that would be more than Azure takes, with what others have put there; the others go on. */
export const withinTagLimit = (
  { observed, applied }: Inputs,
  decisions: readonly Decision[],
  removals: readonly Edit[],
): { readonly decisions: readonly Decision[]; readonly refusals: readonly Refusal[] } => {
  const isNew = ({ edit }: Decision): boolean => edit !== undefined && isTagEdit(edit) && edit.from === undefined;
  const added = decisions.filter(isNew);
  const there = countOf(observed["tags"]);
  const wanted = there + added.length - removals.filter(isTagEdit).length;
  if (wanted <= mostTags || added.length === 0) return { decisions, refusals: [] };
  const room = Math.max(0, added.length - (wanted - mostTags));
  const left = new Set(ownerFirst(added).slice(room));
  const kept = decisions.map((decision): Decision => {
    const before = applied.get(decision.leaf.key);
    return left.has(decision) ? { leaf: decision.leaf, ...(before && { record: recorded(before) }) } : decision;
  });
  const names = [...left].map(({ leaf }) => nameOf(leaf));
  return { decisions: kept, refusals: [refusalOf(names, there, wanted)] };
};
