import { checkedKind } from "../../api/check/checkedKind.ts";
import { checkObject } from "../../api/check/checkObject.ts";
import type { Finding } from "../../api/check/finding.ts";
import { storedForm } from "../../api/check/storedForm.ts";
import { isObject } from "../../api/json.ts";
import type { JsonObject } from "../../core/types.ts";
import { isUnset } from "./fillTemplate.ts";
import type { FoundObject } from "./foundObject.ts";
import { inWords } from "./inWords.ts";
import { type FieldProblem, type ManifestProblem, problemOf } from "./manifestProblem.ts";
import { unknownField } from "./unknownField.ts";

/** Whether two objects are the same one, in whatever version they are written. */
export const isSame = (one: FoundObject, other: FoundObject): boolean =>
  one.name !== "" &&
  one.kind === other.kind &&
  one.name === other.name &&
  one.namespace === other.namespace &&
  one.apiVersion.split("/").at(-2) === other.apiVersion.split("/").at(-2);

const ofFinding = (object: FoundObject, finding: Finding): FieldProblem => {
  const { path, value, rule } = finding;
  const message = inWords(finding, object.at(path).word);
  return { path, severity: "error", ...(value !== undefined && { value }), message, rule };
};

const valueAt = ({ body }: FoundObject, steps: readonly (string | number)[]): unknown =>
  steps.reduce<unknown>(
    (at, step) => (typeof at === "object" && at !== null ? (Reflect.get(at, step) as unknown) : undefined),
    body,
  );

const isRule = ({ rule }: Finding): boolean => rule === "rule" || rule === "policy";

/**
 * A value in which a variable is unset cannot be judged, and a rule may look at any value of its object. That the variable
 * is unset has been said.
 */
const canBeJudged = (object: FoundObject): ((finding: Finding) => boolean) => {
  if (!isUnset(JSON.stringify(object.body))) return () => true;
  return (finding) => !isRule(finding) && !isUnset(JSON.stringify(valueAt(object, finding.at)) ?? "");
};

const unknownFields = (kind: string, body: JsonObject): readonly FieldProblem[] => {
  const root = checkedKind(kind)?.root;
  if (root === undefined) return [];
  return storedForm(kind, body).unknown.map((path) => ({
    path,
    ofKey: true,
    severity: "error",
    message: unknownField(root, path),
    rule: "unknown",
  }));
};

/** The object as it arrives at the API server: `kubectl` gives it a namespace. */
const sent = ({ body, namespace }: FoundObject): JsonObject => {
  const { metadata } = body;
  return isObject(metadata) ? { ...body, metadata: { namespace, ...withoutEmpty(metadata) } } : body;
};

const withoutEmpty = ({ namespace, ...metadata }: JsonObject): JsonObject =>
  namespace === undefined || namespace === null || namespace === "" ? metadata : { ...metadata, namespace };

/** Why the API server or `kubectl` would refuse one object of ours. */
export const checkOne = (
  object: FoundObject,
  others: readonly FoundObject[],
  former: readonly FoundObject[],
): readonly ManifestProblem[] => {
  const { kind, namespace, body } = object;
  const before = former.find((one) => isSame(one, object));
  const findings = checkObject(kind, sent(object), {
    others: others.filter((other) => other.namespace === namespace && other !== object).map(sent),
    ...(before !== undefined && { before: sent(before) }),
  });
  return [
    ...unknownFields(kind, body),
    ...findings.filter(canBeJudged(object)).map((finding) => ofFinding(object, finding)),
  ].map((problem) => problemOf(object, problem));
};
