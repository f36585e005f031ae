import { parseId, resourceGroupOf } from "../../core/ids.ts";
import type { Change, Json, ObjectKey } from "../../core/types.ts";
import { printable } from "../printable.ts";
import type { ObjectPlan, PlanAction, PlanStep, Remark } from "./objectPlan.ts";

/** How a plan is shown. */
export interface Rendering {
  /** Symbols and colours. Default: plain words. */
  readonly decorated: boolean;
  /** Whole ids, and the fields of what is new. */
  readonly wide: boolean;
}

const looks: Readonly<Record<PlanAction, { readonly symbol: string; readonly colour: number }>> = {
  create: { symbol: "+", colour: 32 },
  update: { symbol: "~", colour: 33 },
  delete: { symbol: "-", colour: 31 },
  none: { symbol: "=", colour: 2 },
  refused: { symbol: "!", colour: 35 },
};

const widest = "refused".length;

const actionWords = (action: PlanAction, { decorated }: Rendering): string => {
  const word = action === "none" ? "keep" : action;
  const { symbol, colour } = looks[action];
  const padded = word.padEnd(widest);
  return decorated ? `\u001b[${colour}m${symbol} ${padded}\u001b[0m` : padded;
};

/** `network/subnet in group`; the group's name for a group itself; the id when it is none. */
const shortName = (id: string): string => {
  const parts = parseId(id);
  if (parts === undefined) return id;
  const group = resourceGroupOf(id)?.split("/").at(-1);
  const names = parts.names.join("/");
  return group === undefined || names === group ? names : `${names} in ${group}`;
};

const tagsSuffix = /\/providers\/Microsoft\.Resources\/tags\/default$/i;

const nameOf = (id: string, { wide }: Rendering): string => {
  const resource = id.replace(tagsSuffix, "");
  const name = wide ? resource : shortName(resource);
  return resource === id ? name : `${name} (tags)`;
};

const valueText = (value: Json): string => JSON.stringify(value);

const changeLine = ({ path, from, to, effect }: Change): string =>
  `${path}: ${from === null ? "" : `${valueText(from)} -> `}${valueText(to)}${effect === "inPlace" ? "" : ` (${effect})`}`;

const updateLine = ({ path, from, to, effect }: Change): string =>
  `${path}: ${valueText(from)} -> ${valueText(to)}${effect === "inPlace" ? "" : ` (${effect})`}`;

const linesOfStep = (step: PlanStep, rendering: Rendering): readonly string[] => {
  const { action, id, reason, changes } = step;
  const why = reason === undefined ? "" : ` (${reason})`;
  const fields = action === "create" ? (rendering.wide ? changes.map(changeLine) : []) : changes.map(updateLine);
  return [
    `  ${actionWords(action, rendering)} ${printable(nameOf(id, rendering))}${why}`,
    ...fields.map((line) => `      ${printable(line)}`),
  ];
};

const headings: Readonly<Record<Exclude<Remark["kind"], "note">, string>> = {
  unmanaged: "Unmanaged, used as they are:",
  refused: "Refused:",
  kept: "Stays in Azure:",
  goesAlong: "Goes along although it is not ours:",
};

const remarkLine = ({ id, message }: Remark): string =>
  // Messages of refusals name the resource themselves.
  printable(id === undefined || message.includes(id) ? message : `${id}: ${message}`);

const sections = (remarks: readonly Remark[]): readonly string[] =>
  (["unmanaged", "refused", "kept", "goesAlong"] as const).flatMap((kind) => {
    const own = remarks.filter((remark) => remark.kind === kind);
    const lines = kind === "unmanaged" ? own.map(({ id = "" }) => printable(id)) : [...new Set(own.map(remarkLine))];
    return lines.length === 0 ? [] : ["", headings[kind], ...lines.map((line) => `  ${line}`)];
  });

const count = (steps: readonly PlanStep[], action: PlanAction): number =>
  new Set(steps.filter((step) => step.action === action).map(({ id }) => id.replace(tagsSuffix, "").toLowerCase()))
    .size;

const replaces = ({ action, changes }: PlanStep): boolean =>
  action !== "refused" && changes.some(({ effect }) => effect === "replace");

/** `12 to create, 1 to update, 0 to delete, 3 unchanged; nodes replaced: 0`. */
export const summaryLine = (steps: readonly PlanStep[]): string => {
  const refused = count(steps, "refused");
  const parts = [
    `${count(steps, "create")} to create`,
    `${count(steps, "update")} to update`,
    `${count(steps, "delete")} to delete`,
    `${count(steps, "none")} unchanged`,
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return `${parts.join(", ")}; nodes replaced: ${steps.filter(replaces).length}`;
};

/** `AzureCluster default/demo`. */
export const objectName = ({ kind, namespace, name }: ObjectKey): string => `${kind} ${namespace}/${name}`;

/** The service's name where it is another one than that of the step before. */
const headingOf = (steps: readonly PlanStep[], index: number): readonly string[] => {
  const name = steps[index]?.service ?? "";
  return steps[index - 1]?.service === name ? [] : ["", name];
};

/** A plan for people, a line each; what stays apart from steps follows them, and a summary ends it. */
export const renderPlan = ({ plan, remarks }: ObjectPlan, rendering: Rendering): readonly string[] => [
  objectName(plan.object),
  ...remarks.filter(({ kind }) => kind === "note").map((remark) => `  ${remarkLine(remark)}`),
  ...plan.steps.flatMap((step, index) => [...headingOf(plan.steps, index), ...linesOfStep(step, rendering)]),
  ...sections(remarks),
  "",
  summaryLine(plan.steps),
];
