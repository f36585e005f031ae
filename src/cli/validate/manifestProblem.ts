import type { Json } from "../../core/types.ts";
import type { FoundObject } from "./foundObject.ts";

/** Something that is wrong with a manifest, and where. */
export interface ManifestProblem {
  readonly file: string;
  /** From 1, as `column`. */
  readonly line: number;
  readonly column: number;
  /** An error is what the API server or `kubectl` would refuse. */
  readonly severity: "error" | "warning";
  readonly kind?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** Field, such as `spec.networkSpec.subnets[1].name`. */
  readonly path?: string;
  readonly value?: Json;
  readonly message: string;
  /** The rule in CEL that was broken. */
  readonly rule?: string;
}

/** What is said of one field of an object. */
export interface FieldProblem extends Pick<ManifestProblem, "severity" | "message" | "value" | "rule"> {
  readonly path: string;
  /** Whether the name of the field is wrong, not its value. */
  readonly ofKey?: boolean;
}

/** The problem of a field, where it stands in its file. */
export const problemOf = (
  object: FoundObject,
  { path, ofKey = false, severity, message, value, rule }: FieldProblem,
): ManifestProblem => {
  const spot = object.at(path);
  const { kind, namespace, name, file } = object;
  return {
    file,
    ...(ofKey ? spot.key : spot.value),
    severity,
    kind,
    namespace,
    name,
    ...(path !== "" && { path }),
    ...(value !== undefined && { value }),
    message,
    ...(rule !== undefined && { rule }),
  };
};
