import { labels } from "../core/annotations.ts";
import { deletedClaim, serviceClaim } from "../core/conditions.ts";
import { resourceGroupId } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { ownerTag, ownerTagValue } from "../core/ownership.ts";
import type { Planned } from "../core/runnableKind.ts";
import type { Claim, ResourceId, Tags } from "../core/types.ts";
import type { Arm } from "../ports.ts";
import { endOfLife } from "./endOfLife.ts";
import { prepare } from "./gather.ts";
import { type Exodus, exodusOf, type Leaving, withLeaving } from "./leaving.ts";
import { savingOf } from "./ledger.ts";
import { keptOnes, listLeftovers, type Removed, remaining, remove } from "./remove.ts";
import { nowOf, type Session } from "./session.ts";
import { letGo, tellStatus } from "./tell.ts";
import { type Ending, type Present, seenBy, surroundings, type Turning } from "./turning.ts";

/** The turn of an object that is being deleted: delete what is ours, then take the finalizer off. */
export const deleting = async (turning: Turning, present: Present): Promise<Ending> => {
  const { kind, held, ledger } = turning;
  if (!present.object.metadata.finalizers.includes(kind.finalizer))
    return endOfLife(turning, "gone without our finalizer");
  const prepared = await prepare(kind, present.input, turning.kube, turning.deps);
  if (prepared.kind === "failed") return surroundings(held, prepared.failure);
  const planned = prepared.kind === "planned" ? prepared.planned : undefined;
  const exodus = exodusOf(kind, planned, ledger);
  if (prepared.kind === "blocked" && (prepared.arm === undefined || planned === undefined)) {
    if (exodus.size === 0) return finish(turning, present);
    const why = prepared.problems.map(({ message }) => message).join("; ");
    if (prepared.arm === undefined) return waitFor(turning, present, exodus, why);
  }
  // Narrowed above: without a connection there is nothing further to do here.
  const arm = prepared.arm as Arm;
  const ownerTags = planned?.ownership.tags ?? fallbackTags(present);
  const session: Session = {
    deps: turning.deps,
    arm,
    ownerTags,
    cause: turning.item.cause,
    observe: true,
    startedMs: turning.startedMs,
  };
  return carryOut(turning, present, exodus, planned, session);
};

/** When the spec no longer makes a plan, the label that Cluster API sets still tells whose the resources are. */
const fallbackTags = ({ object, input }: Present): Tags => {
  const name =
    object.metadata.labels[labels.clusterName] ?? input.dependencies["cluster"]?.metadata.name ?? object.metadata.name;
  return { [ownerTag(name)]: ownerTagValue };
};

const carryOut = async (
  turning: Turning,
  present: Present,
  exodus: Exodus,
  planned: Planned | undefined,
  session: Session,
): Promise<Ending> => {
  const removed = await remove(exodus, turning.held, session);
  if (removed.ended.kind === "lost" || removed.ended.kind === "missing") return { kind: "lost" };
  if (removed.ended.kind === "failed") return { kind: "tables", failure: removed.ended.failure };
  const at = { ...turning, held: removed.held };
  if (removed.ended.kind === "through" && remaining(removed.exodus).length === 0) {
    const leftovers = await listLeftovers(turning.kind, removed.exodus, groupsOf(planned), session);
    if (leftovers.failure !== undefined) return surroundings(at.held, leftovers.failure, rowsOf(removed, turning));
    if (leftovers.found.length === 0) return finish(at, present);
    return tellProgress(at, present, { ...removed, exodus: withLeaving(removed.exodus, leftovers.found) }, session);
  }
  return tellProgress(at, present, removed, session);
};

const groupsOf = (planned: Planned | undefined): readonly ResourceId[] =>
  planned?.ownership.groups.map((group) => resourceGroupId(planned.ownership.subscription, group)) ?? [];

const rowsOf = (
  { exodus }: Pick<Removed, "exodus">,
  { ledger }: Turning,
): Extract<Ending, { kind: "commit" }>["rows"] =>
  [...exodus].flatMap(([key, { row }]) => (row === ledger.get(key) || isBlank(row) ? [] : [savingOf(row)]));

const isBlank = ({ known, intent, operation, backoff }: Leaving["row"]): boolean =>
  known === "nothing" && intent === undefined && operation === undefined && backoff === undefined;

/** Conditions say what is going, what holds it up and what is kept. */
const tellProgress = async (
  turning: Turning,
  present: Present,
  removed: Removed,
  session: Session,
): Promise<Ending> => {
  const { held, deps, kube, kind } = turning;
  const rows = rowsOf(removed, turning);
  const claims = [
    ...kind.services.flatMap((service) => claimOf(service, removed.exodus)),
    summaryOf(turning, removed.exodus),
  ];
  const told = await tellStatus(present.object, {}, claims, { kube, deps, held }, ["Paused"]);
  if (!told.ok && told.error.kind !== "gone") return surroundings(held, told.error, rows);
  const nowMs = nowOf(session);
  const late =
    removed.ended.kind !== "through" ||
    remaining(removed.exodus).some(({ state, row }) => state === undefined && isBlank(row));
  const times = [...removed.exodus.values()].flatMap(({ untilMs, end }) =>
    untilMs === undefined || end !== undefined ? [] : [untilMs],
  );
  return {
    kind: "commit",
    held,
    outcome: {
      kind: "turned",
      seen: seenBy(present, told.ok ? told.value : present.object),
      dueMs: late ? nowMs : Math.min(nowMs + deps.settings.driftPeriodMs, ...times),
      idle: removed.wrote === 0 && removed.polled === 0,
      observed: true,
      settled: false,
    },
    rows,
    wrote: removed.wrote,
    polled: removed.polled,
    result: "deleting",
  };
};

const claimOf = (service: Turning["kind"]["services"][number], exodus: Exodus): readonly Claim[] => {
  const own = [...exodus.values()].filter((one) => one.service.name === service.name && one.end !== "kept");
  if (own.length === 0) return [];
  if (own.every(({ end }) => end === "gone")) return [deletedClaim(service)];
  const states = own.flatMap(({ state, end }) => (state === undefined || end !== undefined ? [] : [state]));
  const state: ServiceState = states.find((one) => one.kind === "failed") ?? { kind: "inProgress", verb: "deleting" };
  return [serviceClaim(service, state)].filter((claim): claim is Claim => claim !== undefined);
};

const summaryOf = ({ kind }: Turning, exodus: Exodus): Claim => {
  const left = remaining(exodus);
  const kept = keptOnes(exodus);
  const failures = left.flatMap(({ id, state }) =>
    state?.kind === "failed" && state.severity === "Error" ? [`${id}: ${state.message}`] : [],
  );
  const keeps = kept.length === 0 ? "" : `; kept, because not made by Capstan: ${kept.map(({ id }) => id).join(", ")}`;
  if (failures.length > 0) {
    return {
      type: kind.summary,
      status: "False",
      severity: "Warning",
      reason: "DeleteBlocked",
      message: `${failures.join("; ")}${keeps}`,
    };
  }
  return {
    type: kind.summary,
    status: "False",
    severity: "Info",
    reason: "Deleting",
    message: `${left.length} resources are being deleted${keeps}`,
  };
};

const blockedMs = 60_000;

/** What cannot be read is waited for, also when credentials are lost. */
const waitFor = async (turning: Turning, present: Present, exodus: Exodus, why: string): Promise<Ending> => {
  const { held, deps, kube, kind } = turning;
  const ids = [...exodus.values()].map(({ id }) => id).join(", ");
  const claim: Claim = {
    type: kind.summary,
    status: "False",
    severity: "Warning",
    reason: "DeleteBlocked",
    message: `${why}; to be deleted: ${ids}`,
  };
  const told = await tellStatus(present.object, {}, [claim], { kube, deps, held }, ["Paused"]);
  if (!told.ok && told.error.kind !== "gone") return surroundings(held, told.error);
  const dueMs = (deps.tables.nowMs() ?? 0) + blockedMs;
  const seen = seenBy(present, told.ok ? told.value : present.object);
  return {
    kind: "commit",
    held,
    outcome: { kind: "turned", seen, dueMs, idle: true, observed: false, settled: false },
    rows: [],
    wrote: 0,
    polled: 0,
    result: "DeleteBlocked",
  };
};

/** The ledger is emptied before the finalizer goes: a crash in between leaves nothing that could be mistaken for work. */
const finish = async (turning: Turning, present: Present): Promise<Ending> =>
  endOfLife(turning, "deleted", async (held) => {
    const released = await letGo(present.object, turning.kind.finalizer, turning.kube);
    return released.ok || released.error.kind === "gone" ? undefined : surroundings(held, released.error);
  });
