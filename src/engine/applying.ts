import { textAt } from "../api/json.ts";
import type { Circumstances } from "../core/circumstances.ts";
import { conditionStatus } from "../core/conditions.ts";
import { dueTogether } from "../core/dueTogether.ts";
import { idKey } from "../core/ids.ts";
import type { Problem } from "../core/kind.ts";
import type { Planned, RunnableReading } from "../core/runnableKind.ts";
import { claimsOfProblems, specCondition, specIsValid, waitingForSpec } from "../core/specProblems.ts";
import type { Claim, Json, KubeObject, Result } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { adoptionClaims } from "./adoptionClaims.ts";
import { announceAdoptions, announceHolds } from "./announce.ts";
import { circumstancesOf } from "./circumstancesOf.ts";
import { type Claimed, claim, claimChildren, noteOnObject } from "./claim.ts";
import { contestClaims } from "./contestClaims.ts";
import { drive } from "./drive.ts";
import { heldBack } from "./explained.ts";
import { connect, type Prepared, prepare } from "./gather.ts";
import { judge } from "./judge.ts";
import { learnt, logDamaged } from "./learnt.ts";
import { remaining } from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { mayWriteKube, nowOf, type Session } from "./session.ts";
import { asking } from "./shared/gatedArm.ts";
import { noStrays, pollStrays, type Strays, withStrays } from "./strayOperations.ts";
import { claimsOf, outcomeOf, type Speaker, tellSpec, tellStatus } from "./tell.ts";
import { type Ending, ledgerFor, nothingWritten, type Present, seenBy, surroundings, type Turning } from "./turning.ts";
import { type Retired, retire, retiringUntilMs, rowsAfterRetiring, withRetiring } from "./unwanted.ts";
import { isHurried } from "./wakes.ts";
import { changedRows, type Item, type Work, workOf } from "./work.ts";

/** Bounds of the wait after a turn without a plan: not all that may end it is announced, a secret for one. */
const blockedAtLeastMs = 5_000;
const blockedAtMostMs = 10 * 60_000;
const pausedType = "Paused";

/** The turn of an object that shall exist: judge, claim, plan, drive, tell. */
export const applying = async (turning: Turning, present: Present): Promise<Ending> => {
  const { kind, kube, deps, held } = turning;
  const reading = kind.read(present.input);
  const problems = await judge(present.object, reading);
  if (problems.length > 0) {
    const strays = await straysUnplanned(turning, reading);
    return withStrays(await blocked(turning, present, problems), strays);
  }
  const prepared = await prepare(kind, reading, kube, deps, present.input.dependencies["identity"]);
  switch (prepared.kind) {
    case "failed":
      return surroundings(held, prepared.failure);
    case "blocked": {
      const strays = await straysBy(turning, prepared.arm);
      return withStrays(await blocked(turning, present, prepared.problems, specIsValid), strays);
    }
    case "planned": {
      // The finalizer is confirmed before the first intent; the plan stands, whatever else that answer shows.
      const claimed = await claim(present.object, kind.finalizer, kube);
      if (!claimed.ok) return surroundings(held, claimed.error);
      return followed(turning, present, claimed.value, prepared);
    }
  }
};

const isPlanned = (): boolean => false;

const straysBy = ({ deps, startedMs, ledger }: Turning, arm: Arm | undefined): Promise<Strays> =>
  arm === undefined ? Promise.resolve(noStrays) : pollStrays(ledger, isPlanned, { deps, startedMs, arm });

/** The spec makes no plan; what runs in Azure is followed all the same, if the identity can be had. */
const straysUnplanned = async (turning: Turning, reading: RunnableReading): Promise<Strays> => {
  const { kind, kube, deps, ledger } = turning;
  if ([...ledger.values()].every(({ operation }) => operation === undefined)) return noStrays;
  const connected = await connect(kind, reading, kube, deps);
  return straysBy(turning, connected.arm);
};

const speaker = ({ kube, deps, held }: Turning): Speaker => ({ kube, deps, held });

/** Problems become conditions; nothing is claimed and nothing is written to Azure. `besides`: what is known to be right. */
const blocked = async (
  turning: Turning,
  present: Present,
  problems: readonly Problem[],
  ...besides: readonly Claim[]
): Promise<Ending> => {
  const claims = claimsOfProblems(problems);
  const all = [...besides.filter(({ type }) => claims.every((it) => it.type !== type)), ...claims];
  const waiting = waitingClaims(turning, present, claims);
  const told = await tellStatus(present.object, {}, [...all, ...waiting], speaker(turning), [pausedType]);
  if (!told.ok) return surroundings(turning.held, told.error);
  const nowMs = turning.deps.tables.nowMs() ?? 0;
  const seen = seenBy(present, told.value);
  return {
    kind: "commit",
    held: turning.held,
    outcome: {
      kind: "turned",
      seen,
      dueMs: nowMs + patienceMs(told.value, claims, nowMs),
      idle: true,
      observed: false,
      settled: false,
    },
    ...nothingWritten,
    result: problems[0]?.reason ?? "blocked",
  };
};

/** What stands goes on standing while a new spec cannot work; what does not yet stand waits for it. */
const waitingClaims = ({ kind }: Turning, { object }: Present, claims: readonly Claim[]): readonly Claim[] => {
  const said = new Set(claims.map(({ type }) => type));
  const stands = conditionStatus(object.status, kind.summary) === "True";
  return said.has(specCondition) && !said.has(kind.summary) && !stands ? [waitingForSpec(kind.summary)] : [];
};

/** As long again as the conditions have said so: what comes soon is soon found, and what never comes costs little. */
const patienceMs = ({ status }: KubeObject, claims: readonly Claim[], nowMs: number): number => {
  const types = new Set(claims.map(({ type }) => type));
  const list: Json = status["conditions"] ?? [];
  const told = (Array.isArray(list) ? list : []).filter((condition) => types.has(textAt(condition, "type") ?? ""));
  const sinceMs = told.map((condition) => Date.parse(textAt(condition, "lastTransitionTime") ?? ""));
  const forMs = nowMs - Math.max(...sinceMs.filter(Number.isFinite));
  return Math.min(blockedAtMostMs, Math.max(blockedAtLeastMs, forMs));
};

const sessionOf = (turning: Turning, planned: Planned, arm: Arm, circumstances: Circumstances): Session => {
  const { deps, kind, kube, item, startedMs } = turning;
  return {
    deps,
    arm,
    ownerTags: planned.ownership.tags,
    cause: item.cause,
    observe: turning.held.row.why.observe,
    takenOver: turning.takenOver,
    startedMs,
    circumstances,
    nonce: turning.held.nonce,
    claimChildren: (object, ids) => claimChildren(object, kind.finalizer, ids, kube),
  };
};

const followed = async (
  turning: Turning,
  present: Present,
  claimed: Claimed,
  prepared: Extract<Prepared, { kind: "planned" }>,
): Promise<Ending> => {
  const { planned, arm } = prepared;
  const wanted = new Set(planned.services.flatMap(({ desired }) => desired.map(({ id }) => idKey(id))));
  const { deps, startedMs, ledger } = turning;
  // A running DELETE is followed with what is no longer wanted.
  const isFollowed = (key: string): boolean => wanted.has(key) || ledger.get(key)?.operation?.verb === "DELETE";
  const strays = await pollStrays(ledger, isFollowed, { deps, startedMs, arm });
  return withStrays(await carryOut(turning, present, claimed, prepared), strays);
};

/** Without finalizer and block-move nothing is written to Azure; all else goes on. */
const unlessUnclaimed = (circumstances: Circumstances, confirmed: boolean): Circumstances =>
  confirmed || circumstances.writing !== "allowed" ? circumstances : { ...circumstances, writing: "unclaimed" };

const carryOut = async (
  turning: Turning,
  present: Present,
  { object: claimed, confirmed }: Claimed,
  { planned, arm, credential }: Extract<Prepared, { kind: "planned" }>,
): Promise<Ending> => {
  const circumstances = unlessUnclaimed(circumstancesOf(present, credential), confirmed);
  const ledger = ledgerFor(turning, present);
  logDamaged(turning, circumstances);
  const work = workOf(planned, ledger, circumstances);
  const hurried = turning.item.cause === "replay" || isHurried(work, circumstances);
  const session = sessionOf(turning, planned, hurried ? asking(arm) : arm, circumstances);
  const wanted = await drive(work, turning.held, claimed, session);
  const retired = await retire(wanted, turning.kind, ledger, session);
  const { driven } = retired;
  if (driven.ended.kind === "lost") return { kind: "lost" };
  if (driven.ended.kind === "failed") return { kind: "tables", failure: driven.ended.failure };
  const at = { ...turning, held: driven.held };
  // After a stop the object may be paused or going: the next turn, which is due at once, tells.
  if (driven.ended.kind === "stopped" || !mayWriteKube(session)) return ending(at, present, retired, driven.object);
  await announceHolds(at, driven.object, driven.work);
  await announceAdoptions(at, driven.object, driven.work, circumstances);
  const told = await tell(at, retired, planned, circumstances);
  return told.ok
    ? ending(at, present, retired, told.value)
    : surroundings(at.held, told.error, { ...driven, rows: rowsOf(retired, turning) });
};

const rowsOf = (
  { driven: { work }, exodus }: Retired,
  { ledger }: Turning,
): Extract<Ending, { kind: "commit" }>["rows"] => [
  ...changedRows(work, ledger).map(savingOf),
  ...rowsAfterRetiring(exodus, ledger),
];

/** Spec fields of ours, then metadata of ours, then status; answers the object as it is before its status. */
const tell = async (
  at: Turning,
  { driven: { object, work }, exodus }: Retired,
  planned: Planned,
  circumstances: Circumstances,
): Promise<Result<KubeObject>> => {
  const { kind, kube } = at;
  const news = { ...learnt(work, exodus, circumstances), blockMove: true } as const;
  // What was not confirmed a moment ago is not said again in the same turn.
  const noted: Result<KubeObject> =
    circumstances.writing === "unclaimed"
      ? { ok: true, value: object }
      : await noteOnObject(object, kind.finalizer, news, kube);
  if (!noted.ok) return noted;
  const report = planned.report(outcomeOf(kind, work));
  const spec = await tellSpec(noted.value, report.spec, speaker(at));
  if (!spec.ok) return spec;
  const services = withRetiring(kind, claimsOf(kind, work, report), work, exodus);
  const adoption = adoptionClaims(work, circumstances);
  const contest = contestClaims(at.contests());
  const claims = [specIsValid, ...services.claims, ...adoption.claims, ...contest.claims];
  const retired = [pausedType, ...services.retired, ...adoption.retired, ...contest.retired, ...(report.retired ?? [])];
  const told = await tellStatus(spec.value, report.status, claims, speaker(at), retired);
  return told.ok ? spec : told;
};

/** `told`: the object after the own writes of its spec and metadata; `driven.object`: before those of the spec. */
const ending = (turning: Turning, present: Present, retired: Retired, told: KubeObject): Ending => {
  const { held, deps } = turning;
  const { driven, exodus } = retired;
  const nowMs = nowOf({ deps });
  const settled = isSettled(driven.work) && remaining(exodus).length === 0;
  const latestMs = Math.min(nowMs + deps.settings.driftPeriodMs, ...retiringUntilMs(exodus));
  const through = driven.ended.kind === "through";
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, driven.object, told),
      dueMs: through ? dueOf(driven.work, latestMs, nowMs) : nowMs,
      idle: driven.wrote.length === 0 && driven.polled === 0,
      // What was not read is owed by its row.
      observed: true,
      settled,
    },
    rows: rowsOf(retired, turning),
    wrote: driven.wrote,
    polled: driven.polled,
    holds: heldBack(driven.work),
    result: settled ? "settled" : driven.ended.kind,
  };
};

const isSettled = (work: Work): boolean => [...work.values()].every(({ state }) => state?.kind === "done");

/** The earliest time at which something may change by itself, and what comes right after it too. */
const dueOf = (work: Work, latestMs: number, nowMs: number): number => {
  const times = [...work.values()].flatMap(({ untilMs }: Item) => (untilMs === undefined ? [] : [untilMs]));
  return dueTogether([latestMs, ...times], nowMs);
};
