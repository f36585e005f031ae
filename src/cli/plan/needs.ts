import { idKey, parentOf, parseId, resourceGroupOf } from "../../core/ids.ts";
import type { ServiceFacts } from "../../core/runnableKind.ts";
import type { Json, JsonObject } from "../../core/types.ts";
import { isJsonList, isJsonObject } from "../../wire/json.ts";
import { servicesBefore } from "./serviceOrder.ts";

/** One resource of a plan, with a body that names what it refers to. */
export interface Needing {
  readonly id: string;
  readonly service: ServiceFacts;
  readonly body: JsonObject;
}

const textsIn = (value: Json): readonly string[] => {
  if (typeof value === "string") return [value];
  if (isJsonList(value)) return value.flatMap(textsIn);
  return isJsonObject(value) ? Object.values(value).flatMap(textsIn) : [];
};

/** An id and what it is a part of: a backend pool is one of its load balancer. */
const withOwners = (id: string): readonly string[] => {
  const parts = parseId(id);
  if (parts === undefined) return [];
  const parent = parts.types.length > 1 ? parentOf(id) : undefined;
  return parent === undefined ? [id] : [id, ...withOwners(parent)];
};

/** What it lives in: resources above it, its scope, and its group. */
const placeOf = (id: string): readonly string[] =>
  [...withOwners(id), parentOf(id), resourceGroupOf(id)].filter((one) => one !== undefined);

/** The first of an id and its owners that is planned. */
const plannedOf = (id: string, planned: ReadonlyMap<string, Needing>): Needing | undefined =>
  withOwners(id)
    .map((one) => planned.get(idKey(one)))
    .find((one) => one !== undefined);

/**
 * Which of the planned resources each of them cannot do without: what it lives in, and what its body names, among the
 * services that come before its own. Ids as planned, in their order.
 */
export const needsAmong = (
  all: readonly Needing[],
  services: readonly ServiceFacts[],
): ((one: Needing) => readonly string[]) => {
  const planned = new Map(all.map((one) => [idKey(one.id), one]));
  const before = servicesBefore(services);
  return ({ id, service, body }) => {
    const earlier = before(service.name);
    const named = textsIn(body).flatMap((text) => plannedOf(text, planned) ?? []);
    const around = placeOf(id).flatMap((place) => planned.get(idKey(place)) ?? []);
    const found = new Set(
      [...around, ...named].filter((other) => earlier.has(other.service.name)).map((one) => one.id),
    );
    return all.flatMap((other) => (found.has(other.id) && idKey(other.id) !== idKey(id) ? [other.id] : []));
  };
};
