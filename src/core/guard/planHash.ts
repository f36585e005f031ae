import { isJsonList, isJsonObject, type Json } from "../../wire/json.ts";
import { canonicalJson, hashOf } from "../hash.ts";
import type { Desired } from "../types.ts";
import type { Track } from "./countedWrite.ts";

const canonicalText = (text: string): string => (text.startsWith("/") ? text.toLowerCase() : text);

/** Equal for equal plans: lists in a fixed order, ids and names of properties in one case. */
const canonical = (value: Json): Json => {
  if (typeof value === "string") return canonicalText(value);
  if (isJsonList(value))
    return value
      .map((item) => canonicalJson(canonical(item)))
      .toSorted()
      .map((text): Json => text);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name.toLowerCase(), canonical(child)]));
};

const isKeyed = (item: Json, step: string): boolean =>
  isJsonObject(item) && (item["name"] === step || item["id"] === step);

/** The body without the value at a path; items of keyed lists stand under their key. */
const without = (value: Json, [step, ...rest]: readonly string[]): Json => {
  if (step === undefined) return null;
  if (isJsonList(value)) return value.map((item) => (isKeyed(item, step) ? without(item, rest) : item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, name === step ? without(child, rest) : child]),
  );
};

/**
 * What the loop guard takes for the same plan: all that we want of the resource, whatever the order of its lists and the
 * case of its ids. No etag and no value that is made up for a creation is part of it, and of a secret only its version.
 */
export const planHashOf = ({ body, createOnly = [], versions = [] }: Desired): string => {
  const known = [...createOnly, ...versions.map(({ path }) => path)].reduce<Json>(without, body);
  return hashOf([canonical(known), versions.map(({ version }) => version).toSorted()]);
};

/** The same of the tags alone, or of all but the tags: a fight over the one is none over the other. */
export const partHashOf = (desired: Desired, track: Track): string => {
  const { tags = {}, ...rest } = desired.body;
  return planHashOf({ ...desired, body: track === "tags" ? { tags } : rest });
};
