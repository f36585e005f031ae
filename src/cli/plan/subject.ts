import type { KubeObject } from "../../core/types.ts";
import { kinds } from "../../kinds/index.ts";
import { namedObjects } from "../operate/objectArguments.ts";
import { UserError } from "../userError.ts";
import type { Terminal } from "../validate/validate.ts";
import { clusterObjects } from "./clusterObjects.ts";
import { fileObjects } from "./fileObjects.ts";
import type { ObjectSource } from "./objectSource.ts";
import { openReader } from "./openReader.ts";
import { cannotPlanStatus, type PlanOptions } from "./planOptions.ts";
import { readGiven } from "./readGiven.ts";
import { objectName } from "./renderPlan.ts";
import { assumedCluster, ownedBy } from "./withOwners.ts";

/** What is planned, and where everything beside it comes from. */
export interface Subject {
  readonly objects: readonly KubeObject[];
  readonly source: ObjectSource;
}

const usage = 2;
const reconciled = [...kinds.keys()].join(", ");
const nothingNamed = "what is to be planned? -f FILE, or --cluster with KIND/NAME";

const nameOf = ({ kind, metadata }: KubeObject): string => objectName({ kind, ...metadata });

/** A Cluster is taken for granted where nothing has one. */
export const withCluster = ({ objects, source }: Subject, note: (line: string) => void): Subject => {
  const pairs = objects.map((object) => ({ object, cluster: assumedCluster(object) }));
  const assumed = pairs.flatMap(({ cluster }) => cluster ?? []);
  for (const { object, cluster } of pairs)
    if (cluster !== undefined) note(`note: no Cluster names ${nameOf(object)}: planned as if ${nameOf(cluster)} did`);
  return {
    objects: pairs.map(({ object, cluster }) => (cluster === undefined ? object : ownedBy(object, cluster))),
    source: {
      ...source,
      get: async (key) => (await source.get(key)) ?? assumed.find((one) => nameOf(one) === objectName(key)),
    },
  };
};

/** The objects that arguments name, of kinds that are reconciled. */
export const namedIn = async (
  args: readonly string[],
  namespace: string,
  source: Pick<ObjectSource, "get">,
  where: string,
): Promise<readonly KubeObject[]> => {
  const named = namedObjects(args);
  if (!named.ok) throw new UserError(named.error, usage);
  return Promise.all(
    named.value.map(async ({ entry: { kind }, name }) => {
      if (!kinds.has(kind)) throw new UserError(`${kind} is not reconciled by this release: ${reconciled} is`, usage);
      const object = await source.get({ kind, namespace, name });
      if (object !== undefined) return object;
      throw new UserError(`${objectName({ kind, namespace, name })} is not in the ${where}`, cannotPlanStatus);
    }),
  );
};

const inFiles = async (
  { all }: ReturnType<typeof fileObjects>,
  source: Pick<ObjectSource, "get">,
): Promise<readonly KubeObject[]> => {
  const own = all.filter(({ kind }) => kinds.has(kind));
  const found = await Promise.all(
    own.map(({ kind, metadata: { namespace, name } }) => source.get({ kind, namespace, name })),
  );
  return found.filter((object) => object !== undefined);
};

/** Reads files, cluster or both, as the command was called. Fails with a `UserError` when there is nothing to plan. */
export const readSubject = async (
  args: readonly string[],
  options: PlanOptions,
  terminal: Terminal,
): Promise<Subject> => {
  const { filename = [], cluster = false } = options;
  if (filename.length === 0 && (args.length === 0 || !cluster)) throw new UserError(nothingNamed, usage);
  const reader = cluster ? await openReader(options) : undefined;
  const namespace = options.namespace ?? reader?.namespace ?? "default";
  const files = fileObjects(await readGiven(filename, options, namespace, terminal));
  const source = reader === undefined ? files : clusterObjects(reader.kube, files);
  const objects =
    args.length > 0
      ? await namedIn(args, namespace, source, cluster ? "management cluster" : "files")
      : await inFiles(files, source);
  if (objects.length === 0)
    throw new UserError(
      `${filename.join(", ")}: nothing to plan: this release reconciles ${reconciled}`,
      cannotPlanStatus,
    );
  return withCluster({ objects, source }, terminal.note);
};
