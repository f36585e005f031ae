import { blanked } from "../../core/apply/blanked.ts";
import { typeOf } from "../../core/ids.ts";
import type { ServiceFacts } from "../../core/runnableKind.ts";
import type { Change, Desired, Effect, PlannedRequest, Refusal, ResourceId } from "../../core/types.ts";
import type { ResourceSchema } from "../../wire/schema.ts";
import type { PlanStep } from "./objectPlan.ts";

/** A step before it is known what it needs. */
export type DraftStep = Omit<PlanStep, "dependsOn">;

const byPath = (one: Change, other: Change): number => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0);

interface Wanted {
  readonly service: ServiceFacts;
  readonly desired: Desired;
  readonly schema: ResourceSchema;
}

/** One request, as it would be sent but for its secrets. */
export const requestStep = (
  { service, desired, schema }: Wanted,
  action: "create" | "update",
  { method, path, apiVersion, query, body, changes }: PlannedRequest,
): DraftStep => ({
  service: service.name,
  action,
  method,
  id: path,
  type: typeOf(path) ?? service.type,
  apiVersion,
  ...(query !== undefined && { query }),
  changes: changes.toSorted(byPath),
  body: path === desired.id && body !== undefined ? blanked(schema, service.rules, desired, body) : (body ?? {}),
});

interface Place {
  readonly service: ServiceFacts;
  readonly id: ResourceId;
  readonly schema: ResourceSchema;
}

const still = (
  { service, id, schema }: Place,
  parts: Pick<DraftStep, "action" | "method"> & Partial<DraftStep>,
): DraftStep => ({
  service: service.name,
  id,
  type: service.type,
  apiVersion: schema.apiVersion,
  changes: [],
  body: {},
  ...parts,
});

/** A resource that stays as it is. */
export const unchangedStep = (place: Place, reason?: string): DraftStep =>
  still(place, { action: "none", method: "GET", ...(reason !== undefined && { reason }) });

export const deletionStep = (place: Place): DraftStep => still(place, { action: "delete", method: "DELETE" });

/** What stands in the way of a step that is wanted. */
export const refusedStep = (
  place: Place,
  reason: string,
  { method = "GET", changes = [] }: Partial<Pick<DraftStep, "method" | "changes">> = {},
): DraftStep => still(place, { action: "refused", reason, method, changes: changes.toSorted(byPath) });

/** What cannot be changed in place would take a new resource. */
const effectOf = ({ reason }: Refusal): Effect => (reason === "ImmutableDrift" ? "replace" : "inPlace");

/** Changes that are wanted and not made, one step a reason. */
export const refusedSteps = (place: Place, refusals: readonly Refusal[]): readonly DraftStep[] =>
  [...Map.groupBy(refusals, ({ reason }) => reason)].map(([reason, all]) =>
    refusedStep(place, reason, {
      method: "GET",
      changes: all
        .filter(({ path }) => path !== "")
        .map((one) => ({ path: one.path, from: one.observed, to: one.desired, effect: effectOf(one) })),
    }),
  );

/** The same step, held back. */
export const heldStep = (step: DraftStep, reason: string): DraftStep => ({
  ...step,
  action: "refused",
  reason,
});
