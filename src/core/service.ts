import { type Marked, unmark } from "./marked.ts";
import type { Pattern, Rules } from "./rules.ts";
import type { Desired, JsonObject, ResourceId } from "./types.ts";

/** One wanted resource as a service writes it down: `byDefault(…)` around what the user did not ask for. */
export interface Wanted<Body> {
  readonly id: ResourceId;
  readonly body: Marked<Body>;
  /** Made only while that resource is ours (see `Desired`). */
  readonly onlyBeside?: ResourceId | undefined;
}

/** An annotation of upstream's that tells what was applied last to the resources of a service (see `lastApplied.ts`). */
export interface LastApplied {
  /** What follows upstream's common prefix: `tags-rg`, `security-rules`. */
  readonly annotation: string;
  readonly holds: "tags" | "securityRules";
}

interface Declaration<Scope, Body> {
  /** Equals file and export. */
  readonly name: string;
  /** Upstream's word for it in condition messages (`virtualnetworks`). */
  readonly label: string;
  readonly type: `${string}/${string}`;
  /** Condition type in which its state shows. */
  readonly condition: string;
  /** Services whose resources must exist first; deletion walks the same edges backwards. */
  readonly after?: readonly string[];
  /** `tag`: ours when it carries our owner tag. `parent`: untaggable, ours by ledger or because its parent is ours. */
  readonly ownership: "tag" | "parent";
  readonly rules: Rules;
  /** `withGroup`: needs no own DELETE when its resource group is deleted as a whole. Default `delete`. */
  readonly remove?: "delete" | "withGroup";
  /** `parent`: the children of one parent are written one after another (a virtual network locks for each child). */
  readonly serialize?: "parent";
  /** `emptyWhen`: a list in its body; members of a cluster delete it only when that is empty, and never wait for it. */
  readonly shared?: { readonly emptyWhen: Pattern };
  readonly lastApplied?: LastApplied;
  /** Condition True also when the scope wants none of it (as upstream's ASO-backed services do). Default false. */
  readonly trueWhenUnused?: boolean;
  readonly desired: (scope: Scope) => readonly Wanted<Body>[];
}

/** One Azure service, as data and one pure function. */
export interface Service<Scope>
  extends Omit<Declaration<Scope, never>, "desired" | "after" | "remove" | "trueWhenUnused"> {
  readonly after: readonly string[];
  readonly remove: "delete" | "withGroup";
  readonly trueWhenUnused: boolean;
  readonly desired: (scope: Scope) => readonly Desired[];
}

/** Turns a declaration into the uniform shape that the engine drives. */
export const defineService = <Scope, Body extends object>(declaration: Declaration<Scope, Body>): Service<Scope> =>
  Object.freeze({
    ...declaration,
    after: declaration.after ?? [],
    remove: declaration.remove ?? "delete",
    trueWhenUnused: declaration.trueWhenUnused ?? false,
    desired: (scope: Scope) =>
      declaration.desired(scope).map(({ id, body, onlyBeside }) => {
        const { value, ...marks } = unmark(body, declaration.rules);
        // The one cast: a Body is an interface of wire JSON, which has no index signature.
        return { id, body: value as JsonObject, ...marks, ...(onlyBeside !== undefined && { onlyBeside }) };
      }),
  });
