import { parseId } from "../../core/ids.ts";
import { kinds } from "../../kinds/index.ts";
import { azureSettings } from "../plan/azureSettings.ts";
import { clusterObjects } from "../plan/clusterObjects.ts";
import { fileObjects } from "../plan/fileObjects.ts";
import { changesAnything, type ObjectPlan } from "../plan/objectPlan.ts";
import { openAzure } from "../plan/openAzure.ts";
import { openReader } from "../plan/openReader.ts";
import { makePlans } from "../plan/plan.ts";
import { cannotPlanStatus, type PlanOptions } from "../plan/planOptions.ts";
import { type PlanTerminal, printPlans, statusOf } from "../plan/printPlans.ts";
import { objectName } from "../plan/renderPlan.ts";
import { slowProgress } from "../plan/slowProgress.ts";
import { namedIn } from "../plan/subject.ts";
import { UserError } from "../userError.ts";
import type { KubeOptions } from "./cluster.ts";
import { settingsOf } from "./settings.ts";

export interface CheckOptions
  extends KubeOptions,
    Pick<PlanOptions, "namespace" | "as" | "output" | "exitCode" | "settings"> {
  /** Ids that are to be adopted. */
  readonly id?: readonly string[];
}

const usage = 2;

/** One sentence on what taking over would do. */
export const verdictOn = ({ plan }: ObjectPlan): string => {
  const name = objectName(plan.object);
  const refused = plan.steps.filter(({ action }) => action === "refused").length;
  const but = refused === 0 ? "" : `; ${refused} refused`;
  if (changesAnything(plan)) return `${name}: not empty: taking over changes what is listed above${but}`;
  return `${name}: empty: taking over changes nothing${but}`;
};

/** `capstan adopt --check`: plans against Azure as after the adoption, writes nothing, and returns the status. */
export const checkAdoption = async (
  args: readonly string[],
  options: CheckOptions,
  terminal: PlanTerminal,
): Promise<number> => {
  const { id: ids = [], output } = options;
  const wrong = ids.find((id) => parseId(id) === undefined);
  if (wrong !== undefined) throw new UserError(`"${wrong}" is no id of an Azure resource: /subscriptions/…`, usage);
  const settings = azureSettings(settingsOf(options.settings, terminal.env));
  const reader = await openReader(options);
  const source = clusterObjects(reader.kube, fileObjects([]));
  const objects = await namedIn(args, options.namespace ?? reader.namespace, source, "management cluster");
  const planning = {
    kinds,
    source,
    settings,
    openAzure: openAzure(settings, options.as),
    adopt: ids,
    progress: slowProgress(terminal.note),
  };
  const plans = await makePlans(objects, planning, terminal.note);
  if (plans.length > 0) printPlans(plans, output, terminal, objects.length > 1);
  const say = output === "json" || output === "yaml" ? terminal.note : terminal.print;
  for (const one of plans) say(verdictOn(one));
  return plans.length < objects.length ? cannotPlanStatus : statusOf(plans, options.exitCode);
};
