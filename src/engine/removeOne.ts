import type { Circumstances } from "../core/circumstances.ts";
import { stateOfFailure } from "../core/conditions.ts";
import { hasOwnerTags } from "../core/decide.ts";
import { decideRemoval, deletionPlan } from "../core/decideRemoval.ts";
import { idKey } from "../core/ids.ts";
import { nextTry } from "../core/nextTry.ts";
import { isWoken, stillWaits, type Trial } from "../core/patience.ts";
import { polledLater } from "../core/polling.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, Json, Observed } from "../core/types.ts";
import type { ArmAnswer } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import { type Exodus, isGroup, type Leaving, parentIn, type Step } from "./leaving.ts";
import { readResource } from "./readResource.ts";
import type { Orders } from "./remove.ts";
import { mayAskAzure, nowOf, type Session } from "./session.ts";

/** What looking at one resource led to. `send`: its intent is to be stored and its DELETE to be sent. */
export interface Look {
  readonly kind: "looked" | "send" | "late";
  readonly leaving: Leaving;
}

const inProgress = { kind: "inProgress", verb: "deleting" } as const;
const looked = (leaving: Leaving): Look => ({ kind: "looked", leaving });

/** A running DELETE is polled; anything else is read: a deletion outranks an operation that is still making it. */
export const stepOn = async (
  leaving: Leaving,
  how: Step["how"],
  exodus: Exodus,
  orders: Orders,
  session: Session,
): Promise<Look> => {
  const { operation, backoff } = leaving.row;
  const nowMs = nowOf(session);
  if (operation?.verb === "DELETE" && operation.notBeforeMs > nowMs)
    return looked({ ...leaving, state: inProgress, untilMs: operation.notBeforeMs });
  if (operation === undefined && stillWaits(backoff, trialOf(session), nowMs) && session.cause !== "replay")
    return looked({
      ...leaving,
      state: stateOfFailure(backoff.failure, "deleting", backoff.attempt),
      untilMs: backoff.untilMs,
    });
  if (!mayAskAzure(session)) return { kind: "late", leaving };
  if (operation?.verb !== "DELETE") return read(leaving, how, exodus, orders, session);
  const polled = await poll(leaving, session);
  return polled.state === undefined ? read(polled, how, exodus, orders, session) : looked(polled);
};

const poll = async (leaving: Leaving, session: Session): Promise<Leaving> => {
  const { operation, ...row } = leaving.row;
  if (operation === undefined) return leaving;
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const answer = await session.arm.poll(operation, { path: leaving.id, apiVersion });
  if (!answer.ok) {
    const waiting = failed(leaving, answer.error, session);
    const notBeforeMs = waiting.untilMs ?? nowOf(session);
    return { ...waiting, row: { ...waiting.row, operation: { ...operation, notBeforeMs } } };
  }
  switch (answer.value.kind) {
    case "running": {
      const next = polledLater(answer.value, operation, nowOf(session), session.deps.random());
      return { ...leaving, row: { ...row, operation: next }, state: inProgress, untilMs: next.notBeforeMs };
    }
    case "failed":
      return failed({ ...leaving, row }, answer.value.failure, session);
    case "succeeded":
    case "unknown":
      return { ...leaving, row };
  }
};

/** What a deletion's back-off belongs to. */
const trialIn = ({ retry, identity, dependencies }: Circumstances): Trial => ({
  planHash: deletionPlan,
  wakes: { retry, identity, dependencies, siblings: "" },
});
const trialOf = ({ circumstances }: Session): Trial => trialIn(circumstances);

/** Something was refused to the identity, and somebody has asked for another try since. */
export const isHurriedAway = (exodus: Exodus, circumstances: Circumstances): boolean =>
  [...exodus.values()].some(
    ({ row: { backoff } }) => backoff?.failure.kind === "auth" && isWoken(backoff, trialIn(circumstances)),
  );

const failed = (leaving: Leaving, failure: Failure, session: Session): Leaving => {
  const now = { nowMs: nowOf(session), random0to1: session.deps.random() };
  const backoff = nextTry(leaving.row.backoff, trialOf(session), failure, now);
  const state = stateOfFailure(failure, "deleting", backoff.attempt);
  return { ...leaving, row: { ...leaving.row, backoff }, state, untilMs: backoff.untilMs };
};

const read = async (
  leaving: Leaving,
  how: Step["how"],
  exodus: Exodus,
  orders: Orders,
  session: Session,
): Promise<Look> => {
  const schema = await session.deps.schema(leaving.service.type);
  const answer = await readResource(leaving.id, schema.apiVersion, session);
  if (!answer.ok && answer.error.status !== 404)
    return looked(isLeftToOthers(leaving, orders) ? leftToOthers(leaving) : failed(leaving, answer.error, session));
  const observed: Observed = answer.ok ? { kind: "present", body: answer.value.body } : { kind: "absent" };
  const verdict = decideRemoval({
    ...leaving,
    schema,
    observed,
    ownerTags: session.ownerTags,
    parentOurs: isParentOurs(leaving, exodus),
    nowMs: nowOf(session),
    cause: session.cause,
  });
  switch (verdict.kind) {
    case "gone":
    case "kept":
      return looked({ ...leaving, row: verdict.row, end: verdict.kind });
    case "wait":
      return looked({ ...leaving, row: verdict.row, state: inProgress, untilMs: verdict.untilMs });
    case "delete":
      return isLeftToOthers(leaving, orders) && !isEmpty(leaving, observed)
        ? looked(leftToOthers(leaving))
        : toDelete(leaving, verdict.row, how, orders, session);
  }
};

/** A shared item that a member of the cluster need not see the end of. */
const isLeftToOthers = ({ service }: Leaving, { sharedItems }: Orders): boolean =>
  service.shared !== undefined && sharedItems === "goWhenEmpty";

const leftToOthers = (leaving: Leaving): Leaving => ({ ...leaving, end: "kept", because: "shared" });

const isEmpty = ({ service }: Leaving, observed: Observed): boolean => {
  if (observed.kind === "absent" || service.shared === undefined) return true;
  const steps = service.shared.emptyWhen.split(".");
  const list = steps.reduce<Json>((at, step) => (isJsonObject(at) ? (at[step] ?? null) : null), observed.body);
  return !Array.isArray(list) || list.length === 0;
};

/** A group that goes takes along what is not ours: that is listed once, before its DELETE. */
const toDelete = async (
  leaving: Leaving,
  row: ResourceRow,
  how: Step["how"],
  { keptGroups, groupsGoWith }: Orders,
  session: Session,
): Promise<Look> => {
  const { intent: _, ...known } = row;
  const stays = isGroup(leaving) && (keptGroups === "all" || keptGroups.has(idKey(leaving.id)));
  if (stays) return looked({ ...leaving, row: known, end: "kept" });
  if (how === "ask") return looked({ ...leaving, row: { ...leaving.row, known: row.known }, ours: true });
  if (!isGroup(leaving) || row.foreign !== undefined) return { kind: "send", leaving: { ...leaving, row } };
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const listed = await session.arm.list({ method: "GET", path: `${leaving.id}/resources`, apiVersion });
  if (!listed.ok) return looked(failed(leaving, listed.error, session));
  if (groupsGoWith === "nothing" && listed.value.length > 0) return looked({ ...leaving, row: known, end: "kept" });
  const foreign = listed.value.flatMap((one) =>
    hasOwnerTags(one, session.ownerTags) || typeof one["id"] !== "string" ? [] : [one["id"]],
  );
  return { kind: "send", leaving: { ...leaving, row: { ...row, foreign } } };
};

/** An untaggable child that we do not know goes with a parent that is ours. */
const isParentOurs = (leaving: Leaving, exodus: Exodus): boolean => parentIn(exodus, leaving)?.ours === true;

const afterDeleteSeconds = 1;

export const sendOne = async (leaving: Leaving, orders: Orders, session: Session): Promise<Look> => {
  if (!mayAskAzure(session)) return { kind: "late", leaving };
  const { apiVersion } = await session.deps.schema(leaving.service.type);
  const answer = await session.arm.send({ method: "DELETE", path: leaving.id, apiVersion });
  if (!answer.ok && answer.error.status === 404) return looked({ ...leaving, end: "gone" });
  if (isLeftToOthers(leaving, orders)) return looked(answer.ok ? { ...leaving, end: "gone" } : leftToOthers(leaving));
  return looked(answer.ok ? going(leaving, answer.value, session) : failed(leaving, answer.error, session));
};

/** Azure took the DELETE; whether it answers 404 is seen later, but a 204 says that there was nothing. */
const going = (leaving: Leaving, { status, operation }: ArmAnswer, session: Session): Leaving => {
  const nowMs = nowOf(session);
  const { intent: _, operation: _operation, wroteAtMs: _wroteAtMs, ...row } = leaving.row;
  if (operation === undefined) {
    const state = { state: inProgress, untilMs: nowMs + afterDeleteSeconds * 1_000 };
    return { ...leaving, row, ...(status === 204 ? { end: "gone" } : state) };
  }
  const notBeforeMs = nowMs + operation.notBeforeMs;
  return {
    ...leaving,
    row: { ...row, operation: { ...operation, startedMs: nowMs, notBeforeMs } },
    state: inProgress,
    untilMs: notBeforeMs,
  };
};
