import { idKey, resourceGroupOf, typeOf } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { emptyRow, type ResourceRow } from "../core/resourceRow.ts";
import type { Planned, RunnableKind, ServiceFacts } from "../core/runnableKind.ts";
import type { ResourceId } from "../core/types.ts";
import type { Ledger } from "./ledger.ts";

/** One resource that may have to go. Without an `end` it has not answered yet that it is gone. */
export interface Leaving {
  readonly id: ResourceId;
  readonly service: ServiceFacts;
  readonly row: ResourceRow;
  /** `gone`: answered 404, itself or what it lived in; `kept`: not ours. */
  readonly end?: "gone" | "kept";
  /** Set once it was handled in this turn. */
  readonly state?: ServiceState;
  readonly untilMs?: number;
}

/** All resources that may have to go, by `idKey(id)`. */
export type Exodus = ReadonlyMap<string, Leaving>;

const groupType = "microsoft.resources/resourcegroups";
export const isGroup = ({ service }: Pick<Leaving, "service">): boolean => service.type.toLowerCase() === groupType;

/** Everything that the ledger lists and everything that the spec computes. */
export const exodusOf = (kind: RunnableKind, planned: Planned | undefined, ledger: Ledger): Exodus => {
  const named = (planned?.services ?? []).flatMap(({ service, desired }) => desired.map(({ id }) => ({ id, service })));
  const listed = [...ledger.values()].flatMap(({ id }) => leavingOf(kind, id));
  return new Map(
    [...named, ...listed].map(({ id, service }) => [
      idKey(id),
      { id, service, row: ledger.get(idKey(id)) ?? emptyRow(id, service.name) },
    ]),
  );
};

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
  const found = group === undefined || idKey(group) === idKey(id) ? undefined : exodus.get(idKey(group));
  return found;
};

/**
 * What can be tried now, against the order of creation: nothing that lives in a group which itself goes, and nothing on
 * which something that has not gone yet depends.
 */
export const nextToLeave = (exodus: Exodus): readonly Leaving[] => {
  const left = [...exodus.values()].filter(({ end }) => end === undefined);
  const undecided = left.filter((one) => isGroup(one) && one.state === undefined);
  // Groups are looked at first: one that is ours takes all its content along.
  if (undecided.length > 0) return undecided;
  const open = left.filter((one) => groupOf(exodus, one) === undefined || groupOf(exodus, one)?.end === "kept");
  const needed = new Set(open.filter((one) => one.end === undefined).flatMap(({ service }) => service.after));
  return open.filter((one) => one.state === undefined && !isGroup(one) && !needed.has(one.service.name));
};

/** Takes along what lived in a group that answered 404. */
export const withGroupsGone = (exodus: Exodus): Exodus =>
  withLeaving(
    exodus,
    [...exodus.values()]
      .filter((one) => one.end === undefined && groupOf(exodus, one)?.end === "gone")
      .map((one) => ({ ...one, end: "gone" as const })),
  );
