import { checkedKind } from "../../api/check/checkedKind.ts";
import { checkObject } from "../../api/check/checkObject.ts";
import type { Finding } from "../../api/check/finding.ts";
import { inWords } from "../../api/check/inWords.ts";
import { storedForm } from "../../api/check/storedForm.ts";
import type { JsonObject } from "../../core/types.ts";
import { isUnset } from "./fillTemplate.ts";
import type { FoundObject } from "./foundObject.ts";
import { hint } from "./hint.ts";
import { type FieldProblem, type ManifestProblem, problemOf } from "./manifestProblem.ts";
import type { ObjectIndex } from "./objectIndex.ts";
import { unknownField } from "./unknownField.ts";

const ofFinding = (object: FoundObject, finding: Finding): FieldProblem => {
  const { path, value, rule } = finding;
  const message = `${inWords(finding)}${hint(finding, object.at(path).word)}`;
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

/** What policies of a kind look at beside the object. */
const besideOf = (object: FoundObject, all: ObjectIndex): readonly JsonObject[] => {
  const policies = checkedKind(object.kind)?.policies() ?? [];
  const types = policies.flatMap(({ policy: { params } }) => params ?? []);
  const beside = new Set(types.flatMap((type) => all.allOf(type, object.namespace)));
  return [...beside].filter((other) => other !== object).map(({ sent }) => sent);
};

/** Why the API server or `kubectl` would refuse one object of ours. `before` is what it replaces, `all` holds what policies may look at. */
export const checkOne = (
  object: FoundObject,
  all: ObjectIndex,
  before: FoundObject | undefined,
): readonly ManifestProblem[] => {
  const { kind, body } = object;
  const findings = checkObject(kind, object.sent, {
    others: besideOf(object, all),
    ...(before !== undefined && { before: before.sent }),
  });
  return [
    ...unknownFields(kind, body),
    ...findings.filter(canBeJudged(object)).map((finding) => ofFinding(object, finding)),
  ].map((problem) => problemOf(object, problem));
};
