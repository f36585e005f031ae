import { stringify } from "yaml";
import type { Terminal } from "../validate/validate.ts";
import { changesAnything, type ObjectPlan } from "./objectPlan.ts";
import { changesStatus, type PlanOptions } from "./planOptions.ts";
import { objectName, renderPlan } from "./renderPlan.ts";

/** What the command reads from and writes to. */
export interface PlanTerminal extends Terminal {
  /** Whether symbols and colours are wanted. */
  readonly decorated: boolean;
}

const documentOf = (plans: readonly ObjectPlan[], several: boolean): unknown => {
  const documents = plans.map(({ plan }) => plan);
  return several ? documents : documents[0];
};

const noteRemarks = ({ plan, remarks }: ObjectPlan, note: Terminal["note"]): void => {
  for (const { kind, id, message } of remarks)
    if (kind === "note") note(`note: ${objectName(plan.object)}: ${id === undefined ? "" : `${id}: `}${message}`);
};

/** Prints plans in one of the forms: a list of documents when several were asked for. Of data only notes are told beside it. */
export const printPlans = (
  plans: readonly ObjectPlan[],
  output: PlanOptions["output"],
  { print, note, decorated }: Pick<PlanTerminal, "print" | "note" | "decorated">,
  several = plans.length > 1,
): void => {
  if (output === "json" || output === "yaml") {
    const document = documentOf(plans, several);
    print(
      output === "json"
        ? JSON.stringify(document, undefined, 2)
        : stringify(document, { aliasDuplicateObjects: false }).trimEnd(),
    );
    for (const plan of plans) noteRemarks(plan, note);
    return;
  }
  for (const [index, plan] of plans.entries()) {
    if (index > 0) print("");
    for (const line of renderPlan(plan, { decorated, wide: output === "wide" })) print(line);
  }
};

/** Exit status of plans that could be made. */
export const statusOf = (plans: readonly ObjectPlan[], exitCode: boolean | undefined): number =>
  exitCode === true && plans.some(({ plan }) => changesAnything(plan)) ? changesStatus : 0;
