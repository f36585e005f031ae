import { type Decision, decide } from "../core/decide.ts";
import type { ServiceState } from "../core/kind.ts";
import type { Opening } from "../core/opening.ts";
import { nextLookMs } from "../core/polling.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, JsonObject, Observed, PlannedRequest, Refusal } from "../core/types.ts";
import { notYetVisibleUntilMs } from "../core/visibility.ts";
import { failed } from "./failed.ts";
import { heldState } from "./heldState.ts";
import { withOtherWriters } from "./otherWriters.ts";
import { pollOne } from "./pollOne.ts";
import { readResource } from "./readResource.ts";
import { apiVersionOf, mayAskAzure, nowOf, type Session } from "./session.ts";
import { steadied } from "./steadied.ts";
import { type Item, isBesideOurs, isOurs, parentIn, type Work } from "./work.ts";

/** What looking at one resource led to: its next form, and perhaps requests to send. */
export interface Looked {
  readonly item: Item;
  readonly write?: {
    readonly requests: readonly PlannedRequest[];
    readonly verb: "creating" | "updating";
    readonly refusals: readonly Refusal[];
  };
  /** The turn was too old to ask Azure. */
  readonly late?: true;
}

/** Carries out the first thing to do with a resource: poll, read and decide, or just take what the table says. */
export const look = async (item: Item, opening: Opening, work: Work, session: Session): Promise<Looked> => {
  const asks = opening.kind === "poll" || opening.kind === "read";
  if (asks && !mayAskAzure(session)) return { item: { ...item, state: itsTurn }, late: true };
  switch (opening.kind) {
    case "wait": {
      const { untilMs } = opening;
      const state = opening.state.kind === "done" ? asFound(item.row) : opening.state;
      return { item: steadied({ ...item, state, untilMs, ...oursAsKnown(item) }, session) };
    }
    case "settled":
      return { item: { ...item, state: asFound(item.row), ours: isOurs(item.row) } };
    case "poll":
      return { item: steadied(await pollOne(item, opening.operation, session), session) };
    case "create":
      return decided(item, await decideOn(item, { kind: "absent" }, work, session), undefined, session);
    case "read":
      return read(item, work, session);
  }
};

type Finding = Pick<ResourceRow, "passedOver" | "remark">;

/** What a look that found nothing to do has left. */
const asFound = ({ passedOver, remark }: Finding): ServiceState => {
  if (passedOver === true) return { kind: "unused" };
  return remark === undefined ? { kind: "done" } : { kind: "done", message: remark };
};

/** What could not be made yet is nobody's. */
const oursAsKnown = ({ row }: Item): Pick<Item, "ours"> => (row.known === "nothing" ? {} : { ours: isOurs(row) });

const itsTurn: ServiceState = { kind: "waiting", why: "its turn" };

const read = async (item: Item, work: Work, session: Session): Promise<Looked> => {
  const answer = await readResource(item.desired.id, await apiVersionOf(item, session), session);
  if (!answer.ok && answer.error.status !== 404) return { item: afterFailedRead(item, answer.error, session) };
  if (!answer.ok && notYetVisibleUntilMs(item.row, nowOf(session)) !== undefined)
    return { item: busy(item, item.row, notYetVisible, session) };
  const observed: Observed = answer.ok ? { kind: "present", ...answer.value } : { kind: "absent" };
  return decided(
    item,
    await decideOn(item, observed, work, session),
    observed.kind === "present" ? observed.body : undefined,
    session,
  );
};

const decideOn = async (item: Item, observed: Observed, work: Work, session: Session): Promise<Decision> => {
  const decision = decide({
    ...item,
    observed,
    schema: await session.deps.schema(item.service.type),
    ownerTags: session.ownerTags,
    parentOurs: parentIn(work, item)?.ours ?? false,
    besideOurs: isBesideOurs(item, work),
    nowMs: nowOf(session),
    cause: session.cause,
    circumstances: session.circumstances,
  });
  return withOtherWriters(decision, item, work, session);
};

const notYetVisible = "Azure does not show it yet";

/** It was as wanted when it was last looked at. */
const wasSettled = ({ row, desiredHash }: Item): boolean => row.desiredHash === desiredHash;

/**
 * Azure is at work on it, or does not show it yet: looked at again, ever more slowly. Whatever its condition said before
 * stays, so that readiness does not flip each time somebody else touches it.
 */
const busy = (item: Item, row: ResourceRow, why: string, session: Session): Item => {
  const nowMs = nowOf(session);
  const busySinceMs = item.row.busySinceMs ?? nowMs;
  const untilMs = nowMs + nextLookMs({ forMs: nowMs - busySinceMs, random0to1: session.deps.random() });
  return {
    ...item,
    row: { ...row, observedAtMs: 0, busySinceMs },
    state: { kind: "waiting", why },
    untilMs,
    ours: true,
  };
};

/** Failures that pass by themselves. */
const passing: ReadonlySet<Failure["kind"]> = new Set(["transient", "throttled", "conflict"]);

/** One look that failed says nothing of what was as wanted before; two in a row do, unless Azure was not really asked. */
const afterFailedRead = (item: Item, failure: Failure, session: Session): Item => {
  const after = failed(item, failure, session);
  const isFirst = item.row.backoff === undefined || item.row.backoff.failure.kind === "throttled";
  return isFirst && wasSettled(item) && passing.has(failure.kind)
    ? { ...after, state: asFound(item.row), ours: isOurs(item.row) }
    : after;
};

const withoutBusy = (row: ResourceRow): ResourceRow => {
  const { busySinceMs, ...rest } = row;
  return busySinceMs === undefined ? row : rest;
};

const untilOf = ({ untilMs }: { readonly untilMs?: number }): { readonly untilMs?: number } =>
  untilMs === undefined ? {} : { untilMs };

const decided = (item: Item, decision: Decision, body: JsonObject | undefined, session: Session): Looked => {
  const row = withoutBusy(decision.row);
  const next: Item = { ...item, row, ours: true, ...(body !== undefined && { body }) };
  switch (decision.kind) {
    case "done":
      return {
        item: { ...next, ...untilOf(decision), state: stateAfter(row, decision.refusals), ours: decision.ours },
      };
    case "busy":
      return { item: { ...busy(item, row, decision.why, session), ...(body !== undefined && { body }) } };
    case "stopped":
      return {
        item: { ...next, ...untilOf(decision), state: decision.state, ours: row.known !== "seenUnmanaged" },
      };
    case "passedOver":
      return { item: { ...next, state: asFound(row), ours: false } };
    case "held":
      return { item: { ...next, state: heldState(decision), untilMs: decision.held.untilMs } };
    case "write":
      return {
        item: { ...next, ...untilOf(decision) },
        write: decision,
      };
  }
};

/** Refused parts of a plan show, with the resource that they are of, but stop nothing. */
export const stateAfter = (row: Pick<ResourceRow, "id"> & Finding, refusals: readonly Refusal[]): ServiceState => {
  const first = refusals[0];
  if (first === undefined) return asFound(row);
  const named = ({ message }: Refusal): string => (message.includes(row.id) ? message : `${row.id}: ${message}`);
  return { kind: "refused", reason: first.reason, message: refusals.map(named).join("; ") };
};
