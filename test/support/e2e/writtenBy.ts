import { textAt, valueAt } from "../../../src/api/json.ts";
import type { Json, JsonObject, ObjectKey } from "../../../src/core/types.ts";
import { decodeHistory } from "../../../src/engine/historyRow.ts";
import { partitionOf } from "../../../src/engine/ledger.ts";
import type { LoggedRequest } from "../../../src/sim/arm/requestLog.ts";
import { must } from "../contracts/must.ts";
import type { Scene } from "./scene.ts";

const listOf = (value: Json | undefined): readonly JsonObject[] =>
  // The one cast: the history of writes holds lists of objects.
  Array.isArray(value) ? (value as readonly JsonObject[]) : [];

/** From Azure's id of a request to the turn that made it, as the object's history tells. */
const turnsByRequest = async ({ store, stack }: Scene, key: ObjectKey): Promise<ReadonlyMap<string, number>> => {
  const rows = must(await store.list("history", partitionOf(stack.cluster, key)));
  const entries = rows.map(decodeHistory).flatMap(({ turn, writes, troubles }) => {
    const requests = [...writes.flatMap((write) => listOf(valueAt(write, "requests"))), ...troubles];
    return requests.flatMap((one) => {
      const id = textAt(one, "requestId");
      return id === undefined ? [] : [[id, turn] as const];
    });
  });
  return new Map(entries);
};

/**
 * The turn of each write of an object in the order in which Azure had them; undefined where the history knows none.
 * Fails with what the tables say.
 */
export const turnsOfWrites = async (
  scene: Scene,
  key: ObjectKey,
  writes: readonly LoggedRequest[],
): Promise<readonly (number | undefined)[]> => {
  const turns = await turnsByRequest(scene, key);
  return writes.map(({ requestId }) => turns.get(requestId));
};

/** Ids that Azure said it has created although they were there; with a group or a network goes all that is in it. */
export const createdTwice = (requests: readonly LoggedRequest[]): readonly string[] => {
  const alive = new Set<string>();
  return requests.flatMap(({ method, path, status }) => {
    const id = path.toLowerCase();
    if (method === "DELETE" && status < 300)
      for (const one of alive) if (`${one}/`.startsWith(`${id}/`)) alive.delete(one);
    if (method !== "PUT" || status !== 201) return [];
    if (alive.has(id)) return [id];
    alive.add(id);
    return [];
  });
};
