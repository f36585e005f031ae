import { annotations } from "./annotations.ts";
import type { Writing } from "./circumstances.ts";
import type { Decision, DecisionInput } from "./decide.ts";
import { typeOf } from "./ids.ts";
import type { ResourceRow } from "./resourceRow.ts";
import type { Change, PlannedRequest } from "./types.ts";

type Stopped = Extract<Decision, { kind: "stopped" }>;

/** Changes that one message spells out; the rest is counted. */
const mostNamed = 20;

const described = ({ path, from, to }: Change): string => `${path}: ${JSON.stringify(from)} -> ${JSON.stringify(to)}`;

const differences = (input: DecisionInput, requests: readonly PlannedRequest[]): string => {
  if (input.observed.kind === "absent") return "it does not exist";
  const changes = requests.flatMap((request) => request.changes);
  const named = changes.slice(0, mostNamed).map(described);
  return [...named, ...(changes.length > mostNamed ? [`and ${changes.length - mostNamed} more`] : [])].join(", ");
};

/** What is looked at each time, so that its condition stays; the observation itself is good. */
const withoutHash = (row: ResourceRow): ResourceRow => {
  const { desiredHash: _, ...rest } = row;
  return rest;
};

/** Why nothing is written, and what ends it. */
export const forbidding: Readonly<
  Record<Exclude<Writing, "allowed">, { readonly reason: string; readonly until: string }>
> = {
  hold: { reason: "Held", until: `annotation ${annotations.hold} is taken off` },
  observe: { reason: "Drifted", until: `annotation ${annotations.reportOnly} is taken off` },
  unclaimed: {
    reason: "ReconcileLoop",
    until: "finalizer and annotations of Capstan, which somebody takes off each time, stay on the object",
  },
};

/**
 * What a wanted write shows instead, when an annotation on the object forbids all writes: the fields with both values.
 * Undefined when writing is allowed. An open intent stays open, and nothing is counted.
 */
export const writingForbidden = (
  input: DecisionInput,
  seen: ResourceRow,
  requests: readonly PlannedRequest[],
): Stopped | undefined => {
  const { writing } = input.circumstances;
  if (writing === "allowed") return undefined;
  const { reason, until } = forbidding[writing];
  const message = `${input.desired.id} differs from the spec (${differences(input, requests)}); nothing is written until ${until}`;
  return { kind: "stopped", row: withoutHash(seen), state: { kind: "refused", reason, message } };
};

const groupType = "microsoft.resources/resourcegroups";

/** The row once its resource is there. */
export const withoutLoss = (row: ResourceRow): ResourceRow => {
  const { lost, ...rest } = row;
  return lost === undefined ? row : rest;
};

/** What is known of the loss, unless the group was made again since. */
const lossOf = ({ lost, wroteAtMs = 0 }: ResourceRow): ResourceRow["lost"] =>
  lost?.asked === true && wroteAtMs >= lost.sinceMs ? undefined : lost;

/** Somebody asked since the loss was found: a replay, or another value of the annotation than stood there then. */
const isAsked = ({ cause, circumstances: { retry } }: DecisionInput, lost: NonNullable<ResourceRow["lost"]>): boolean =>
  lost.asked === true || cause === "replay" || (retry !== "" && retry !== lost.retry);

/**
 * A resource group that existed and was ours answers 404: all that was in it went with it, and machines do not come back
 * by themselves, so nothing is made again until somebody asks. Everything else, and a group that is asked for, goes on
 * with the row as given back.
 */
export const afterLoss = (input: DecisionInput, seen: ResourceRow): Stopped | { kind: "goOn"; row: ResourceRow } => {
  const isGroup = typeOf(input.desired.id)?.toLowerCase() === groupType;
  const wasOurs = seen.known === "created" || seen.known === "adopted";
  if (!isGroup || !wasOurs) return { kind: "goOn", row: seen };
  const { nowMs, circumstances } = input;
  const before = lossOf(seen);
  // The creation that somebody asked for goes on until the group is there, whatever becomes of the first try.
  if (before !== undefined && isAsked(input, before))
    return { kind: "goOn", row: { ...seen, lost: { ...before, asked: true } } };
  const lost = before ?? { sinceMs: nowMs, retry: circumstances.retry ?? "" };
  const message = `${input.desired.id} was ours and is gone, found at ${new Date(lost.sinceMs).toISOString()}: nothing is made again until somebody asks for it, by a new value of annotation ${annotations.retry} or by a replay of the object`;
  return {
    kind: "stopped",
    row: { ...withoutHash(seen), lost },
    state: { kind: "failed", reason: "InfrastructureLost", severity: "Error", message },
  };
};
