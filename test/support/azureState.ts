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

/** All of Azure by id, without what is different in each run although it means the same. */
export const azureState = ({ arm }: World): Readonly<Record<string, Json>> =>
  Object.fromEntries(
    [...arm.resources]
      .map(([id, { body }]): readonly [string, Json] => [id, sorted(lasting(body as Json))])
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
