import type { Json, JsonObject } from "../../core/types.ts";
import { isObject } from "../json.ts";
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

/** How much of `generateName` becomes part of a name, and what five random characters may look like. */
const prefixLength = 58;
const anySuffix = "x2x2x";

const names = new Set(["name", "generateName"]);

/** The metadata as it is judged: nulls and empty names mean nothing, and a name is made where one is to be. */
const namedMetadata = (metadata: Json | undefined): Json | undefined => {
  if (!isObject(metadata)) return metadata;
  const entries = Object.entries(metadata);
  const given = Object.fromEntries(entries.filter(([field, it]) => it !== null && !(names.has(field) && it === "")));
  const prefix = given["generateName"];
  return given["name"] === undefined && typeof prefix === "string"
    ? { ...given, name: `${prefix.slice(0, prefixLength)}${anySuffix}` }
    : given;
};

/** The object as it is judged. Where the kind has a status of its own, a request for the rest cannot change it. */
const judged = ({ entry }: CheckedKind, object: JsonObject, before?: JsonObject): JsonObject => {
  const { status, metadata, ...rest } = storedForm(entry.kind, object).object;
  const named = namedMetadata(metadata);
  const kept = entry.statusSubresource ? before?.["status"] : status;
  return { ...rest, ...(named !== undefined && { metadata: named }), ...(kept !== undefined && { status: kept }) };
};

const withoutType = ({ apiVersion: _version, kind: _kind, ...rest }: JsonObject): JsonObject => rest;

/** Each only once, whoever found it. */
const once = (findings: readonly Finding[]): readonly Finding[] => [
  ...new Map(findings.map((found) => [`${found.path} ${found.message}`, found])).values(),
];

/** What 32 bits cannot hold is beyond the bounds of its field too, which say more. */
const closest = (findings: readonly Finding[]): readonly Finding[] => {
  const bounded = new Set(findings.filter(({ rule }) => rule === "limit" || rule === "rule").map(({ path }) => path));
  return findings.filter(
    ({ rule, path, value }) => rule !== "format" || typeof value !== "number" || !bounded.has(path),
  );
};

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
  const before =
    options.before === undefined ? undefined : judged(checked, options.before, storedForm(kind, options.before).object);
  const stored = judged(checked, object, before);
  const shape = once([
    ...identity(checked, stored),
    ...checkMetadata(stored["metadata"]),
    ...checkShape(root, withoutType(stored), before === undefined ? undefined : withoutType(before), []),
    ...repetitions(checked, stored, before),
  ]);
  const rules = checkRules(root, stored, before, shape);
  if (shape.length > 0) return closest([...shape, ...rules]);
  const asked = { object: stored, before, others: options.others ?? [], dryRun: options.dryRun ?? false };
  return [...rules, ...checkPolicies(policies(), asked)];
};
