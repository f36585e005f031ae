import { backoffSeconds } from "../core/backoff.ts";
import { stateOfFailure } from "../core/conditions.ts";
import { decideRemoval } from "../core/decideRemoval.ts";
import { idKey } from "../core/ids.ts";
import { emptyRow } from "../core/resourceRow.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Failure, JsonObject, Observed, ResourceId } from "../core/types.ts";
import type { Driven } from "./drive.ts";
import { type Held, saveRows } from "./fence.ts";
import {
  type Exodus,
  groupOf,
  isGroup,
  type Leaving,
  leavingOf,
  nextToLeave,
  withGroupsGone,
  withLeaving,
} from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { inPool, mayAskAzure, nowOf, type Session } from "./session.ts";

/** How far a deletion has come. */
export interface Removed {
  readonly exodus: Exodus;
  readonly held: Held;
  readonly polled: number;
  readonly wrote: number;
  readonly ended: Driven["ended"];
}

/** Deletes wave after wave, backwards along the dependencies, until nothing can be done right now. */
export const remove = async (exodus: Exodus, held: Held, session: Session): Promise<Removed> => {
  let removed: Removed = { exodus, held, polled: 0, wrote: 0, ended: { kind: "through" } };
  for (;;) {
    const next = nextToLeave(removed.exodus);
    if (next.length === 0) return removed;
    if (!mayAskAzure(session)) return { ...removed, ended: { kind: "late" } };
    removed = await wave(removed, next, session);
    if (removed.ended.kind !== "through") return removed;
  }
};

const wave = async (before: Removed, next: readonly Leaving[], session: Session): Promise<Removed> => {
  const polling = next.filter(({ row }) => isDue(row.operation, session));
  const looked = await inPool(next, (leaving) => look(leaving, before.exodus, session));
  const exodus = withGroupsGone(
    withLeaving(
      before.exodus,
      looked.map(({ leaving }) => leaving),
    ),
  );
  const after = { ...before, exodus, polled: before.polled + polling.length };
  const deleting = looked.filter((one) => one.send).map(({ leaving }) => leaving);
  return deleting.length === 0 ? after : send(after, deleting, session);
};

interface Look {
  readonly leaving: Leaving;
  /** Its intent is to be stored and its DELETE to be sent. */
  readonly send: boolean;
}

const isDue = (operation: Leaving["row"]["operation"], session: Session): boolean =>
  operation?.verb === "DELETE" && operation.notBeforeMs <= nowOf(session);

const inProgress = { kind: "inProgress", verb: "deleting" } as const;
const only = (leaving: Leaving): Look => ({ leaving, send: false });

/** A running DELETE is polled; anything else is read: a deletion outranks an operation that is still making it. */
const look = async (leaving: Leaving, exodus: Exodus, session: Session): Promise<Look> => {
  const { row } = leaving;
  const { operation, backoff } = row;
  if (operation?.verb === "DELETE") {
    if (operation.notBeforeMs > nowOf(session))
      return only({ ...leaving, state: inProgress, untilMs: operation.notBeforeMs });
    const polled = await poll(leaving, session);
    if (polled.state !== undefined) return only(polled);
    return read(polled, exodus, session);
  }
  if (backoff !== undefined && backoff.planHash === deletionPlan && backoff.untilMs > nowOf(session)) {
    return only({ ...leaving, state: stateOfFailure(backoff.failure, "deleting"), untilMs: backoff.untilMs });
  }
  return read(leaving, exodus, session);
};

/** Deletions have one plan: what a back-off belongs to. */
const deletionPlan = "delete";

const poll = async (leaving: Leaving, session: Session): Promise<Leaving> => {
  const { operation, ...row } = leaving.row;
  if (operation === undefined) return leaving;
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const answer = await session.arm.poll(operation, { path: leaving.id, apiVersion });
  if (!answer.ok || answer.value.kind === "running") {
    const seconds = answer.ok && answer.value.kind === "running" ? answer.value.retryAfterSeconds : 5;
    const untilMs = nowOf(session) + seconds * 1_000;
    const running = answer.ok && answer.value.kind === "running" ? answer.value.operation : operation;
    return {
      ...leaving,
      row: { ...row, operation: { ...operation, ...running, startedMs: operation.startedMs, notBeforeMs: untilMs } },
      state: inProgress,
      untilMs,
    };
  }
  return answer.value.kind === "failed"
    ? failed({ ...leaving, row }, answer.value.failure, session)
    : { ...leaving, row };
};

const failed = (leaving: Leaving, failure: Failure, session: Session): Leaving => {
  const { backoff } = leaving.row;
  const attempt = backoff?.planHash === deletionPlan ? backoff.attempt + 1 : 1;
  const seconds = Math.max(
    failure.retryAfterSeconds ?? 0,
    backoffSeconds(failure.kind, attempt, session.deps.random()),
  );
  const untilMs = nowOf(session) + seconds * 1_000;
  return {
    ...leaving,
    row: { ...leaving.row, backoff: { planHash: deletionPlan, untilMs, attempt, failure } },
    state: stateOfFailure(failure, "deleting"),
    untilMs,
  };
};

const read = async (leaving: Leaving, exodus: Exodus, session: Session): Promise<Look> => {
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const answer = await session.arm.send({ method: "GET", path: leaving.id, apiVersion });
  if (!answer.ok && answer.error.status !== 404) return only(failed(leaving, answer.error, session));
  const observed: Observed = answer.ok ? { kind: "present", body: asObject(answer.value.body) } : { kind: "absent" };
  const verdict = decideRemoval({
    ...leaving,
    observed,
    ownerTags: session.ownerTags,
    parentOurs: isParentOurs(leaving, exodus),
    nowMs: nowOf(session),
    cause: session.cause,
  });
  switch (verdict.kind) {
    case "gone":
    case "kept":
      return only({ ...leaving, row: verdict.row, end: verdict.kind });
    case "wait":
      return only({ ...leaving, row: verdict.row, state: inProgress, untilMs: verdict.untilMs });
    case "delete":
      return { leaving: { ...leaving, row: verdict.row }, send: true };
  }
};

const asObject = (body: unknown): JsonObject =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? (body as JsonObject) : {};

/** An untaggable child that we do not know goes with a parent that is ours; here only what is known counts. */
const isParentOurs = (leaving: Leaving, exodus: Exodus): boolean => {
  const parent = exodus.get(idKey(leaving.id).split("/").slice(0, -2).join("/")) ?? groupOf(exodus, leaving);
  return parent?.row.known === "created" || parent?.row.known === "adopted";
};

const send = async (removed: Removed, deleting: readonly Leaving[], session: Session): Promise<Removed> => {
  const saved = await saveRows(
    removed.held,
    deleting.map(({ row }) => savingOf(row)),
    session.deps,
  );
  if (saved.kind === "failed") return { ...removed, ended: saved };
  if (saved.kind === "lost" || saved.kind === "missing") return { ...removed, ended: { kind: saved.kind } };
  // A stop does not stop a deletion unless the object was paused: the next turn sees which.
  if (saved.kind === "finish") return { ...removed, held: saved.held, ended: { kind: "stopped" } };
  const sent = await inPool(deleting, (leaving) => sendOne(leaving, session));
  return {
    ...removed,
    held: saved.held,
    exodus: withGroupsGone(withLeaving(removed.exodus, sent)),
    wrote: removed.wrote + sent.length,
  };
};

const afterDeleteSeconds = 1;

const sendOne = async (leaving: Leaving, session: Session): Promise<Leaving> => {
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const answer = await session.arm.send({ method: "DELETE", path: leaving.id, apiVersion });
  const nowMs = nowOf(session);
  if (!answer.ok)
    return answer.error.status === 404 ? { ...leaving, end: "gone" } : failed(leaving, answer.error, session);
  const { intent: _, backoff: _backoff, operation: _operation, ...row } = leaving.row;
  const { operation } = answer.value;
  if (operation === undefined) {
    // Azure says it is gone; whether it answers 404 is seen in the next wave.
    return answer.value.status === 204
      ? { ...leaving, row, end: "gone" }
      : { ...leaving, row, state: inProgress, untilMs: nowMs + afterDeleteSeconds * 1_000 };
  }
  const notBeforeMs = nowMs + operation.notBeforeMs;
  return {
    ...leaving,
    row: { ...row, operation: { ...operation, startedMs: nowMs, notBeforeMs } },
    state: inProgress,
    untilMs: notBeforeMs,
  };
};

/** What carries the owner tag in groups that stay, of types that this kind makes: left behind by a lost ledger. */
export const listLeftovers = async (
  kind: RunnableKind,
  exodus: Exodus,
  groups: readonly ResourceId[],
  session: Session,
): Promise<{ readonly found: readonly Leaving[]; readonly failure?: Failure }> => {
  const staying = groups.filter((group) => exodus.get(idKey(group))?.end === "kept");
  const [tag] = Object.entries(session.ownerTags);
  if (tag === undefined) return { found: [] };
  const { apiVersion } = await session.deps.schema("Microsoft.Resources/resourceGroups");
  const filter = `tagName eq '${tag[0]}' and tagValue eq '${tag[1]}'`;
  const answers = await inPool(staying, (group) =>
    session.arm.list({ method: "GET", path: `${group}/resources`, apiVersion, query: { $filter: filter } }),
  );
  const broken = answers.find((answer) => !answer.ok);
  if (broken !== undefined && !broken.ok) return { found: [], failure: broken.error };
  const ids = answers.flatMap((answer) => (answer.ok ? answer.value.map(({ id }) => id) : []));
  const fresh = ids.filter((id): id is ResourceId => typeof id === "string" && !exodus.has(idKey(id)));
  return {
    found: fresh
      .flatMap((id) => leavingOf(kind, id))
      .map((one) => ({ ...one, row: emptyRow(one.id, one.service.name) })),
  };
};

export const remaining = (exodus: Exodus): readonly Leaving[] =>
  [...exodus.values()].filter(({ end }) => end === undefined);
export const keptOnes = (exodus: Exodus): readonly Leaving[] =>
  [...exodus.values()].filter((one) => one.end === "kept" && !isGroup(one));
