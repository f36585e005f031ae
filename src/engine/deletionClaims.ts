import { annotations } from "../core/annotations.ts";
import { isLasting } from "../core/backoff.ts";
import { deletedClaim, serviceClaim } from "../core/conditions.ts";
import type { ServiceState } from "../core/kind.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { Claim } from "../core/types.ts";
import { type Exodus, keptOnes, type Leaving, remaining } from "./leaving.ts";

/** Ids that one message names; the rest is counted. */
const mostNamed = 50;

const listed = (ids: readonly string[]): string =>
  ids.length <= mostNamed ? ids.join(", ") : `${ids.slice(0, mostNamed).join(", ")} and ${ids.length - mostNamed} more`;

/** What the services and the whole say while an object is being deleted. */
export const deletionClaims = (kind: RunnableKind, exodus: Exodus): readonly Claim[] => [
  ...kind.services.flatMap((service) => claimOf(service, exodus)),
  summaryOf(kind, exodus),
];

const sentence = (words: string, some: readonly Leaving[]): readonly string[] =>
  some.length === 0 ? [] : [`${words}: ${listed(some.map(({ id }) => id))}`];

/** What is there by the ledger's word, or may be by that of an unanswered write. */
const isInLedger = ({ row: { known, intent, operation } }: Leaving): boolean =>
  known === "created" || known === "adopted" || intent !== undefined || operation !== undefined;

/** What the whole says while Azure cannot be asked: first what we know to be ours, then what may be there. */
export const waitingClaim = (kind: RunnableKind, exodus: Exodus, why: string): Claim => {
  const left = remaining(exodus);
  const message = [
    why,
    ...sentence("to be deleted", left.filter(isInLedger)),
    ...sentence(
      "to be looked for, because the spec names them",
      left.filter((one) => !isInLedger(one)),
    ),
    ...stays(exodus),
  ].join("; ");
  return { type: kind.summary, status: "False", severity: "Warning", reason: "DeleteBlocked", message };
};

/** What is left behind, and why. */
const stays = (exodus: Exodus): readonly string[] => {
  const kept = keptOnes(exodus);
  return [
    ...sentence(
      "kept, because not made by Capstan",
      kept.filter(({ because }) => because === undefined),
    ),
    ...sentence(
      `left behind, because annotation ${annotations.abandon} says so`,
      [...exodus.values()].filter(({ because }) => because === "released"),
    ),
    ...sentence(
      "left to others that use it",
      kept.filter(({ because }) => because === "shared"),
    ),
  ];
};

const claimOf = (service: RunnableKind["services"][number], exodus: Exodus): readonly Claim[] => {
  const own = [...exodus.values()].filter((one) => one.service.name === service.name && one.end !== "kept");
  if (own.length === 0) return [];
  if (own.every(({ end }) => end === "gone")) return [deletedClaim(service)];
  const states = own.flatMap(({ state, end }) => (state === undefined || end !== undefined ? [] : [state]));
  const state: ServiceState = states.find((one) => one.kind === "failed") ?? { kind: "inProgress", verb: "deleting" };
  return [serviceClaim(service, state)].filter((claim): claim is Claim => claim !== undefined);
};

/**
 * What does not pass by itself. It may be something of somebody else's, or that was kept, which uses what is ours: only a
 * person can tell which of the two has to give way.
 */
const blockOf = ({ id, state, row: { backoff } }: Leaving): readonly string[] => {
  if (state?.kind !== "failed") return [];
  if (state.severity === "Error") return [`${id}: ${state.message}`];
  if (backoff === undefined || !isLasting(backoff)) return [];
  return [`${id}: ${state.message} It is tried again; annotation ${annotations.abandon} leaves behind what it names`];
};

const summaryOf = (kind: RunnableKind, exodus: Exodus): Claim => {
  const left = remaining(exodus);
  const foreign = left.flatMap(({ row }) => row.foreign ?? []);
  const failures = left.flatMap(blockOf);
  const more = [
    ...stays(exodus),
    ...(foreign.length === 0 ? [] : [`not made by Capstan, but deleted with its group: ${listed(foreign)}`]),
  ];
  if (failures.length > 0) {
    const message = [...failures, ...more].join("; ");
    return { type: kind.summary, status: "False", severity: "Warning", reason: "DeleteBlocked", message };
  }
  const message = [`${left.length} resources are being deleted`, ...more].join("; ");
  return { type: kind.summary, status: "False", severity: "Info", reason: "Deleting", message };
};
