import type { ResourceSchema } from "../wire/schema.ts";
import { apply } from "./apply/apply.ts";
import type { Rules } from "./rules.ts";
import type { Change, Desired, Observed, Refusal } from "./types.ts";

interface Compared {
  readonly schema: ResourceSchema;
  readonly service: { readonly rules: Rules };
  readonly desired: Desired;
  readonly observed: Observed;
}

const isAt = ({ path }: Change, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => path === pattern || path.startsWith(`${pattern}.`) || path.startsWith(`${pattern}[`));

const shown = (value: unknown): string => JSON.stringify(value);

/**
 * Where a resource that is not ours is otherwise than it would have to be to serve (`Rules.agrees`). It is not written, so
 * whoever has it is told.
 */
export const disagreements = ({ schema, service: { rules }, desired, observed }: Compared): readonly Refusal[] => {
  const { agrees = [] } = rules;
  if (agrees.length === 0 || observed.kind === "absent") return [];
  // Compared as if all of it were asked for: our own choices have to hold as well here.
  const wanted: Desired = { ...desired, defaults: [] };
  const result = apply({ schema, rules, desired: wanted, observed, applied: undefined, tagsAtScope: false });
  const changes = result.kind === "write" ? result.requests.flatMap((request) => request.changes) : [];
  return changes
    .filter((change) => isAt(change, agrees))
    .map(({ path, from, to }) => ({
      reason: "ForeignConflict",
      path,
      observed: from,
      desired: to,
      message: `${desired.id} is not ours and has ${shown(from)} at ${path}, where ${shown(to)} is needed: change or delete it, or have it adopted`,
    }));
};
