import type { Finding } from "../api/check/finding.ts";
import { inWords } from "../api/check/inWords.ts";
import { fieldMessage } from "../api/fieldMessage.ts";
import type { Problem } from "../core/kind.ts";
import type { RunnableReading } from "../core/runnableKind.ts";
import { specCondition } from "../core/specProblems.ts";
import type { Json, JsonObject, KubeObject } from "../core/types.ts";

/** An object as the API server would be asked about it. */
export const asManifest = ({ apiVersion, kind, metadata, spec }: KubeObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: metadata as unknown as Json,
  spec,
});

/** What only an API server says of a request; of what it holds already it is always right. */
const ofRequest: ReadonlySet<Finding["rule"]> = new Set(["identity", "metadata"]);

/** The value at the steps, unless it is a list or an object, which would say too much. */
const scalarAt = (object: Json, steps: Finding["at"]): Json | undefined => {
  const found = steps.reduce<Json | undefined>(
    (at, step) => (typeof at === "object" && at !== null ? (Reflect.get(at, step) as Json | undefined) : undefined),
    object,
  );
  return typeof found === "object" ? undefined : found;
};

const problemOf = (object: JsonObject, finding: Finding): Problem => ({
  condition: specCondition,
  severity: "Error",
  reason: "InvalidConfiguration",
  message: fieldMessage(finding.path, scalarAt(object, finding.at), inWords(finding)),
});

/** One spelling of a path: keys of free maps are written in two. */
const plain = (path: string): string => path.replaceAll(/[[\].]+/g, ".").replace(/\.$/, "");
const pathOf = ({ message }: Problem): string => plain(message.split(": ", 1)[0] ?? message);

/** What the definition found in an object, then what its kind found at other fields. */
export const allProblems = (
  object: JsonObject,
  findings: readonly Finding[],
  problems: readonly Problem[],
): readonly Problem[] => {
  const found = findings.filter(({ rule }) => !ofRequest.has(rule));
  const paths = new Set(found.map(({ path }) => plain(path)));
  return [...found.map((one) => problemOf(object, one)), ...problems.filter((problem) => !paths.has(pathOf(problem)))];
};

/**
 * All that keeps an object from being reconciled, before anything is asked of Azure. The API server asks the rules of the
 * definition too, but lets what it stored before a rule existed stay as it is, so a turn asks them again.
 */
export const judge = async (
  object: KubeObject,
  { problems }: Pick<RunnableReading, "problems">,
): Promise<readonly Problem[]> => {
  // Most turns have nothing to do and never come here: what judges is loaded when first needed.
  const { checkObject } = await import("../api/check/checkObject.ts");
  const manifest = asManifest(object);
  return allProblems(manifest, checkObject(object.kind, manifest), problems);
};
