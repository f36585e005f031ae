import { stateOfFailure } from "./conditions.ts";
import { isHeldBack } from "./heldBack.ts";
import type { ServiceState } from "./kind.ts";
import { stillWaits, type Trial } from "./patience.ts";
import type { ResourceRow } from "./resourceRow.ts";
import type { Operation } from "./types.ts";

/** What a turn knows before it touches a resource. */
export interface View {
  /** Table-service time. */
  readonly nowMs: number;
  /** Read Azure again, whatever the table says. */
  readonly observe: boolean;
  /** The turn before never committed: an open intent is looked at, whatever waits. */
  readonly takenOver: boolean;
  /** How long an observation is good for, before the spread; ms. */
  readonly freshMs: number;
  /** A person asks now: back-offs are not waited for. */
  readonly impatient: boolean;
}

/** The first thing to do with a resource. */
export type Opening =
  | { readonly kind: "poll"; readonly operation: Operation }
  | { readonly kind: "wait"; readonly untilMs: number; readonly state: ServiceState }
  | { readonly kind: "settled" }
  | { readonly kind: "read" }
  /** Its group did not exist a moment ago, so there is nothing to read. */
  | { readonly kind: "create" };

/** How long we trust that a group which we made ourselves holds nothing that we did not put there. */
const emptyGroupMs = 10 * 60_000;

/** Spreads re-reads over a quarter of the period, by the hash of the desired body, so that they do not come in one burst. */
const freshFor = (freshMs: number, hash: string): number =>
  freshMs * (0.75 + (Number.parseInt(hash.slice(0, 4), 16) / 0xffff) * 0.25);

/**
 * Polls come first; then a back-off of this very plan; then an open intent, which is observed; then the ledger, which
 * saves a read when desired, ledger and last observation agree.
 */
export const open = (
  wanted: Trial & { readonly desiredHash: string; readonly races: number },
  row: ResourceRow,
  group: ResourceRow | undefined,
  view: View,
): Opening => {
  const { operation, backoff } = row;
  if (operation !== undefined) {
    if (operation.notBeforeMs <= view.nowMs) return { kind: "poll", operation };
    return { kind: "wait", untilMs: operation.notBeforeMs, state: inProgress(operation) };
  }
  if (stillWaits(backoff, wanted, view.nowMs) && !view.impatient && !(view.takenOver && row.intent !== undefined)) {
    // What was as wanted does not become less ready because Azure has no time to be asked.
    const stands = backoff.failure.kind === "throttled" && row.desiredHash === wanted.desiredHash;
    const state: ServiceState = stands
      ? { kind: "done" }
      : stateOfFailure(backoff.failure, "creating", backoff.attempt);
    return { kind: "wait", untilMs: backoff.untilMs, state };
  }
  if (row.intent !== undefined) return { kind: "read" };
  const fresh = view.nowMs - row.observedAtMs < freshFor(view.freshMs, wanted.desiredHash);
  if (!view.observe && row.desiredHash === wanted.desiredHash && fresh && row.observedAtMs > 0)
    return { kind: "settled" };
  // After a refusal something may stand there after all.
  const refused = backoff !== undefined && !isHeldBack(backoff.failure);
  const untried = row.known === "nothing" && row.passedOver !== true && !refused && wanted.races === 0;
  if (untried && isNewAndEmpty(group, view)) return { kind: "create" };
  return { kind: "read" };
};

const isNewAndEmpty = (group: ResourceRow | undefined, view: View): boolean =>
  group?.known === "created" && group.createdAtMs !== undefined && view.nowMs - group.createdAtMs < emptyGroupMs;

export const inProgress = ({ verb }: Pick<Operation, "verb">): ServiceState =>
  verb === "DELETE"
    ? { kind: "inProgress", verb: "deleting" }
    : { kind: "inProgress", verb: verb === "PATCH" ? "updating" : "creating" };
