import type { ResourceSchema } from "../wire/schema.ts";
import { apply } from "./apply/apply.ts";
import type { Rules } from "./rules.ts";
import type { Desired, Json, Observed, Refusal } from "./types.ts";

interface Compared {
  readonly schema: ResourceSchema;
  readonly service: { readonly rules: Rules };
  readonly desired: Desired;
  readonly observed: Observed;
}

/** One place at which a resource is otherwise than wanted. */
interface Difference {
  readonly path: string;
  readonly from: Json;
  readonly to: Json;
}

const isAt = ({ path }: Difference, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`));

/** What would be written if it were ours, and what could not be. */
const differencesAt = (
  patterns: readonly string[],
  { schema, service: { rules }, desired, observed }: Compared,
): readonly Difference[] => {
  if (patterns.length === 0 || observed.kind === "absent") return [];
  const result = apply({ schema, rules, desired, observed, applied: undefined, tagsAtScope: false });
  const changes = result.kind === "write" ? result.requests.flatMap((request) => request.changes) : [];
  const refusals = result.kind === "unchanged" ? [] : result.refusals;
  const refused = refusals.map(({ path, observed: from, desired: to }) => ({ path, from, to }));
  return [...changes, ...refused].filter((one) => isAt(one, patterns));
};

const shown = (value: unknown): string => JSON.stringify(value);

/**
 * Where a resource that is not ours is otherwise than it would have to be to serve (`Rules.agrees`). It is not written, so
 * whoever has it is told.
 */
export const disagreements = (compared: Compared): readonly Refusal[] => {
  const { desired, service } = compared;
  // Compared as if all of it were asked for: our own choices have to hold as well here.
  const wanted: Desired = { ...desired, defaults: [] };
  return differencesAt(service.rules.agrees ?? [], { ...compared, desired: wanted }).map(({ path, from, to }) => ({
    reason: "ForeignConflict",
    path,
    observed: from,
    desired: to,
    message: `${desired.id} is not ours and has ${shown(from)} at ${path}, where ${shown(to)} is needed: change or delete it, or have it adopted`,
  }));
};

/**
 * Where a resource that is not ours is otherwise than the spec asks (`Rules.tells`), in words; undefined when it is as
 * asked. What is only implied is not asked for.
 */
export const foreignRemark = (compared: Compared): string | undefined => {
  const { desired, service } = compared;
  const wanted: Desired = { ...desired, yields: [...(desired.yields ?? []), ...(desired.ifThere ?? [])] };
  const found = differencesAt(service.rules.tells ?? [], { ...compared, desired: wanted });
  const parts = found.map(({ path, from, to }) => `${path} is ${shown(from)}, the spec asks for ${shown(to)}`);
  return parts.length === 0 ? undefined : `${desired.id} is not ours and is used as it is: ${parts.join(", ")}`;
};
