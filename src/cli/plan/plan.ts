import type { KubeObject } from "../../core/types.ts";
import { kinds } from "../../kinds/index.ts";
import { settingsOf } from "../operate/settings.ts";
import { UserError } from "../userError.ts";
import { azureSettings } from "./azureSettings.ts";
import { makePlan, type Planning } from "./makePlan.ts";
import type { ObjectPlan } from "./objectPlan.ts";
import { openAzure } from "./openAzure.ts";
import { cannotPlanStatus, type PlanOptions } from "./planOptions.ts";
import { type PlanTerminal, printPlans, statusOf } from "./printPlans.ts";
import { objectName } from "./renderPlan.ts";
import { slowProgress } from "./slowProgress.ts";
import { readSubject, type Subject } from "./subject.ts";

const usage = 2;

const planningOf = ({ source }: Subject, options: PlanOptions, { env, note }: PlanTerminal): Planning => {
  const settings = azureSettings(settingsOf(options.settings, env));
  return {
    kinds,
    source,
    settings,
    openAzure: options.azure === true ? openAzure(settings, options.as) : undefined,
    zones: options.zones,
    deleting: options.delete,
    progress: slowProgress(note),
  };
};

/** Plans one object after the other. Why there is none for one of them is told; it is missing then. */
export const makePlans = async (
  objects: readonly KubeObject[],
  planning: Planning,
  note: (line: string) => void,
): Promise<readonly ObjectPlan[]> => {
  const plans: ObjectPlan[] = [];
  for (const object of objects) {
    const kind = planning.kinds.get(object.kind);
    if (kind === undefined) continue;
    const made = await makePlan(object, kind, planning);
    if (made.ok) plans.push(made.value);
    else
      for (const problem of made.error)
        note(`error: ${objectName({ kind: object.kind, ...object.metadata })}: ${problem}`);
  }
  return plans;
};

/** `capstan plan`: prints what would be asked of Azure, and returns the status. */
export const plan = async (args: readonly string[], options: PlanOptions, terminal: PlanTerminal): Promise<number> => {
  if (options.azure === true && options.zones !== undefined)
    throw new UserError("--zones is assumed where Azure is not asked: leave it or --azure out", usage);
  const subject = await readSubject(args, options, terminal);
  const plans = await makePlans(subject.objects, planningOf(subject, options, terminal), terminal.note);
  if (plans.length > 0) printPlans(plans, options.output, terminal, subject.objects.length > 1);
  return plans.length < subject.objects.length ? cannotPlanStatus : statusOf(plans, options.exitCode);
};
