import { shown } from "../../api/fieldMessage.ts";
import type { JsonObject } from "../../core/types.ts";
import { printable } from "../printable.ts";
import type { ManifestProblem } from "./manifestProblem.ts";

/** One line that editors and people can read: `file:line:column: Kind/namespace/name: path: value what would be right`. */
export const renderProblem = (problem: ManifestProblem): string => {
  const { file, line, column, severity, kind, namespace, name, path, value, message } = problem;
  const words = value === undefined ? message : `${shown(path ?? "", value)} ${message}`;
  return printable(
    [
      `${file}:${line}:${column}`,
      ...(severity === "warning" ? ["warning"] : []),
      ...(kind === undefined ? [] : [`${kind}/${namespace}/${name}`]),
      ...(path === undefined ? [] : [path]),
      words,
    ].join(": "),
  );
};

const count = (number: number, one: string, many = `${one}s`): string => `${number} ${number === 1 ? one : many}`;

/** How much was looked at. */
export interface Checked {
  readonly files: number;
  readonly ours: number;
  readonly others: number;
}

/** The last line: how much was checked, and how much of it is wrong. */
export const renderSummary = ({ files, ours, others }: Checked, problems: readonly ManifestProblem[]): string => {
  const warnings = problems.filter(({ severity }) => severity === "warning").length;
  return [
    count(files, "file"),
    `${count(ours, "object")} of ours checked`,
    `${others} of others not checked`,
    count(problems.length - warnings, "problem"),
    ...(warnings > 0 ? [count(warnings, "warning")] : []),
  ].join(", ");
};

/** The problem for programs. A secret is blanked here too. */
export const problemAsJson = ({ value, path, ...problem }: ManifestProblem): JsonObject => ({
  ...problem,
  ...(path !== undefined && { path }),
  ...(value !== undefined && { value: shown(path ?? "", value) === '"***"' ? "***" : value }),
});
