import type { TurnOutcome } from "../core/chain/commit.ts";
import { gone } from "../core/chain/gone.ts";
import { seenOf } from "../core/inputs.ts";
import { project } from "../core/projection.ts";
import type { KubeObject } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import { applying } from "./applying.ts";
import { deleting } from "./deleting.ts";
import { endOfLife } from "./endOfLife.ts";
import type { Held } from "./fence.ts";
import { gather, isMoved } from "./gather.ts";
import { keepOrphans } from "./orphans.ts";
import { pausing } from "./pausing.ts";
import { gated } from "./shared/gatedArm.ts";
import { throttled } from "./throttle/throttled.ts";
import { type Ending, nothingWritten, type Present, surroundings, type Turning, withIdentity } from "./turning.ts";

/** The work of a turn: what its object is now decides what is done, and how that ends. */
export const endingOf = async (turning: Turning): Promise<Ending> => {
  const { item, kind, kube, deps, held } = turning;
  const gathered = await gather(keyOf(item), kind, kube, deps);
  if (!gathered.ok) return surroundings(held, gathered.error);
  const found = gathered.value;
  switch (found.kind) {
    case "gone":
      return missing(turning);
    case "ignored":
      return ignored(turning, found.object, found.why);
    case "paused":
      return withIdentity(await pausing(turning, found), found);
    case "ready":
      return withIdentity(await reconciling(turning, found), found);
  }
};

/** With an Azure that gives it what is its turn by rank, and asks nothing that others were just refused. */
const reconciling = (turning: Turning, present: Present): Promise<Ending> => {
  const { deps, held } = turning;
  const isDeleting = present.object.metadata.deletionTimestamp !== undefined;
  const rank = isDeleting ? "deletion" : held.row.why.human ? "human" : "other";
  const limited = { ...turning, deps: gated(throttled(deps, { object: held.partition, rank }), { nonce: held.nonce }) };
  return isDeleting ? deleting(limited, present) : applying(limited, present);
};

const ignored = ({ deps, held }: Turning, object: KubeObject, why: string): Ending => {
  const dueMs = (deps.tables.nowMs() ?? 0) + deps.settings.driftPeriodMs;
  const seen = seenOf(project(object), []);
  const outcome: TurnOutcome = { kind: "turned", seen, dueMs, idle: true, observed: false, settled: true };
  return { ...idle(held, outcome, why), ...(isMoved(object) && { movable: true }) };
};

const idle = (held: Held, outcome: TurnOutcome, result: string): Extract<Ending, { kind: "commit" }> => ({
  kind: "commit",
  held,
  outcome,
  ...nothingWritten,
  result,
});

/** At first the rows are kept: an API server restored from an old copy also says NotFound. */
const missing = async (turning: Turning): Promise<Ending> => {
  const { held, deps, ledger, item } = turning;
  const verdict = gone({ row: held.row, nowMs: deps.tables.nowMs() ?? 0, ledgerEmpty: ledger.size === 0 });
  if (verdict.kind === "wait")
    return { ...idle(held, verdict.outcome, "gone, looked at again"), ...(item.moved === true && { movable: true }) };
  const kept = await keepOrphans(turning);
  return kept.ok ? endOfLife(turning, "gone") : { kind: "tables", failure: kept.error };
};
