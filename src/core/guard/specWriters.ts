import { isJsonObject } from "../../wire/json.ts";
import type { Json, ManagedFields } from "../types.ts";
import type { KubePart } from "./undone.ts";

/** Somebody who set fields of the spec: its field manager, and when it last did (the API server's clock, whole seconds). */
export interface SpecWriter {
  readonly name: string;
  readonly atMs: number;
}

/** Our own managers: what the contract assigns to the provider is no change by somebody else. */
const isOurs = ({ manager }: ManagedFields): boolean => manager === "capstan" || manager.startsWith("capstan-");

const specOf = ({ subresource, fields }: ManagedFields): Json | undefined =>
  subresource === undefined || subresource === "" ? fields["f:spec"] : undefined;

/**
 * Who wrote the spec, the latest first; our own writes are left out. The API server dates an entry anew whenever its
 * manager changes a value, not when another takes a field over
 * (https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management).
 */
export const specWriters = (fields: readonly ManagedFields[]): readonly SpecWriter[] =>
  fields
    .filter((entry) => !isOurs(entry) && specOf(entry) !== undefined)
    .map(({ manager, atMs }) => ({ name: manager, atMs }))
    .toSorted((one, other) => other.atMs - one.atMs);

const stepText = (step: string): string => {
  if (step.startsWith("f:")) return `.${step.slice(2)}`;
  if (step.startsWith("v:")) return `[${step.slice(2).replaceAll('"', "")}]`;
  const keyed = step.startsWith("k:") ? Object.values(parsed(step.slice(2))).join(",") : step.slice(2);
  return `[${keyed}]`;
};

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
};

const leavesBelow = (path: string, value: Json): readonly string[] => {
  const children = isJsonObject(value) ? Object.entries(value).filter(([step]) => step !== ".") : [];
  return children.length === 0
    ? [path]
    : children.flatMap(([step, child]) => leavesBelow(path + stepText(step), child));
};

/** Fields of the spec that a manager owns, as `spec.networkSpec.vnet.name`; items of keyed lists under their key. */
export const pathsOf = (fields: readonly ManagedFields[], manager: string): readonly string[] =>
  fields
    .filter((entry) => entry.manager === manager)
    .flatMap((entry) => {
      const spec = specOf(entry);
      return spec === undefined ? [] : leavesBelow("spec", spec);
    });

const isAbove = (path: string, other: string): boolean =>
  other === path || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);

/** Who but us has a field of a part of the object, or the list as a whole that it stands in; latest first. */
export const ownersOf = (fields: readonly ManagedFields[], part: KubePart, path: string): readonly string[] =>
  fields
    .filter((entry) => !isOurs(entry) && (part === "status") === (entry.subresource === "status"))
    .filter((entry) => {
      const value = entry.fields[`f:${part}`];
      return value !== undefined && leavesBelow(part, value).some((leaf) => isAbove(path, leaf) || isAbove(leaf, path));
    })
    .toSorted((one, other) => other.atMs - one.atMs)
    .map(({ manager }) => manager);

/** More than a row should keep. */
const fewPaths = 200;

/** The same, when they are few enough to be stored. */
export const fewPathsOf = (
  fields: readonly ManagedFields[],
  manager: string | undefined,
): readonly string[] | undefined => {
  if (manager === undefined) return undefined;
  const paths = pathsOf(fields, manager);
  return paths.length > 0 && paths.length <= fewPaths ? paths : undefined;
};
