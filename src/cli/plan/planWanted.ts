import { desiredHash } from "../../core/desiredHash.ts";
import { idKey, parentOf } from "../../core/ids.ts";
import { lean } from "../../core/passedOver.ts";
import type { PlannedService, ServiceFacts } from "../../core/runnableKind.ts";
import type { Desired } from "../../core/types.ts";
import { newRow } from "../../engine/work.ts";
import type { DraftStep } from "./draftStep.ts";
import type { Needing } from "./needs.ts";
import type { Remark } from "./objectPlan.ts";
import { type PlanInput, planCause, planNowMs } from "./planInput.ts";
import { type PlannedOne, planOne } from "./planOne.ts";
import { inServiceOrder } from "./serviceOrder.ts";

/** One wanted resource with what is planned for it. */
export interface WantedStep {
  readonly needing: Needing;
  readonly steps: readonly DraftStep[];
  readonly remarks: readonly Remark[];
}

const ofParent = (known: ReadonlyMap<string, PlannedOne>, id: string): PlannedOne | undefined => {
  const parent = parentOf(id);
  return parent === undefined ? undefined : known.get(idKey(parent));
};

const planWith = (
  { planned, circumstances, schema, azure }: PlanInput,
  known: ReadonlyMap<string, PlannedOne>,
  service: ServiceFacts,
  { desired, missing }: ReturnType<typeof lean>,
): PlannedOne => {
  const { id, onlyBeside } = desired;
  return planOne({
    service,
    desired,
    desiredHash: desiredHash(service.rules, desired),
    row: newRow(id, service, circumstances.children),
    observed: azure.observed(id),
    schema: schema(service.type),
    ownerTags: planned.ownership.tags,
    parentOurs: ofParent(known, id)?.ours ?? false,
    besideOurs: onlyBeside === undefined || known.get(idKey(onlyBeside))?.ours !== false,
    missing,
    nowMs: planNowMs,
    cause: planCause,
    circumstances,
  });
};

interface Item {
  readonly service: ServiceFacts;
  readonly desired: Desired;
}

const itemsOf = (services: readonly PlannedService[]): readonly Item[] =>
  inServiceOrder(services).flatMap(({ service, desired }) => desired.map((one) => ({ service, desired: one })));

/** Everything that an object wants, in an order that works, each as if what comes before it were done. */
export const planWanted = (input: PlanInput): readonly WantedStep[] => {
  const known = new Map<string, PlannedOne>();
  return itemsOf(input.planned.services).map(({ service, desired }) => {
    const leaner = lean(desired, (key) => known.get(key)?.passedOver === true);
    const one = planWith(input, known, service, leaner);
    known.set(idKey(desired.id), one);
    const needing: Needing = { id: desired.id, service, body: leaner.desired.body };
    return { needing, steps: one.steps, remarks: one.remarks };
  });
};
