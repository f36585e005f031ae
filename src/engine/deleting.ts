import { annotations, labels } from "../core/annotations.ts";
import { dueTogether } from "../core/dueTogether.ts";
import { idKey } from "../core/ids.ts";
import type { Problem } from "../core/kind.ts";
import { ownerTag, ownerTagValue } from "../core/ownership.ts";
import type { Planned, RunnableReading } from "../core/runnableKind.ts";
import { specCondition } from "../core/specProblems.ts";
import type { KubeObject, Result, Tags } from "../core/types.ts";
import { keepAbandoned } from "./abandoning.ts";
import { announceWrites } from "./announce.ts";
import { circumstancesOf } from "./circumstancesOf.ts";
import { letGo, noteOnObject } from "./claim.ts";
import { deletionClaims, waitingClaim } from "./deletionClaims.ts";
import { deletionForbidden } from "./deletionForbidden.ts";
import { endOfLife } from "./endOfLife.ts";
import { prepare } from "./gather.ts";
import { type Exodus, exodusOf, groupsToKeep, type Leaving, remaining, withLeaving } from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { isClusterKind, listLeftovers } from "./leftovers.ts";
import { openSession } from "./openSession.ts";
import { idsOf, type Orders, type Removed, remove } from "./remove.ts";
import { isHurriedAway } from "./removeOne.ts";
import { nowOf, type Session } from "./session.ts";
import { asking } from "./shared/gatedArm.ts";
import { type Speaker, tellStatus } from "./tell.ts";
import { type Ending, ledgerFor, nothingWritten, type Present, seenBy, surroundings, type Turning } from "./turning.ts";

/** The turn of an object that is being deleted: delete what is ours, then take the finalizer off. */
export const deleting = async (turning: Turning, present: Present): Promise<Ending> => {
  const { kind, held } = turning;
  if (!present.object.metadata.finalizers.includes(kind.finalizer))
    return endOfLife(turning, "gone without our finalizer");
  const reading = kind.read(present.input);
  const forbidden = deletionForbidden(present.object);
  if (forbidden !== undefined) {
    const exodus = exodusOf(kind, planOf(reading), ledgerFor(turning, present), present.object);
    return withoutAzure(turning, present, exodus, forbidden);
  }
  const prepared = await prepare(kind, reading, turning.kube, turning.deps, present.input.dependencies["identity"]);
  if (prepared.kind === "failed") return surroundings(held, prepared.failure);
  // Without a credential there is no plan to carry out, but there still is one of what there may be.
  const planned = prepared.kind === "planned" ? prepared.planned : planOf(reading);
  const exodus = exodusOf(kind, planned, ledgerFor(turning, present), present.object);
  if (prepared.arm === undefined) return withoutAzure(turning, present, exodus, problemsOf(prepared));
  const credential = prepared.kind === "planned" ? prepared.credential : "";
  const circumstances = circumstancesOf(present, credential);
  const hurried = turning.item.cause === "replay" || isHurriedAway(exodus, circumstances);
  const arm = hurried ? asking(prepared.arm) : prepared.arm;
  const ownerTags = planned?.ownership.tags ?? fallbackTags(present);
  return carryOut(turning, present, exodus, openSession(turning, { arm, ownerTags, observe: true, circumstances }));
};

const planOf = (reading: RunnableReading): Planned | undefined => {
  const planned = reading.plan([]);
  return planned.ok ? planned.value : undefined;
};

const problemsOf = (prepared: { readonly problems?: readonly Problem[] }): string =>
  (prepared.problems ?? []).map(({ message }) => message).join("; ");

/** When the spec no longer makes a plan, the label that Cluster API sets still tells whose the resources are. */
const fallbackTags = ({ object, input }: Present): Tags => {
  const name =
    object.metadata.labels[labels.clusterName] ?? input.dependencies["cluster"]?.metadata.name ?? object.metadata.name;
  return { [ownerTag(name)]: ownerTagValue };
};

/** What says nothing any more: an object goes away whatever its spec is. */
const retired = ["Paused", specCondition];

const speaker = ({ kube, deps, held }: Turning): Speaker => ({ kube, deps, held });

const tell = (turning: Turning, object: KubeObject, exodus: Exodus): Promise<Result<KubeObject>> =>
  tellStatus(object, {}, deletionClaims(turning.kind, exodus), speaker(turning), retired);

const ordersOf = (turning: Turning, { object }: Present, exodus: Exodus): Orders => ({
  keptGroups: object.metadata.annotations[annotations.keepForeign] === undefined ? groupsToKeep(exodus) : "all",
  groupsGoWith: "everything",
  sharedItems: isClusterKind(turning.kind) ? "go" : "goWhenEmpty",
  announce: (now, latest) => tell(turning, latest, now),
});

const carryOut = async (turning: Turning, present: Present, exodus: Exodus, session: Session): Promise<Ending> => {
  const orders = ordersOf(turning, present, exodus);
  let removed: Removed = {
    exodus,
    held: turning.held,
    object: present.object,
    polled: 0,
    wrote: [],
    ended: { kind: "through" },
  };
  for (;;) {
    removed = await remove(removed, orders, session);
    if (removed.ended.kind === "lost" || removed.ended.kind === "missing") return { kind: "lost" };
    if (removed.ended.kind === "failed") return { kind: "tables", failure: removed.ended.failure };
    const at = { ...turning, held: removed.held };
    if (removed.ended.kind !== "through" || remaining(removed.exodus).length > 0)
      return tellProgress(at, present, removed, session);
    const leftovers = await listLeftovers(at, present.object, removed.exodus, session);
    if (!leftovers.ok) return surroundings(at.held, leftovers.error, doneBy(removed, turning));
    if (leftovers.value.length === 0) return finish(at, removed.object, removed.exodus);
    removed = { ...removed, exodus: withLeaving(removed.exodus, leftovers.value) };
  }
};

const doneBy = (
  { exodus, wrote, polled }: Removed,
  { ledger }: Turning,
): Pick<Extract<Ending, { kind: "commit" }>, "rows" | "wrote" | "polled"> => ({
  rows: [...exodus].flatMap(([key, { row }]) => (row === ledger.get(key) || isBlank(row) ? [] : [savingOf(row)])),
  wrote,
  polled,
});

const isBlank = ({ known, intent, operation, backoff }: Leaving["row"]): boolean =>
  known === "nothing" && intent === undefined && operation === undefined && backoff === undefined;

/** Conditions say what is going, what holds it up, what is kept, and what goes along. */
const tellProgress = async (
  turning: Turning,
  present: Present,
  removed: Removed,
  session: Session,
): Promise<Ending> => {
  const { held, deps, kind, kube } = turning;
  const { exodus } = removed;
  const done = doneBy(removed, turning);
  const isGone = (id: string): boolean => exodus.get(idKey(id))?.end !== undefined;
  const disclaimed = await noteOnObject(removed.object, kind.finalizer, { gone: isGone }, kube);
  if (!disclaimed.ok && disclaimed.error.kind !== "gone") return surroundings(held, disclaimed.error, done);
  const object = disclaimed.ok ? disclaimed.value : removed.object;
  await announceWrites(turning, object, removed.wrote);
  const told = await tell(turning, object, exodus);
  if (!told.ok && told.error.kind !== "gone") return surroundings(held, told.error, done);
  const nowMs = nowOf(session);
  const times = remaining(exodus).flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]));
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, { object }),
      dueMs:
        removed.ended.kind === "through" ? dueTogether([nowMs + deps.settings.driftPeriodMs, ...times], nowMs) : nowMs,
      idle: removed.wrote.length === 0 && removed.polled === 0,
      observed: true,
      settled: false,
    },
    ...done,
    result: "deleting",
  };
};

const blockedMs = 60_000;

/** What cannot be read is waited for, also when credentials are lost, unless somebody has released all of it. */
const withoutAzure = async (turning: Turning, present: Present, exodus: Exodus, why: string): Promise<Ending> => {
  const { held, deps, kind } = turning;
  const left = remaining(exodus);
  if (left.length === 0 && exodus.size > 0) return finish(turning, present.object, exodus);
  const claim = waitingClaim(kind, exodus, why);
  const told = await tellStatus(present.object, {}, [claim], speaker(turning), retired);
  if (!told.ok && told.error.kind !== "gone") return surroundings(held, told.error);
  const dueMs = (deps.tables.nowMs() ?? 0) + blockedMs;
  const seen = seenBy(present, present);
  return {
    kind: "commit",
    held,
    outcome: { kind: "turned", seen, dueMs, idle: true, observed: false, settled: false },
    ...nothingWritten,
    result: "DeleteBlocked",
  };
};

/** The ledger is emptied before the finalizer goes: a crash in between leaves nothing that could be mistaken for work. */
const finish = async (turning: Turning, object: KubeObject, exodus: Exodus): Promise<Ending> => {
  const noted = await keepAbandoned(turning, object, exodus);
  if (!noted.ok) return { kind: "tables", failure: noted.error };
  return endOfLife(turning, "deleted", idsOf(exodus), async (held) => {
    const released = await letGo(object, turning.kind.finalizer, turning.kube);
    return released.ok || released.error.kind === "gone" ? undefined : surroundings(held, released.error);
  });
};
