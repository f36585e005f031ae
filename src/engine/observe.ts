import { backoffSeconds } from "../core/backoff.ts";
import { stateOfFailure } from "../core/conditions.ts";
import { type Decision, decide } from "../core/decide.ts";
import { uncounted } from "../core/guard.ts";
import type { ServiceState } from "../core/kind.ts";
import { inProgress, type Opening } from "../core/opening.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, JsonObject, Observed, Operation, PlannedRequest, Refusal } from "../core/types.ts";
import { resourceIn } from "./resourceIn.ts";
import { mayAskAzure, nowOf, type Session } from "./session.ts";
import { groupIn, type Item, parentIn, type Work } from "./work.ts";

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
    case "wait":
      return { item: { ...item, state: opening.state, untilMs: opening.untilMs, ours: isOurs(item.row) } };
    case "settled":
      return { item: { ...item, state: { kind: "done" }, ours: isOurs(item.row) } };
    case "poll":
      return { item: await poll(item, opening.operation, session) };
    case "create":
      return decided(item, await decideOn(item, { kind: "absent" }, work, session), undefined, nowOf(session));
    case "read":
      return read(item, work, session);
  }
};

const itsTurn: ServiceState = { kind: "waiting", why: "its turn" };
const isOurs = ({ known }: ResourceRow): boolean => known === "created" || known === "adopted";

const read = async (item: Item, work: Work, session: Session): Promise<Looked> => {
  const answer = await session.arm.send({
    method: "GET",
    path: item.desired.id,
    apiVersion: await apiVersionOf(item, session),
  });
  if (!answer.ok && answer.error.status !== 404) return { item: failed(item, answer.error, session) };
  const observed: Observed = answer.ok
    ? {
        kind: "present",
        body: resourceIn(answer.value),
        ...(answer.value.etag !== undefined && { etag: answer.value.etag }),
      }
    : { kind: "absent" };
  return decided(
    item,
    await decideOn(item, observed, work, session),
    observed.kind === "present" ? observed.body : undefined,
    nowOf(session),
  );
};

const apiVersionOf = async (item: Item, { deps }: Session): Promise<string> =>
  (await deps.schema(item.service.type)).apiVersion;

const decideOn = async (item: Item, observed: Observed, work: Work, session: Session): Promise<Decision> => {
  const parent = parentIn(work, item) ?? groupIn(work, item);
  return decide({
    ...item,
    observed,
    schema: await session.deps.schema(item.service.type),
    ownerTags: session.ownerTags,
    parentOurs: parent?.ours ?? false,
    nowMs: nowOf(session),
    cause: session.cause,
  });
};

const busySeconds = 5;

const decided = (item: Item, decision: Decision, body: JsonObject | undefined, nowMs: number): Looked => {
  const { row } = decision;
  const next: Item = { ...item, row, ours: true, ...(body !== undefined && { body }) };
  switch (decision.kind) {
    case "done":
      return { item: { ...next, state: stateAfter(decision.refusals), ours: decision.ours } };
    case "busy": {
      const untilMs = nowMs + busySeconds * 1_000;
      return { item: { ...next, state: { kind: "waiting", why: decision.why }, untilMs } };
    }
    case "held":
      return { item: { ...next, state: heldState(decision), untilMs: decision.untilMs } };
    case "write":
      return { item: next, write: decision };
  }
};

/** Refused parts of a plan show, but stop nothing. */
export const stateAfter = (refusals: readonly Refusal[]): ServiceState => {
  const first = refusals[0];
  if (first === undefined) return { kind: "done" };
  return { kind: "refused", reason: first.reason, message: refusals.map(({ message }) => message).join("; ") };
};

const heldState = ({ row, untilMs, requests }: Extract<Decision, { kind: "held" }>): ServiceState => {
  const changes = requests.flatMap((request) => request.changes);
  const what = changes
    .map(({ path, from, to }) => `${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`)
    .join(", ");
  const message = `${row.id}: written ${row.writes.length} times and undone each time (${what}); goes on at ${new Date(untilMs).toISOString()}`;
  return { kind: "failed", reason: "ReconcileLoop", severity: "Warning", message };
};

/**
 * One poll. When the poll itself fails the operation stays, and is asked for more slowly each time; a failed operation
 * ends, and the resource is read anew after its back-off.
 */
const poll = async (item: Item, operation: Operation, session: Session): Promise<Item> => {
  const target = { path: item.desired.id, apiVersion: await apiVersionOf(item, session) };
  const answer = await session.arm.poll(operation, target);
  if (!answer.ok) return unanswered(item, operation, answer.error, session);
  const { operation: _, backoff, ...row } = item.row;
  // How often it has failed is forgotten only when it went well.
  const attempts = backoff === undefined ? {} : { backoff };
  switch (answer.value.kind) {
    case "running":
      return later(
        item,
        { ...operation, ...answer.value.operation, startedMs: operation.startedMs },
        answer.value.retryAfterSeconds * 1_000,
        session,
      );
    case "succeeded":
      return { ...item, row: { ...row, observedAtMs: nowOf(session) } };
    case "failed": {
      const { desiredHash: _hash, ...bare } = row;
      // It changed nothing that lasts, so it does not count.
      const writes = uncounted(row.writes, row.writes.at(-1)?.planHash ?? "");
      return failed({ ...item, row: { ...bare, ...attempts, writes } }, answer.value.failure, session);
    }
    case "unknown":
      return { ...item, row: { ...row, observedAtMs: 0 } };
  }
};

const unanswered = (item: Item, operation: Operation, failure: Failure, session: Session): Item => {
  const waiting = failed(item, failure, session);
  const notBeforeMs = waiting.untilMs ?? nowOf(session);
  const row = { ...waiting.row, operation: { ...operation, notBeforeMs } };
  return { ...waiting, row, ours: isOurs(row) };
};

const later = (item: Item, operation: Operation, inMs: number, session: Session): Item => {
  const notBeforeMs = nowOf(session) + inMs;
  const still = { ...operation, notBeforeMs };
  return {
    ...item,
    row: { ...item.row, operation: still },
    state: inProgress(still),
    untilMs: notBeforeMs,
    ours: isOurs(item.row),
  };
};

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
