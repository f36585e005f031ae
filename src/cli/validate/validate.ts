import type { Variables } from "../fillVariables.ts";
import { checkObjects, inOrder, readObjects } from "./checkSources.ts";
import type { ManifestProblem } from "./manifestProblem.ts";
import { readSources } from "./readSources.ts";
import { readVariables } from "./readVariables.ts";
import { problemAsJson, renderProblem, renderSummary } from "./renderProblems.ts";
import { usageStatus, type ValidateOptions } from "./validateOptions.ts";

/** What the command reads from and writes to. */
export interface Terminal {
  readonly env: Variables;
  readonly stdin: () => Promise<string>;
  /** A line of the result. */
  readonly print: (line: string) => void;
  /** A line beside the result. */
  readonly note: (line: string) => void;
}

const report = ({ output }: ValidateOptions, problems: readonly ManifestProblem[], { print }: Terminal): void => {
  if (output === "json") print(JSON.stringify(problems.map(problemAsJson), undefined, 2));
  else for (const problem of problems) print(renderProblem(problem));
};

/**
 * `capstan validate`: prints all that is wrong with manifests and returns the status: 0 when the API server would refuse
 * nothing, 1 when it would refuse something, 2 when something could not be read.
 */
export const validate = async (options: ValidateOptions, terminal: Terminal): Promise<number> => {
  const { filename, against = [], recursive = false, fill, set = [], strict = false, verbose = false } = options;
  const variables = fill ? await readVariables(terminal.env, options.variables, set) : undefined;
  const now = await readSources(filename, recursive, terminal.stdin);
  const before = await readSources(against, recursive, terminal.stdin);
  const former = readObjects(before.sources, variables);
  const { problems, ours, others } = checkObjects(readObjects(now.sources, variables), former.objects);
  const all = inOrder([...problems, ...former.problems], [...now.sources, ...before.sources]);
  report(options, all, terminal);
  if (verbose)
    for (const { file, at, kind, namespace, name, apiVersion } of others)
      terminal.note(`${file}:${at("").value.line}: not checked: ${kind}/${namespace}/${name} (${apiVersion})`);
  for (const sentence of [...now.unreadable, ...before.unreadable]) terminal.note(`error: ${sentence}`);
  terminal.note(renderSummary({ files: now.sources.length, ours: ours.length, others: others.length }, all));
  if (now.unreadable.length + before.unreadable.length > 0) return usageStatus;
  return all.some(({ severity }) => strict || severity === "error") ? 1 : 0;
};
