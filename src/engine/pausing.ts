import type { Claim } from "../core/types.ts";
import { allowMove } from "./claim.ts";
import { tellStatus } from "./tell.ts";
import { type Ending, nothingWritten, type Present, seenBy, surroundings, type Turning } from "./turning.ts";

const paused: Claim = {
  type: "Paused",
  status: "True",
  reason: "Paused",
  message: "Capstan makes no call to Azure for this object",
};

/** The turn of a paused object: no call to Azure, no credential; the object says so and may be moved. Operations stay parked. */
export const pausing = async (turning: Turning, present: Present): Promise<Ending> => {
  const { held, kube, deps, kind } = turning;
  const told = await tellStatus(present.object, {}, [paused], { kube, deps, held });
  if (!told.ok) return surroundings(held, told.error);
  const allowed = await allowMove(told.value, kind.finalizer, kube);
  if (!allowed.ok) return surroundings(held, allowed.error);
  const dueMs = (deps.tables.nowMs() ?? 0) + deps.settings.driftPeriodMs;
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, allowed.value),
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
