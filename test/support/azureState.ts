import type { Json } from "../../src/core/types.ts";
import { isJsonObject } from "../../src/wire/json.ts";
import type { World } from "./world.ts";

/** Fields that Azure invents anew each time, or that tell when something happened. */
const invented = /^(etag|resourceGuid|ipAddress|privateIPAddress|fqdn)$/;

const lasting = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(lasting);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, child]) => (invented.test(name) ? [] : [[name, lasting(child)]])),
  );
};

const nameOf = (value: Json): string => (isJsonObject(value) && typeof value["name"] === "string" ? value["name"] : "");

/** Lists of named things in one order: in which order they were made does not matter. */
const sorted = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(sorted).toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, child]): readonly [string, Json] => [name, sorted(child)])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
};

/** A resource without what is different in each run although it means the same. */
export const meaningOf = (value: Json): Json => sorted(lasting(value));

/** All of Azure by id, without what is different in each run although it means the same. */
export const azureState = ({ arm }: World): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...arm.resources]
      .map(([id, { body }]): readonly [string, Json] => [id, meaningOf(body as Json)])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );

type AzureState = ReturnType<typeof azureState>;

const below = (value: Json): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap(below);
  if (!isJsonObject(value)) return [];
  const own = typeof value["id"] === "string" && typeof value["name"] === "string" ? [value["id"].toLowerCase()] : [];
  return [...own, ...Object.values(value).flatMap(below)];
};

/** What is in one Azure and not in another: resources and parts of them, ids in lower case. */
export const onlyIn = (one: AzureState, other: AzureState): ReadonlySet<string> => {
  const known = new Set(below({ ...other }));
  return new Set(below({ ...one }).filter((id) => !known.has(id)));
};

const pruned = (value: Json, ids: ReadonlySet<string>): Json => {
  if (Array.isArray(value))
    return value
      .filter((item) => !(isJsonObject(item) && typeof item["id"] === "string" && ids.has(item["id"].toLowerCase())))
      .map((item) => pruned(item, ids));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, pruned(child, ids)]));
};

/** The same Azure without these resources, and without parts and mentions of them. */
export const without = (state: AzureState, ids: ReadonlySet<string>): AzureState =>
  Object.fromEntries(
    Object.entries(state).flatMap(([id, body]) => (ids.has(id) ? [] : [[id, pruned(body, ids)] as const])),
  );
