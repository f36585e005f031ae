import type { Circumstances } from "../core/circumstances.ts";
import { announceAdoptions, announceHolds, announceWrites } from "./announce.ts";
import { circumstancesOf } from "./circumstancesOf.ts";
import type { Claimed } from "./claim.ts";
import { drive } from "./drive.ts";
import { drivenEnding, rowsOf } from "./drivenEnding.ts";
import type { Prepared } from "./gather.ts";
import { logDamaged } from "./learnt.ts";
import { openSession } from "./openSession.ts";
import { mayWriteKube } from "./session.ts";
import { asking } from "./shared/gatedArm.ts";
import { tellDriven } from "./tellDriven.ts";
import { type Ending, ledgerFor, type Present, surroundings, type Turning } from "./turning.ts";
import { retire } from "./unwanted.ts";
import { isHurried } from "./wakes.ts";
import { workOf } from "./work.ts";

/** Without finalizer and block-move nothing is written to Azure; all else goes on. */
const unlessUnclaimed = (circumstances: Circumstances, confirmed: boolean): Circumstances =>
  confirmed || circumstances.writing !== "allowed" ? circumstances : { ...circumstances, writing: "unclaimed" };

/** Carries a plan out as far as it goes in one turn: what is wanted first, then what no longer is, then it is told. */
export const carryOut = async (
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
  const session = openSession(turning, {
    arm: hurried ? asking(arm) : arm,
    ownerTags: planned.ownership.tags,
    observe: turning.held.row.why.observe,
    circumstances,
  });
  const wanted = await drive(work, turning.held, claimed, session);
  const retired = await retire(wanted, turning.kind, ledger, session);
  const { driven } = retired;
  if (driven.ended.kind === "lost") return { kind: "lost" };
  if (driven.ended.kind === "failed") return { kind: "tables", failure: driven.ended.failure };
  const at = { ...turning, held: driven.held };
  // After a stop the object may be paused or going: the next turn, which is due at once, tells.
  if (driven.ended.kind === "stopped" || !mayWriteKube(session)) return drivenEnding(at, present, retired, driven);
  await announceWrites(at, driven.object, driven.wrote);
  await announceHolds(at, driven.object, driven.work);
  await announceAdoptions(at, driven.object, driven.work, circumstances);
  const told = await tellDriven(at, retired, planned, circumstances);
  return told.ok
    ? drivenEnding(at, present, retired, told.value)
    : surroundings(at.held, told.error, { ...driven, rows: rowsOf(retired, turning) });
};
