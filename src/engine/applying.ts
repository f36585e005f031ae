import { annotations } from "../core/annotations.ts";
import type { Problem } from "../core/kind.ts";
import type { Planned } from "../core/runnableKind.ts";
import type { Claim } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { type Driven, drive } from "./drive.ts";
import { prepare } from "./gather.ts";
import { savingOf } from "./ledger.ts";
import { mayWriteKube, nowOf, type Session } from "./session.ts";
import { claim, claimsOf, outcomeOf, type Speaker, tellSpec, tellStatus } from "./tell.ts";
import { type Ending, type Present, seenBy, surroundings, type Turning } from "./turning.ts";
import { changedRows, type Item, type Work, workOf } from "./work.ts";

/** How long a turn without a plan waits when nothing announces that its cause is gone. */
const blockedMs = 10 * 60_000;
const pausedType = "Paused";

/** The turn of an object that shall exist: claim, plan, drive, tell. */
export const applying = async (turning: Turning, present: Present): Promise<Ending> => {
  const prepared = await prepare(turning.kind, present.input, turning.kube, turning.deps);
  switch (prepared.kind) {
    case "failed":
      return surroundings(turning.held, prepared.failure);
    case "blocked":
      return blocked(turning, present, prepared.problems);
    case "planned": {
      // The finalizer is confirmed before the first intent; the plan stands, whatever else that answer shows.
      const claimed = await claim(present.object, turning.kind.finalizer, turning.kube);
      if (!claimed.ok) return surroundings(turning.held, claimed.error);
      const input = { ...prepared.input, object: present.object };
      return carryOut(turning, { ...present, input }, claimed.value, prepared.planned, prepared.arm);
    }
  }
};

const speaker = ({ kube, deps, held }: Turning): Speaker => ({ kube, deps, held });

/** Problems become conditions; nothing is claimed and nothing is written to Azure. */
const blocked = async (turning: Turning, present: Present, problems: readonly Problem[]): Promise<Ending> => {
  const claims = problems.map(
    ({ condition: type, severity, reason, message }): Claim => ({ type, status: "False", severity, reason, message }),
  );
  const told = await tellStatus(present.object, {}, merged(claims), speaker(turning), [pausedType]);
  if (!told.ok) return surroundings(turning.held, told.error);
  const nowMs = turning.deps.tables.nowMs() ?? 0;
  const seen = seenBy(present, told.value);
  return {
    kind: "commit",
    held: turning.held,
    outcome: { kind: "turned", seen, dueMs: nowMs + blockedMs, idle: true, observed: false, settled: false },
    rows: [],
    wrote: 0,
    polled: 0,
    result: problems[0]?.reason ?? "blocked",
  };
};

/** One condition says all problems of its type. */
const merged = (claims: readonly Claim[]): readonly Claim[] => {
  const byType = Map.groupBy(claims, ({ type }) => type);
  return [...byType.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, message: [first, ...others].map(({ message }) => message).join("; ") }],
  );
};

const carryOut = async (
  turning: Turning,
  present: Present,
  claimed: Present["object"],
  planned: Planned,
  arm: Arm,
): Promise<Ending> => {
  const { deps, kind, item, startedMs, ledger } = turning;
  const { why } = turning.held.row;
  const session: Session = {
    deps,
    arm,
    ownerTags: planned.ownership.tags,
    cause: item.cause,
    observe: why.observe,
    startedMs,
  };
  const retry = present.object.metadata.annotations[annotations.retry] ?? "";
  const driven = await drive(workOf(planned, ledger, retry), turning.held, session);
  if (driven.ended.kind === "lost") return { kind: "lost" };
  if (driven.ended.kind === "failed") return { kind: "tables", failure: driven.ended.failure };
  const rows = changedRows(driven.work, ledger).map(savingOf);
  const at = { ...turning, held: driven.held };
  // After a stop the object may be paused or going: the next turn, which is due at once, tells.
  if (driven.ended.kind === "stopped" || !mayWriteKube(session))
    return ending(at, present, [claimed], driven, rows, session);
  const report = planned.report(outcomeOf(kind, driven.work));
  const spec = await tellSpec(claimed, report.spec, speaker(at));
  if (!spec.ok) return surroundings(at.held, spec.error, rows);
  const told = await tellStatus(spec.value, report.status, claimsOf(kind, driven.work, report), speaker(at), [
    pausedType,
  ]);
  if (!told.ok) return surroundings(at.held, told.error, rows);
  return ending(at, present, [claimed, spec.value], driven, rows, session);
};

const ending = (
  { held, deps }: Turning,
  present: Present,
  [claimed, told]: readonly [Present["object"], Present["object"]?],
  driven: Driven,
  rows: Extract<Ending, { kind: "commit" }>["rows"],
  session: Session,
): Ending => {
  const nowMs = nowOf(session);
  const settled = isSettled(driven.work);
  const dueMs = driven.ended.kind === "through" ? dueOf(driven.work, nowMs + deps.settings.driftPeriodMs) : nowMs;
  const idle = driven.wrote === 0 && driven.polled === 0;
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, claimed, told),
      dueMs,
      idle,
      observed: driven.ended.kind === "through",
      settled,
    },
    rows,
    wrote: driven.wrote,
    polled: driven.polled,
    result: settled ? "settled" : driven.ended.kind,
  };
};

const isSettled = (work: Work): boolean => [...work.values()].every(({ state }) => state?.kind === "done");

/** The earliest time at which something may change by itself. */
const dueOf = (work: Work, latestMs: number): number =>
  Math.min(latestMs, ...[...work.values()].flatMap(({ untilMs }: Item) => (untilMs === undefined ? [] : [untilMs])));
