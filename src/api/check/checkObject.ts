import type { Json, JsonObject } from "../../core/types.ts";
import { type CheckedKind, checkedKind } from "./checkedKind.ts";
import { checkKeys } from "./checkKeys.ts";
import { checkMetadata } from "./checkMetadata.ts";
import { checkPolicies } from "./checkPolicies.ts";
import { checkRules } from "./checkRules.ts";
import { checkShape } from "./checkShape.ts";
import { type Finding, finding } from "./finding.ts";
import { storedForm } from "./storedForm.ts";

/** What surrounds an object that is checked. */
export interface CheckOptions {
  /** The object as it was: the check is then of an update. */
  readonly before?: JsonObject;
  /** Objects of the same namespace that policies may look at. */
  readonly others?: readonly JsonObject[];
  /** Whether the request only tries the change. */
  readonly dryRun?: boolean;
}

const identity = ({ entry, apiVersions }: CheckedKind, { apiVersion, kind }: JsonObject): readonly Finding[] => [
  ...(apiVersions.some((served) => served === apiVersion)
    ? []
    : [finding("identity", ["apiVersion"], `must be ${apiVersions.join(" or ")}`, apiVersion)]),
  ...(kind === entry.kind ? [] : [finding("identity", ["kind"], `must be ${entry.kind}`, kind)]),
];

/** The object as it is judged: its status is written apart, where the kind has one. */
const judged = ({ entry, kindName }: CheckedKind & { readonly kindName: string }, object: JsonObject): JsonObject => {
  const { status, ...rest } = storedForm(kindName, object).object;
  return entry.statusSubresource || status === undefined ? rest : { ...rest, status };
};

const withoutIdentity = ({ apiVersion: _version, kind: _kind, metadata: _metadata, ...rest }: JsonObject): JsonObject =>
  rest;

/** What stands twice is refused only when nothing stood twice before. */
const repetitions = ({ root }: CheckedKind, object: Json, before: JsonObject | undefined): readonly Finding[] =>
  before !== undefined && checkKeys(root, before, []).length > 0 ? [] : checkKeys(root, object, []);

/**
 * Everything for which the API server, with our definitions and policies, would refuse an object of one of our kinds;
 * empty when it would accept it, and for other kinds. Unknown fields are no reason (see `storedForm`). Never throws.
 */
export const checkObject = (kind: string, object: JsonObject, options: CheckOptions = {}): readonly Finding[] => {
  const checked = checkedKind(kind);
  if (checked === undefined) return [];
  const { root, policies } = checked;
  const stored = judged({ ...checked, kindName: kind }, object);
  const before = options.before === undefined ? undefined : judged({ ...checked, kindName: kind }, options.before);
  const shape = [
    ...identity(checked, stored),
    ...checkMetadata(stored["metadata"]),
    ...checkShape(root, withoutIdentity(stored), before === undefined ? undefined : withoutIdentity(before), []),
    ...repetitions(checked, withoutIdentity(stored), before),
  ];
  const rules = checkRules(root, stored, before, shape);
  if (shape.length > 0) return [...shape, ...rules];
  const asked = { object: stored, before, others: options.others ?? [], dryRun: options.dryRun ?? false };
  return [...rules, ...checkPolicies(policies(), asked)];
};
