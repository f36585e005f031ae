import { textAt } from "../api/json.ts";
import { conditionStatus, pausedType } from "../core/conditions.ts";
import type { Problem } from "../core/kind.ts";
import { claimsOfProblems, specCondition, waitingForSpec } from "../core/specProblems.ts";
import type { Claim, Json, KubeObject } from "../core/types.ts";
import { tellStatus } from "./tell.ts";
import { type Ending, nothingWritten, type Present, seenBy, surroundings, type Turning } from "./turning.ts";

/** Bounds of the wait after a turn without a plan: not all that may end it is announced, a secret for one. */
const blockedAtLeastMs = 5_000;
const blockedAtMostMs = 10 * 60_000;

/** Problems become conditions; nothing is claimed and nothing is written to Azure. `besides`: what is known to be right. */
export const blocked = async (
  turning: Turning,
  present: Present,
  problems: readonly Problem[],
  ...besides: readonly Claim[]
): Promise<Ending> => {
  const claims = claimsOfProblems(problems);
  const all = [...besides.filter(({ type }) => claims.every((it) => it.type !== type)), ...claims];
  const waiting = waitingClaims(turning, present, claims);
  const told = await tellStatus(present.object, {}, [...all, ...waiting], turning, [pausedType]);
  if (!told.ok) return surroundings(turning.held, told.error);
  const nowMs = turning.deps.tables.nowMs() ?? 0;
  const seen = seenBy(present, present);
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
