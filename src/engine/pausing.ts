import { pausedType } from "../core/conditions.ts";
import type { Claim } from "../core/types.ts";
import { allowMove } from "./claim.ts";
import { markMovable } from "./marker.ts";
import { type Recorded, recordRows } from "./recordRows.ts";
import { tellStatus } from "./tell.ts";
import { type Ending, nothingWritten, type Present, seenBy, surroundings, type Turning } from "./turning.ts";

const paused: Claim = {
  type: pausedType,
  status: "True",
  reason: "Paused",
  message: "Capstan makes no call to Azure for this object",
};

/** The turn of a paused object: no call to Azure, no credential; the object says so and may be moved. Operations stay parked. */
export const pausing = async (turning: Turning, present: Present): Promise<Ending> => {
  const { kube, deps, kind } = turning;
  const told = await tellStatus(present.object, {}, [paused], turning);
  if (!told.ok) return surroundings(turning.held, told.error);
  const recorded = await record(turning);
  if (recorded.kind !== "recorded") return recorded;
  const { held } = recorded;
  const allowed = await allowMove(told.value, kind.finalizer, kube);
  if (!allowed.ok) return surroundings(held, allowed.error);
  const dueMs = (deps.tables.nowMs() ?? 0) + deps.settings.driftPeriodMs;
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, allowed.value === told.value ? present : { object: allowed.value }),
      dueMs,
      idle: true,
      observed: false,
      settled: true,
    },
    ...nothingWritten,
    result: "paused",
    movable: true,
  };
};

/** First on record, then true: whoever sees that the object may be moved may delete it the next moment. */
const record = async (turning: Turning): Promise<Recorded | Ending> => {
  const marker = markMovable(true, turning.rowNames);
  return marker.length === 0 ? { kind: "recorded", held: turning.held } : recordRows(turning, marker);
};
