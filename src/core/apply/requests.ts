import { generate } from "json-merge-patch";
import { isJsonObject, type Json } from "../../wire/json.ts";
import type { JsonObject, PlannedRequest } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import type { Inputs } from "./decide.ts";
import { changeOf, type Edit } from "./edit.ts";
import { isTagEdit, tagsAtScope } from "./tagsAtScope.ts";
import { edited, onlyOurs, withNeverShown, withoutOmitted } from "./target.ts";

/** How a request is addressed. */
export interface Address {
  readonly etag: string | undefined;
  readonly tagsAtScope: boolean;
  /** Tags go in requests of their own, although one request could take all. Default false. */
  readonly split?: true;
}

const mergePatch = (from: JsonObject, to: JsonObject): JsonObject => {
  const patch: Json | undefined = generate(from, to);
  return isJsonObject(patch) ? patch : {};
};

/** Azure takes the tags of a PATCH as a whole: all of them go. */
const withAllTags = (patch: JsonObject, target: JsonObject): JsonObject =>
  "tags" in patch ? { ...patch, tags: target["tags"] ?? {} } : patch;

/** What an edit takes out is there before, be it only as an alternative. */
const beforeEdits = ({ frame }: Inputs, base: JsonObject, edits: readonly Edit[]): JsonObject =>
  edits
    .filter(({ at, from, to }) => to === undefined && from !== undefined && valueAt(frame, base, at) === undefined)
    .reduce((body, { at, from }) => withValue(frame, body, at, from), base);

const bodyOf = (inputs: Inputs, edits: readonly Edit[]): JsonObject => {
  const base = withoutOmitted(inputs);
  const target = edited(inputs.frame, base, edits);
  switch (inputs.frame.rules.writes) {
    case "overlay":
      return withNeverShown(inputs, target);
    case "asked":
      return onlyOurs(inputs, edits, withNeverShown(inputs, target));
    case "patch":
      return withAllTags(mergePatch(beforeEdits(inputs, base, edits), target), target);
  }
};

/** The requests that make these edits on a resource that exists; none for no edits. */
export const requestsFor = (inputs: Inputs, edits: readonly Edit[], address: Address): readonly PlannedRequest[] => {
  const { frame, desired } = inputs;
  const patches = frame.rules.writes === "patch";
  const tagEdits = edits.filter(isTagEdit);
  const apart = address.tagsAtScope && (address.split === true || patches || tagEdits.length === edits.length);
  const rest = apart ? edits.filter((edit) => !isTagEdit(edit)) : edits;
  const tags = apart ? tagsAtScope(frame, desired.id, tagEdits) : [];
  if (rest.length === 0) return tags;
  const write: PlannedRequest = {
    method: patches ? "PATCH" : "PUT",
    path: desired.id,
    apiVersion: frame.schema.apiVersion,
    body: bodyOf(inputs, rest),
    ...(address.etag !== undefined && { ifMatch: address.etag }),
    changes: rest.map((edit) => changeOf(frame, edit)),
  };
  return [write, ...tags];
};
