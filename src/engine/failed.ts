import { backoffSeconds } from "../core/backoff.ts";
import { stateOfFailure } from "../core/conditions.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure } from "../core/types.ts";
import { nowOf, type Session } from "./session.ts";
import type { Item } from "./work.ts";

const waitMs = (failure: Failure, attempt: number, { deps }: Session): number =>
  1_000 * Math.max(failure.retryAfterSeconds ?? 0, backoffSeconds(failure.kind, attempt, deps.random()));

/**
 * The item after a failure: it waits by its class, longer each time, as long as the plan is the same, and is then looked
 * at, whatever the ledger says.
 */
export const failed = (item: Item, failure: Failure, session: Session): Item => {
  const { backoff } = item.row;
  const attempt = backoff?.planHash === item.planHash ? backoff.attempt + 1 : 1;
  const untilMs = nowOf(session) + waitMs(failure, attempt, session);
  const next = { planHash: item.planHash, untilMs, attempt, failure };
  const row: ResourceRow = { ...item.row, observedAtMs: 0, backoff: next };
  return { ...item, row, state: stateOfFailure(failure, "creating"), untilMs };
};
