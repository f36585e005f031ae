import type { Circumstances } from "../core/circumstances.ts";
import { pausedType } from "../core/conditions.ts";
import type { Planned } from "../core/runnableKind.ts";
import { specIsValid } from "../core/specProblems.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { adoptionClaims } from "./adoptionClaims.ts";
import { noteOnObject } from "./claim.ts";
import { contestClaims } from "./contestClaims.ts";
import { learnt } from "./learnt.ts";
import { claimsOf, outcomeOf, silentOf, tellSpec, tellStatus } from "./tell.ts";
import type { Said, Turning } from "./turning.ts";
import { type Retired, withRetiring } from "./unwanted.ts";

/** What a turn has done is told: metadata of ours, then spec fields of ours, then status. */
export const tellDriven = async (
  at: Turning,
  { driven: { object, work }, exodus }: Retired,
  planned: Planned,
  circumstances: Circumstances,
): Promise<Result<Said>> => {
  const { kind, kube } = at;
  const news = { ...learnt(work, exodus, circumstances), blockMove: true } as const;
  // What was not confirmed a moment ago is not said again in the same turn.
  const noted: Result<KubeObject> =
    circumstances.writing === "unclaimed"
      ? { ok: true, value: object }
      : await noteOnObject(object, kind.finalizer, news, kube);
  if (!noted.ok) return noted;
  const report = planned.report(outcomeOf(kind, work));
  const spec = await tellSpec(noted.value, report.spec, at);
  if (!spec.ok) return spec;
  const services = withRetiring(kind, claimsOf(kind, work, report), work, exodus);
  const adoption = adoptionClaims(work, circumstances);
  const contest = contestClaims(at.contests());
  const claims = [specIsValid, ...services.claims, ...adoption.claims, ...contest.claims];
  const silent = silentOf(kind, work, claims);
  const retired = [
    pausedType,
    ...silent,
    ...services.retired,
    ...adoption.retired,
    ...contest.retired,
    ...(report.retired ?? []),
  ];
  const told = await tellStatus(spec.value, report.status, claims, at, retired);
  if (!told.ok) return told;
  const own = spec.value === noted.value ? {} : { spec: { object: spec.value, fields: report.spec } };
  return { ok: true, value: { object: noted.value, ...own } };
};
