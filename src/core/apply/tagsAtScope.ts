import { apiVersions } from "../../wire/generated/apiVersions.ts";
import type { JsonObject, PlannedRequest, ResourceId } from "../types.ts";
import { changeOf, type Edit } from "./edit.ts";
import type { Frame } from "./place.ts";

/** Tags of a resource, as a resource of their own. */
export const tagsPathOf = (id: ResourceId): string => `${id}/providers/Microsoft.Resources/tags/default`;

const tagsPath = /\/providers\/Microsoft\.Resources\/tags\/default$/i;

/** Whether a request writes tags and nothing else. */
export const isTagsRequest = ({ path }: Pick<PlannedRequest, "path">): boolean => tagsPath.test(path);

/** The resource that a path is about, itself or by its tags. */
export const withoutTagsPath = (path: string): string => path.replace(tagsPath, "");

const tagName = ({ at }: Edit): string => at.path[1] ?? "";

const tagsRequest = (
  frame: Frame,
  id: ResourceId,
  operation: "Merge" | "Delete",
  edits: readonly Edit[],
  valueFor: (edit: Edit) => Edit["to"],
): readonly PlannedRequest[] => {
  if (edits.length === 0) return [];
  const tags: JsonObject = Object.fromEntries(edits.map((edit) => [tagName(edit), valueFor(edit) ?? ""]));
  return [
    {
      method: "PATCH",
      path: tagsPathOf(id),
      apiVersion: apiVersions["Microsoft.Resources/tags"],
      body: { operation, properties: { tags } },
      changes: edits.map((edit) => changeOf(frame, edit)),
    },
  ];
};

/** Whether an edit concerns one tag. */
export const isTagEdit = ({ at }: Edit): boolean => at.path.length === 2 && at.path[0] === "tags";

/**
 * Requests that change only the tags named, whatever else the resource carries
 * (https://learn.microsoft.com/rest/api/resources/tags/update-at-scope).
 */
export const tagsAtScope = (frame: Frame, id: ResourceId, edits: readonly Edit[]): readonly PlannedRequest[] => [
  ...tagsRequest(
    frame,
    id,
    "Merge",
    edits.filter(({ to }) => to !== undefined),
    ({ to }) => to,
  ),
  ...tagsRequest(
    frame,
    id,
    "Delete",
    edits.filter(({ to }) => to === undefined),
    ({ from }) => from,
  ),
];
