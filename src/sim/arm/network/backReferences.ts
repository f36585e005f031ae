import type { Reference, World } from "../armState.ts";
import type { JsonObject } from "../json.ts";
import { referencesTo } from "../store.ts";

/** Sets a property to the list of those that refer to an id; leaves it out when there is none. */
export const listReferrers = (
  world: World,
  properties: JsonObject,
  name: string,
  id: string,
  counts: (reference: Reference) => boolean,
): void => {
  const ids = new Set(
    referencesTo(world.state, id)
      .filter(counts)
      .map(({ from }) => from),
  );
  if (ids.size > 0) properties[name] = [...ids].map((from) => ({ id: from }));
  else delete properties[name];
};

/** Sets a property to the one that refers to an id; leaves it out when there is none. */
export const nameReferrer = (
  world: World,
  properties: JsonObject,
  name: string,
  id: string,
  counts: (reference: Reference) => boolean,
): void => {
  const found = referencesTo(world.state, id).find(counts);
  if (found === undefined) delete properties[name];
  else properties[name] = { id: found.from };
};

/** A test for the type of the referring resource. */
export const heldBy =
  (type: RegExp) =>
  ({ type: holder }: Reference): boolean =>
    type.test(holder);
