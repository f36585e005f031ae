import { idKey, resourceGroupOf } from "../../core/ids.ts";
import type { ServiceFacts } from "../../core/runnableKind.ts";
import { isGroup, type Leaving } from "../../engine/leaving.ts";
import type { AzureView } from "./azureView.ts";
import { type DraftStep, deletionStep } from "./draftStep.ts";
import { type Needing, needsAmong } from "./needs.ts";
import type { PlanStep } from "./objectPlan.ts";
import type { PlanInput } from "./planInput.ts";

type Gone = Pick<Leaving, "id" | "service">;

const needingOf = ({ id, service }: Gone, azure: AzureView): Needing => {
  const observed = azure.observed(id);
  return { id, service, body: observed.kind === "present" ? observed.body : {} };
};

const isOutside = (group: Gone, { id }: Gone): boolean => {
  const own = resourceGroupOf(id);
  return own === undefined || idKey(own) !== idKey(group.id);
};

/**
 * Steps that delete these resources, in their order. Each comes after those that cannot do without it; a group after all
 * that goes before it outside of it, which may depend on what it holds.
 */
export const departures = (
  going: readonly Gone[],
  { azure, schema }: Pick<PlanInput, "azure" | "schema">,
  services: readonly ServiceFacts[],
): readonly PlanStep[] => {
  const all = going.map((one) => needingOf(one, azure));
  const needs = needsAmong(all, services);
  const needed = new Map(all.map((one) => [one.id, new Set(needs(one))]));
  return going.map((one, index): PlanStep => {
    const { id, service } = one;
    const step: DraftStep = deletionStep({ id, service, schema: schema(service.type) });
    const earlier = going.slice(0, index);
    const before = earlier.filter(
      (other) => needed.get(other.id)?.has(id) === true || (isGroup(one) && !isGroup(other) && isOutside(one, other)),
    );
    return withNeeds(
      step,
      before.map((other) => other.id),
    );
  });
};

/** The step with what it needs, its fields in the order in which they are printed. */
export const withNeeds = (
  { service, action, reason, method, id, type, apiVersion, query, changes, body }: DraftStep,
  dependsOn: readonly string[],
): PlanStep => ({
  service,
  action,
  ...(reason !== undefined && { reason }),
  method,
  id,
  type,
  apiVersion,
  ...(query !== undefined && { query }),
  dependsOn,
  changes,
  body,
});
