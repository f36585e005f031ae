import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { Json, JsonObject } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { type Inputs, isYielded } from "./decide.ts";
import type { Edit } from "./edit.ts";
import { keysAbove, type Located, root, stepTo } from "./located.ts";
import { coveredBy, type Frame, isFixed, isListPlace, isMapPlace } from "./place.ts";

const omitBelow = (frame: Frame, wanted: ReadonlySet<string>, at: Located, value: Json): Json | undefined => {
  const omitted = coveredBy(frame.rules.omit, at.place);
  if (omitted && !wanted.has(at.key)) return undefined;
  if (isJsonObject(value))
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, child]) => {
        const kept = omitBelow(frame, wanted, stepTo(frame, at, name), child);
        return kept === undefined ? [] : [[name, kept]];
      }),
    );
  // A list goes whole or not at all: half of it would delete the other half.
  if (!isJsonList(value) || omitted || !isListPlace(frame, at.place)) return value;
  return value.map((item) => omitBelow(frame, wanted, stepTo(frame, at, ""), item) ?? item);
};

/** The observed body without what is never sent back, unless something of ours stands in it. */
export const withoutOmitted = ({ frame, leaves, observed }: Inputs): JsonObject => {
  const wanted = new Set(leaves.flatMap(keysAbove));
  const kept = omitBelow(frame, wanted, root(frame), observed);
  return isJsonObject(kept) ? kept : {};
};

/** A body with all edits made; what goes makes room first. */
export const edited = (frame: Frame, body: JsonObject, edits: readonly Edit[]): JsonObject =>
  edits
    .toSorted((a, b) => Number(a.to !== undefined) - Number(b.to !== undefined))
    .reduce((whole, { at, to }) => withValue(frame, whole, at, to), body);

/** A PUT without them would take away what Azure holds but never shows. */
export const withNeverShown = (inputs: Inputs, target: JsonObject): JsonObject =>
  inputs.leaves
    .filter(({ place }) => (place.secret || place.writeOnly) && !isFixed(inputs.frame, place))
    .filter((leaf) => !isYielded(inputs.frame, leaf) && (leaf.mark === "asked" || inputs.applied.has(leaf.key)))
    .filter((leaf) => valueAt(inputs.frame, target, leaf) === undefined)
    .reduce((body, leaf) => withValue(inputs.frame, body, leaf, leaf.value), target);

const project = (frame: Frame, kept: ReadonlySet<string>, at: Located, value: Json): Json | undefined => {
  if (!kept.has(at.key)) return undefined;
  // What others have in our lists and maps would be deleted by a PUT without it.
  if (!isJsonObject(value) || isMapPlace(frame, at.place)) return value;
  const entries = Object.entries(value);
  const ours = entries.flatMap(([name, child]) => {
    const below = project(frame, kept, stepTo(frame, at, name), child);
    return below === undefined ? [] : [[name, below] as const];
  });
  return ours.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(ours);
};

/** The part of a body that we speak of: our leaves and the clear values, lists, maps and tags as a whole. */
export const onlyOurs = ({ frame, leaves }: Inputs, edits: readonly Edit[], target: JsonObject): JsonObject => {
  const around = edits.flatMap(({ at }) => at.parent ?? []);
  const whole = around.filter(({ place }) => isListPlace(frame, place) || isMapPlace(frame, place));
  const cleared = edits.filter(({ to }) => to !== undefined).map(({ at }) => at);
  const tags = stepTo(frame, root(frame), "tags");
  const kept = new Set([...leaves, ...cleared, ...whole, tags].flatMap(keysAbove));
  const body = project(frame, kept, root(frame), target);
  return isJsonObject(body) ? body : {};
};
