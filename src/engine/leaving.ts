import { idKey, resourceGroupOf, typeOf } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { abandoned, ownedChildren, ownedChildrenKeys } from "../core/ownedChildren.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Planned, RunnableKind, ServiceFacts } from "../core/runnableKind.ts";
import type { KubeObject, ResourceId } from "../core/types.ts";
import type { Ledger } from "./ledger.ts";
import { newRow } from "./work.ts";

/** One resource that may have to go. Without an `end` it has not answered yet that it is gone. */
export interface Leaving {
  readonly id: ResourceId;
  readonly service: ServiceFacts;
  readonly row: ResourceRow;
  /** `gone`: answered 404, itself or what it lived in; `kept`: it stays behind, and is not waited for. */
  readonly end?: "gone" | "kept";
  /** Why it stays behind: a person gave it up; others still use it; else because it is not ours. */
  readonly because?: "released" | "shared";
  /** Looked at and found ours; its DELETE waits until it is its turn. */
  readonly ours?: true;
  /** Set once it was handled in this turn. */
  readonly state?: ServiceState;
  readonly untilMs?: number;
}

/** All resources that may have to go, by `idKey(id)`. */
export type Exodus = ReadonlyMap<string, Leaving>;

const groupType = "microsoft.resources/resourcegroups";
export const isGroup = ({ service }: Pick<Leaving, "service">): boolean => service.type.toLowerCase() === groupType;

/** Everything that the spec computes, that the ledger lists, and that the object itself says is ours. */
export const exodusOf = (
  kind: RunnableKind,
  planned: Planned | undefined,
  ledger: Ledger,
  object: KubeObject,
): Exodus => {
  const named = (planned?.services ?? []).flatMap(({ service, desired }) => desired.map(({ id }) => ({ id, service })));
  const listed = [...[...ledger.values()].map(({ id }) => id), ...ownedChildren(object)];
  const children = ownedChildrenKeys(object);
  const all = [...named, ...listed.flatMap((id) => leavingOf(kind, id))];
  const isReleased = abandoned(object);
  return new Map(
    all.map(({ id, service }): readonly [string, Leaving] => {
      const key = idKey(id);
      const row = ledger.get(key) ?? newRow(id, service, children);
      const leaving: Leaving = { id, service, row };
      if (isReleased(id)) return [key, { ...leaving, end: "kept", because: "released" }];
      return [key, isKnownForeign(leaving) ? { ...leaving, end: "kept" } : leaving];
    }),
  );
};

/** Seen untagged before we ever wrote: whatever tag it carries now, it is not ours (design section 6). */
const isKnownForeign = ({ service, row }: Leaving): boolean =>
  service.ownership === "tag" && row.known === "seenUnmanaged" && row.intent === undefined;

/** A resource of a type that this kind makes; nothing for any other type. */
export const leavingOf = (
  kind: RunnableKind,
  id: ResourceId,
): readonly { readonly id: ResourceId; readonly service: ServiceFacts }[] => {
  const type = typeOf(id)?.toLowerCase();
  const service = kind.services.find((one) => one.type.toLowerCase() === type);
  return service === undefined ? [] : [{ id, service }];
};

export const withLeaving = (exodus: Exodus, leaving: readonly Leaving[]): Exodus =>
  new Map([...exodus, ...leaving.map((one) => [idKey(one.id), one] as const)]);

/** Its group, when that may have to go too. */
export const groupOf = (exodus: Exodus, { id }: Leaving): Leaving | undefined => {
  const group = resourceGroupOf(id);
  return group === undefined || idKey(group) === idKey(id) ? undefined : exodus.get(idKey(group));
};

/** The resource whose child it is by its id, when that may have to go too. */
export const parentIn = (exodus: Exodus, { id }: Leaving): Leaving | undefined =>
  exodus.get(idKey(id).split("/").slice(0, -2).join("/"));

const isUndecided = ({ end, state, ours }: Leaving): boolean =>
  end === undefined && state === undefined && ours === undefined;

/** An untaggable child of which nothing is known belongs to whom its parent belongs. */
const parentsToAsk = (exodus: Exodus, left: readonly Leaving[]): readonly Leaving[] => {
  const unknown = left.filter(({ service, row }) => service.ownership === "parent" && row.known === "nothing");
  return unknown.flatMap((one) => {
    const parent = parentIn(exodus, one);
    return parent !== undefined && !isGroup(parent) ? [parent] : [];
  });
};

/** What to do next, and how far: `ask` only finds out whose they are. */
export interface Step {
  readonly how: "ask" | "delete";
  readonly what: readonly Leaving[];
}

/**
 * What can be tried now, against the order of creation. Groups are asked first: one that is ours takes all its content
 * along, so nothing in it needs a DELETE of its own. It goes after everything outside of it, which may depend on what it
 * holds, unless that is only waiting for something in it. Nothing goes on which something depends that has not gone yet.
 */
export const nextToLeave = (exodus: Exodus): Step => {
  const left = [...exodus.values()].filter(({ end }) => end === undefined);
  const groups = left.filter((one) => isGroup(one) && isUndecided(one));
  if (groups.length > 0) return { how: "ask", what: groups };
  const open = left.filter(
    (one) => !isGroup(one) && (groupOf(exodus, one) === undefined || groupOf(exodus, one)?.end === "kept"),
  );
  const parents = new Set(parentsToAsk(exodus, open).filter(isUndecided));
  if (parents.size > 0) return { how: "ask", what: [...parents] };
  const needed = new Set(open.flatMap(({ service }) => service.after));
  const next = open.filter((one) => one.state === undefined && !needed.has(one.service.name));
  if (next.length > 0 || !open.every(mayWaitForGroups)) return { how: "delete", what: next };
  return { how: "delete", what: left.filter((one) => isGroup(one) && one.state === undefined) };
};

/** Not tried yet, as something that depends on it is not gone; or Azure says that something uses it, be it in a group. */
const mayWaitForGroups = ({ state, row: { backoff } }: Leaving): boolean =>
  state === undefined || (state.kind === "failed" && backoff?.failure.kind === "dependency");

/** Takes along what lived in a group that answered 404. */
export const withGroupsGone = (exodus: Exodus): Exodus =>
  withLeaving(
    exodus,
    [...exodus.values()]
      .filter((one) => one.end === undefined && groupOf(exodus, one)?.end === "gone")
      .map((one) => ({ ...one, end: "gone" as const })),
  );

/** Groups that hold what somebody wants to be left behind. */
export const groupsToKeep = (exodus: Exodus): ReadonlySet<string> =>
  new Set(
    [...exodus.values()]
      .filter((one) => one.end === "kept" && !isGroup(one))
      .flatMap((one) => {
        const group = groupOf(exodus, one);
        return group === undefined ? [] : [idKey(group.id)];
      }),
  );

export const remaining = (exodus: Exodus): readonly Leaving[] =>
  [...exodus.values()].filter(({ end }) => end === undefined);
export const keptOnes = (exodus: Exodus): readonly Leaving[] =>
  [...exodus.values()].filter((one) => one.end === "kept" && !isGroup(one));
