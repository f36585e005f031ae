import { isDeleting } from "../../api/meta.ts";
import type { KubeObject, ObjectKey } from "../../core/types.ts";
import { withNeeds } from "./departures.ts";
import { needsAmong } from "./needs.ts";
import type { ObjectPlan, PlanStep, Remark } from "./objectPlan.ts";
import { planDeletion } from "./planDeletion.ts";
import type { PlanInput } from "./planInput.ts";
import { planUnwanted } from "./planUnwanted.ts";
import { planWanted } from "./planWanted.ts";

/** How an object is named. */
export const keyOf = ({ kind, metadata: { namespace, name } }: KubeObject): ObjectKey => ({ kind, namespace, name });

/** A plan of an object of which nothing is to be done. */
export const emptyPlan = (object: KubeObject, ...remarks: readonly Remark[]): ObjectPlan => ({
  plan: { kind: "Plan", object: keyOf(object), steps: [] },
  remarks,
});

/** Needs that are steps of this plan. Of a resource that is there, and gets only tags, nobody needs these. */
const withSteps = (steps: readonly PlanStep[]): readonly PlanStep[] => {
  const ids = new Set(steps.map(({ id }) => id));
  return steps.map((step) => ({ ...step, dependsOn: step.dependsOn.filter((id) => ids.has(id)) }));
};

const living = (input: PlanInput): Pick<ObjectPlan, "remarks"> & { readonly steps: readonly PlanStep[] } => {
  const wanted = planWanted(input);
  const needs = needsAmong(
    wanted.map(({ needing }) => needing),
    input.kind.services,
  );
  const unwanted = planUnwanted(input);
  return {
    steps: [
      ...withSteps(
        wanted.flatMap(({ needing, steps }) =>
          // Tags are written below the resource that they are on.
          steps.map((step) => withNeeds(step, [...needs(needing), ...(step.id === needing.id ? [] : [needing.id])])),
        ),
      ),
      ...unwanted.steps,
    ],
    remarks: [...wanted.flatMap(({ remarks }) => remarks), ...unwanted.remarks],
  };
};

/**
 * What a turn that knows no earlier ones would ask of Azure for one object, by the same rules: ownership, differences,
 * refusals, what is no longer wanted; of an object that is being deleted, what goes. Pure: equal inputs make equal plans.
 */
export const planObject = (input: PlanInput): ObjectPlan => {
  const { object } = input;
  const { steps, remarks } = isDeleting(object) ? planDeletion(input) : living(input);
  return { plan: { kind: "Plan", object: keyOf(object), steps }, remarks };
};
