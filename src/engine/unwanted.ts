import { serviceClaim } from "../core/conditions.ts";
import { idKey, resourceGroupOf } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { abandoned, ownedChildren, ownedChildrenKeys } from "../core/ownedChildren.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { RunnableKind, ServiceFacts } from "../core/runnableKind.ts";
import { forbidding } from "../core/stopped.ts";
import type { Claim, KubeObject } from "../core/types.ts";
import type { TableAction } from "../ports.ts";
import type { Driven } from "./drive.ts";
import { type Exodus, type Leaving, leavingOf, remaining } from "./leaving.ts";
import { deletionOf, type Ledger, savingOf } from "./ledger.ts";
import { type Orders, type Removed, remove } from "./remove.ts";
import { nowOf, type Session } from "./session.ts";
import { type Item, isOurs, letsOthersGoOn, newRow, stateOfService, type Work } from "./work.ts";

/** Ours, or perhaps the work of a write that nobody saw the end of. */
const mayBeOurs = (row: ResourceRow): boolean => isOurs(row) || row.intent !== undefined || row.operation !== undefined;

/**
 * What the ledger, or the object itself, lists as ours and the spec no longer wants: it goes while the object lives. A
 * group stays as long as something wanted is in it.
 */
export const unwantedOf = (kind: RunnableKind, work: Work, ledger: Ledger, object: KubeObject): Exodus => {
  const children = ownedChildrenKeys(object);
  const ids = [...[...ledger.values()].filter(mayBeOurs).map(({ id }) => id), ...ownedChildren(object)];
  const groups = new Set([...work.values()].flatMap(({ desired }) => keyOfGroup(desired.id)));
  const isReleased = abandoned(object);
  return new Map(
    ids
      .filter((id) => !work.has(idKey(id)) && !groups.has(idKey(id)))
      .flatMap((id) => leavingOf(kind, id))
      .map(({ id, service }): readonly [string, Leaving] => {
        const leaving: Leaving = { id, service, row: ledger.get(idKey(id)) ?? newRow(id, service, children) };
        return [idKey(id), isReleased(id) ? { ...leaving, end: "kept", because: "released" } : leaving];
      }),
  );
};

const keyOfGroup = (id: string): readonly string[] => {
  const group = resourceGroupOf(id);
  return group === undefined ? [] : [idKey(group)];
};

const updateRunning = ({ row: { operation } }: Leaving): boolean =>
  operation !== undefined && operation.verb !== "DELETE";

/** Something wanted may still use it: what comes after its service is not yet as it shall be. */
const mayBeInUse = (service: ServiceFacts, work: Work): boolean =>
  [...work.values()].some((item: Item) => item.service.after.includes(service.name) && !letsOthersGoOn(item));

const waiting = { kind: "waiting", why: "what may still use it" } as const;

/** What is not tried in this turn: while others may use it, while Azure is at work on it, or while nothing may be written. */
const postponed = (exodus: Exodus, work: Work, session: Session): Exodus =>
  new Map(
    [...exodus].map(([key, one]): readonly [string, Leaving] => {
      if (one.end !== undefined) return [key, one];
      const { writing } = session.circumstances;
      if (writing !== "allowed") return [key, { ...one, state: forbidden(one, writing) }];
      // Its end is polled for in any case, before the rest of the turn.
      if (updateRunning(one)) return [key, { ...one, state: waiting, untilMs: nowOf(session) }];
      return [key, mayBeInUse(one.service, work) ? { ...one, state: waiting } : one];
    }),
  );

const forbidden = ({ id }: Leaving, writing: keyof typeof forbidding): ServiceState => ({
  kind: "refused",
  reason: forbidding[writing].reason,
  message: `${id} is no longer wanted and is deleted once writing is allowed again`,
});

/** How far what is no longer wanted has gone. */
export interface Retired {
  readonly driven: Driven;
  readonly exodus: Exodus;
}

/** Nothing of it is announced: a group goes only when nothing is left in it. */
const orders: Orders = {
  keptGroups: new Set(),
  groupsGoWith: "nothing",
  sharedItems: "goWhenEmpty",
  announce: (_exodus, object) => Promise.resolve({ ok: true, value: object }),
};

/** After what is wanted has been driven as far as it goes: deletes what is no longer wanted, in order. */
export const retire = async (
  driven: Driven,
  kind: RunnableKind,
  ledger: Ledger,
  session: Session,
): Promise<Retired> => {
  const { work, held, object } = driven;
  const exodus = unwantedOf(kind, work, ledger, object);
  if (exodus.size === 0 || driven.ended.kind !== "through") return { driven, exodus };
  const begun: Removed = {
    exodus: postponed(exodus, work, session),
    held,
    object,
    polled: 0,
    wrote: [],
    ended: driven.ended,
  };
  const removed = await remove(begun, orders, session);
  return {
    driven: {
      ...driven,
      held: removed.held,
      object: removed.object,
      polled: driven.polled + removed.polled,
      wrote: [...driven.wrote, ...removed.wrote],
      ended: removed.ended,
    },
    exodus: removed.exodus,
  };
};

/** Rows to be written after it: what is gone, or turned out not to be ours, is forgotten; what was given up stays known. */
export const rowsAfterRetiring = (exodus: Exodus, ledger: Ledger): readonly TableAction[] =>
  [...exodus].flatMap(([key, { id, row, end, because }]) => {
    if (end === "gone" || (end === "kept" && because === undefined)) return [deletionOf(id)];
    return row === ledger.get(key) || (!ledger.has(key) && !mayBeOurs(row)) ? [] : [savingOf(row)];
  });

/** When something of it may change by itself; table-service ms. */
export const retiringUntilMs = (exodus: Exodus): readonly number[] =>
  remaining(exodus).flatMap(({ untilMs }) => (untilMs === undefined ? [] : [untilMs]));

/**
 * The claims of the services, with what is going away in the place of what stands. A service that wants nothing any more,
 * and has nothing left, says nothing any more.
 */
export const withRetiring = (
  { services }: RunnableKind,
  claims: readonly Claim[],
  work: Work,
  exodus: Exodus,
): { readonly claims: readonly Claim[]; readonly retired: readonly string[] } => {
  const going = services.flatMap((service) => {
    const own = [...exodus.values()].filter((one) => one.service.name === service.name);
    return own.length === 0 || isPressing(stateOfService(work, service)) ? [] : [{ service, own }];
  });
  const told = going.flatMap(({ service, own }) => claimWhileGoing(service, own));
  const said = new Set(told.map(({ type }) => type));
  const all = [...claims.filter(({ type }) => !said.has(type)), ...told];
  const silent = going
    .map(({ service }) => service.condition)
    .filter((type) => all.every((claim) => claim.type !== type));
  return { claims: all, retired: silent };
};

/** Something wanted has more to say. */
const isPressing = ({ kind }: ServiceState): boolean =>
  kind === "failed" || kind === "refused" || kind === "inProgress";

const claimWhileGoing = (service: ServiceFacts, own: readonly Leaving[]): readonly Claim[] => {
  const left = own.filter(({ end }) => end === undefined);
  if (left.length === 0) return [];
  const trouble = left.map(({ state }) => state).find((state) => state?.kind === "failed" || state?.kind === "refused");
  return [serviceClaim(service, trouble ?? { kind: "inProgress", verb: "deleting" })].filter(
    (claim) => claim !== undefined,
  );
};
