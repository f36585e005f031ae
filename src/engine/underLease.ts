import type { RunnableKind } from "../core/runnableKind.ts";
import { keyOf, type WorkItem } from "../core/workItem.ts";
import type { Kube, TableRow } from "../ports.ts";
import { defectEnding } from "./defect.ts";
import type { Deps } from "./deps.ts";
import { discreet } from "./discreet.ts";
import { endingOf } from "./endingOf.ts";
import { type Finished, finish } from "./finish.ts";
import { guardedKube } from "./guardedKube.ts";
import { readIdentityRow } from "./identityRow.ts";
import { readKubeLedger } from "./kubeRow.ts";
import type { Judged } from "./lease.ts";
import { objectRow, readLedger } from "./ledger.ts";
import { nameOf } from "./logTurn.ts";
import { timedAzure } from "./timedAzure.ts";
import { timedFacts } from "./timedFacts.ts";
import { timedKube } from "./timedKube.ts";
import type { Turning } from "./turning.ts";

/** A message that has the lease of its object. */
interface Begun {
  readonly item: WorkItem;
  readonly taken: Extract<Judged, { kind: "held" }>;
  readonly kind: RunnableKind;
  readonly kube: Kube;
}

/** The rest of a turn once its lease is taken: what its rows say, its work, and what is remembered of it. */
export const underLease = async (begun: Begun, deps: Deps): Promise<Finished> => {
  const { item, taken, kube } = begun;
  const rows = await deps.tables.list("state", taken.held.partition);
  if (!rows.ok) return { kind: "postponed", failure: rows.error };
  const inTime = { deps, startedMs: taken.startedMs };
  const quiet = discreet(deps, kube, begun.kind);
  const told = timedKube(quiet.kube, inTime);
  const guarded = guardedKube(told, readKubeLedger(rows.value), keyOf(item), { ...deps, log: quiet.log });
  const { exchanges, blank, log } = quiet;
  const turning: Turning = {
    deps: { ...deps, log, azure: timedAzure(quiet.azure, inTime), facts: timedFacts(deps.facts, inTime) },
    item,
    kind: quiet.kind,
    kube: guarded.kube,
    contests: guarded.contests,
    exchanges,
    blank,
    held: taken.held,
    takenOver: taken.takenOver,
    startedMs: taken.startedMs,
    ...remembered(rows.value, item, deps),
  };
  // The only place where an exception is a defect of ours.
  const ending = await endingOf(turning).catch((error: unknown) => defectEnding(turning, error));
  return finish(turning, guarded.remembered(ending));
};

const remembered = (
  rows: readonly TableRow[],
  item: WorkItem,
  deps: Deps,
): Pick<Turning, "ledger" | "rowNames" | "onlyIdentity"> => {
  const { ledger, damaged } = readLedger(rows);
  for (const { code, message } of damaged)
    deps.log("warn", "resource row not readable", { ...nameOf(item), code, message });
  const rowNames = rows.map(({ row }) => row).filter((row) => row !== objectRow);
  return { ledger, rowNames, onlyIdentity: readIdentityRow(rows) };
};
