import { backoffSeconds } from "../core/backoff.ts";
import { stateOfFailure } from "../core/conditions.ts";
import { type Decision, decide } from "../core/decide.ts";
import type { ServiceState } from "../core/kind.ts";
import { inProgress, type Opening } from "../core/opening.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, JsonObject, Observed, Operation, PlannedRequest, Refusal } from "../core/types.ts";
import { nowOf, type Session } from "./session.ts";
import { groupIn, type Item, parentIn, type Work } from "./work.ts";

/** What looking at one resource led to: its next form, and perhaps requests to send. */
export interface Looked {
  readonly item: Item;
  readonly write?: {
    readonly requests: readonly PlannedRequest[];
    readonly verb: "creating" | "updating";
    readonly refusals: readonly Refusal[];
  };
}

/** Carries out the first thing to do with a resource: poll, read and decide, or just take what the table says. */
export const look = async (item: Item, opening: Opening, work: Work, session: Session): Promise<Looked> => {
  switch (opening.kind) {
    case "wait":
      return { item: { ...item, state: opening.state, untilMs: opening.untilMs, ours: true } };
    case "settled":
      return {
        item: { ...item, state: { kind: "done" }, ours: item.row.known === "created" || item.row.known === "adopted" },
      };
    case "poll":
      return { item: await poll(item, opening.operation, session) };
    case "create":
      return decided(item, await decideOn(item, { kind: "absent" }, work, session), undefined);
    case "read":
      return read(item, work, session);
  }
};

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
        body: asObject(answer.value.body),
        ...(answer.value.etag !== undefined && { etag: answer.value.etag }),
      }
    : { kind: "absent" };
  return decided(
    item,
    await decideOn(item, observed, work, session),
    observed.kind === "present" ? observed.body : undefined,
  );
};

// An ARM resource is always a JSON object; anything else has none of the fields that are looked for.
const asObject = (body: unknown): JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as JsonObject) : {};

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

const decided = (item: Item, decision: Decision, body: JsonObject | undefined): Looked => {
  const { row } = decision;
  const next: Item = { ...item, row, ours: true, ...(body !== undefined && { body }) };
  switch (decision.kind) {
    case "done":
      return { item: { ...next, state: stateAfter(decision.refusals), ours: decision.ours } };
    case "busy":
      return {
        item: {
          ...next,
          state: { kind: "waiting", why: decision.why },
          untilMs: row.observedAtMs + busySeconds * 1_000,
        },
      };
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

/** One poll. A transport failure keeps the operation; a failed operation ends it and is read anew after its back-off. */
const poll = async (item: Item, operation: Operation, session: Session): Promise<Item> => {
  const target = { path: item.desired.id, apiVersion: await apiVersionOf(item, session) };
  const answer = await session.arm.poll(operation, target);
  if (!answer.ok) return later(item, operation, waitMs(answer.error, 1, session), session);
  const { operation: _, ...row } = item.row;
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
      return failed({ ...item, row: { ...bare, observedAtMs: 0 } }, answer.value.failure, session);
    }
    case "unknown":
      return { ...item, row: { ...row, observedAtMs: 0 } };
  }
};

const later = (item: Item, operation: Operation, inMs: number, session: Session): Item => {
  const notBeforeMs = nowOf(session) + inMs;
  const still = { ...operation, notBeforeMs };
  return {
    ...item,
    row: { ...item.row, operation: still },
    state: inProgress(still),
    untilMs: notBeforeMs,
    ours: true,
  };
};

const waitMs = (failure: Failure, attempt: number, { deps }: Session): number =>
  1_000 * Math.max(failure.retryAfterSeconds ?? 0, backoffSeconds(failure.kind, attempt, deps.random()));

/** The item after a failure: it waits by its class, longer each time, as long as the plan is the same. */
export const failed = (item: Item, failure: Failure, session: Session): Item => {
  const { backoff } = item.row;
  const attempt = backoff?.planHash === item.planHash ? backoff.attempt + 1 : 1;
  const untilMs = nowOf(session) + waitMs(failure, attempt, session);
  const row: ResourceRow = { ...item.row, backoff: { planHash: item.planHash, untilMs, attempt, failure } };
  return { ...item, row, state: stateOfFailure(failure, "creating"), untilMs };
};
