import { stateOfFailure } from "../core/conditions.ts";
import { nextTry } from "../core/nextTry.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure } from "../core/types.ts";
import { nowOf, type Session } from "./session.ts";
import type { Item } from "./work.ts";

/** The item after a failure: it waits, and is then looked at, whatever the ledger says. */
export const failed = (item: Item, failure: Failure, session: Session): Item => {
  const now = { nowMs: nowOf(session), random0to1: session.deps.random() };
  const backoff = nextTry(item.row.backoff, item, failure, now);
  const row: ResourceRow = { ...item.row, observedAtMs: 0, backoff };
  return { ...item, row, state: stateOfFailure(failure, "creating", backoff.attempt), untilMs: backoff.untilMs };
};
