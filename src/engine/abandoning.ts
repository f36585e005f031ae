import { annotations } from "../core/annotations.ts";
import { cutText } from "../core/cutText.ts";
import { hashOf } from "../core/hash.ts";
import { encodeResourceRow } from "../core/resourceRow.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { keepHistory } from "./history.ts";
import type { Exodus } from "./leaving.ts";
import { tellEvents } from "./tellEvents.ts";
import type { Turning } from "./turning.ts";

/**
 * What a person has given up is written down before the finalizer goes: in table `orphans`, where it is listed like what
 * vanished objects left behind, in the object's history and events, and in the log. Written again after a crash it is the
 * same row.
 */
export const keepAbandoned = async (turning: Turning, object: KubeObject, exodus: Exodus): Promise<Result<void>> => {
  const { deps, held, item } = turning;
  const { cluster, kind, namespace, name } = item;
  const abandoned = [...exodus.values()].filter(({ because }) => because === "released").map(({ row }) => row);
  for (const row of abandoned) {
    const { values, packed } = encodeResourceRow(row);
    const about = { kind, namespace, name, moved: false, abandoned: true, sinceMs: deps.tables.nowMs() ?? 0 };
    const saved = await deps.tables.commit("orphans", cluster, [
      { kind: "upsert", row: hashOf([held.partition, row.id]), values: { ...values, ...about }, packed },
    ]);
    if (!saved.ok) return saved;
    deps.log("warn", "abandoned", { object: `${namespace}/${name}`, kind, id: row.id });
  }
  if (abandoned.length > 0) await audit(turning, object, abandoned.map(({ id }) => id).join(", "));
  return { ok: true, value: undefined };
};

const longestMessage = 4_096;

/** Best effort, like all of history and events. */
const audit = async (turning: Turning, object: KubeObject, ids: string): Promise<void> => {
  const { deps, held, item } = turning;
  const message = `left behind, because annotation ${annotations.abandon} says so: ${ids}`;
  const entry = {
    kind: "turn",
    atMs: deps.tables.nowMs() ?? 0,
    turn: held.row.turn + 1,
    cause: item.cause,
    generation: item.generation,
    result: "abandoned",
    wrote: 0,
    polled: 0,
    code: "Abandoned",
    message: cutText(message, longestMessage),
    writes: [],
    troubles: [],
    holds: [],
  } as const;
  await keepHistory(held.partition, entry, held.nonce, deps);
  await tellEvents(object, [{ type: "Warning", reason: "Abandoned", about: annotations.abandon, message }], turning);
};
