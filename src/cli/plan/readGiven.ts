import { dependencyTable } from "../../core/dependencyTable.ts";
import { kinds } from "../../kinds/index.ts";
import { UserError } from "../userError.ts";
import { checkObjects, inOrder, readObjects } from "../validate/checkSources.ts";
import type { FoundObject } from "../validate/foundObject.ts";
import type { ManifestProblem } from "../validate/manifestProblem.ts";
import { readSources } from "../validate/readSources.ts";
import { readVariables } from "../validate/readVariables.ts";
import { renderProblem } from "../validate/renderProblems.ts";
import type { Terminal } from "../validate/validate.ts";
import { cannotPlanStatus, type PlanOptions } from "./planOptions.ts";

const usage = 2;

/** Kinds that have resources of their own in Azure, of this release or a later one. */
const isReconcilable = ({ kind }: FoundObject): boolean => dependencyTable[kind]?.finalizer !== undefined;

const tellUnplanned = (objects: readonly FoundObject[], note: (line: string) => void): void => {
  for (const object of objects.filter((one) => isReconcilable(one) && !kinds.has(one.kind)))
    note(`note: ${object.kind} ${object.namespace}/${object.name} is not planned: this release does not reconcile it`);
  for (const { namespace, name } of objects.filter(({ kind, body }) => kind === "Cluster" && hasTopology(body)))
    note(`note: Cluster ${namespace}/${name} has a topology: what Cluster API makes of it is not in the files`);
};

const hasTopology = ({ spec }: FoundObject["body"]): boolean =>
  typeof spec === "object" && spec !== null && "topology" in spec;

const isPlanned = (kind: string | undefined): boolean => kind !== undefined && kinds.has(kind);

/** Owners as stored have a uid; those in a file may be there for people. */
const isOfOwners = ({ path = "" }: ManifestProblem): boolean => path.startsWith("metadata.ownerReferences");

/** What keeps an object from being applied or planned. What is wrong with an object that is not planned does not. */
const isInTheWay = (problem: ManifestProblem): boolean => {
  const { severity, rule, kind } = problem;
  if (isOfOwners(problem)) return false;
  if (rule === "yaml" || (rule === "identity" && problem.path !== undefined)) return severity === "error";
  return isPlanned(kind) && (severity === "error" || rule === "turn");
};

/** What is odd in the files, but not in the way. */
const isTold = (problem: ManifestProblem): boolean => problem.severity === "error" && !isOfOwners(problem);

/** Without a namespace of its own an object belongs to the one that is asked for, as `kubectl` has it. */
const inNamespace = (object: FoundObject, namespace: string): FoundObject => {
  const { metadata } = object.body;
  const own = typeof metadata === "object" && metadata !== null && "namespace" in metadata;
  return own ? object : { ...object, namespace };
};

const howMany = (count: number): string =>
  `${count} ${count === 1 ? "problem keeps" : "problems keep"} this from being planned`;

/**
 * The objects of files. Fails when a file cannot be read, or holds what the API server would refuse or no turn could work
 * with; each problem is told with its line before.
 */
export const readGiven = async (
  paths: readonly string[],
  options: PlanOptions,
  namespace: string,
  { env, stdin, note }: Terminal,
): Promise<readonly FoundObject[]> => {
  const { recursive = false, fill = true, variables, set = [], cluster = false } = options;
  const values = fill ? await readVariables(env, variables, set) : undefined;
  const { sources, unreadable } = await readSources(paths, recursive, stdin);
  if (unreadable.length > 0) throw new UserError(unreadable.join("; "), usage);
  const read = readObjects(sources, values);
  // What is applied over a stored object need not be whole; the result is judged before it is planned.
  const problems = cluster ? read.problems : checkObjects(read, []).problems;
  const found = inOrder(problems, sources);
  const inTheWay = found.filter(isInTheWay);
  for (const problem of found.filter((one) => inTheWay.includes(one) || isTold(one)))
    note(renderProblem({ ...problem, severity: inTheWay.includes(problem) ? "error" : "warning" }));
  if (inTheWay.length > 0) throw new UserError(howMany(inTheWay.length), cannotPlanStatus);
  if (paths.length > 0 && read.objects.length === 0) throw new UserError(`${paths.join(", ")}: holds no object`, usage);
  tellUnplanned(read.objects, note);
  return read.objects.map((object) => inNamespace(object, namespace));
};
