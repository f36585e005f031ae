import type { WakeKeys } from "../core/backoff.ts";
import type { Circumstances } from "../core/circumstances.ts";
import { desiredHash as hashOfDesired } from "../core/desiredHash.ts";
import { hashOf } from "../core/hash.ts";
import { idKey, parentOf, resourceGroupOf } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { type Lean, lean } from "../core/passedOver.ts";
import { emptyRow, type ResourceRow } from "../core/resourceRow.ts";
import type { Planned, ServiceFacts } from "../core/runnableKind.ts";
import type { Desired, JsonObject, ResourceId } from "../core/types.ts";
import { behindHolds } from "./behindHolds.ts";
import type { Ledger } from "./ledger.ts";

/** One wanted resource on its way through a turn. Without a `state` there is still something to do in this turn. */
export interface Item {
  readonly service: ServiceFacts;
  readonly desired: Desired;
  readonly desiredHash: string;
  /** What a back-off belongs to: the desired body, and a person's last `retry`. */
  readonly planHash: string;
  /** What else may end it; set when its turn has come. */
  readonly wakes?: WakeKeys;
  readonly row: ResourceRow;
  readonly state?: ServiceState;
  /** When the state may change by itself (poll, back-off, hold); table-service ms. */
  readonly untilMs?: number;
  readonly body?: JsonObject;
  /** By the table of design section 6; undefined: not looked at yet. */
  readonly ours?: boolean;
  /** Lost races (412) in this turn. */
  readonly races: number;
  /** References in it to what is not made (see `core/passedOver.ts`). */
  readonly missing?: Lean["missing"];
  /** An intent of this turn is in the table although nothing was sent: the row is written back. */
  readonly intended?: true;
}

/** All wanted resources of one object by `idKey(id)`, in the order of their services. */
export type Work = ReadonlyMap<string, Item>;

/** What is written down in the ledger as ours: made or taken over by us. */
export const isOurs = ({ known }: Pick<ResourceRow, "known">): boolean => known === "created" || known === "adopted";

export const workOf = (planned: Planned, ledger: Ledger, { retry, children, adopt }: Circumstances): Work =>
  new Map(
    planned.services.flatMap(({ service, desired }) =>
      desired.map((wanted) => {
        const key = idKey(wanted.id);
        const desiredHash = hashOfDesired(service.rules, wanted);
        const row = toBeAdopted(ledger.get(key) ?? newRow(wanted.id, service, children), adopt);
        const planHash = hashOf([desiredHash, retry]);
        return [key, { service, desired: wanted, desiredHash, planHash, row, races: 0 }] as const;
      }),
    ),
  );

/** What a person wants adopted and is not ours yet is looked at, whatever the ledger says. */
const toBeAdopted = (row: ResourceRow, adopt: Circumstances["adopt"]): ResourceRow =>
  adopt.has(idKey(row.id)) && !isOurs(row) && row.observedAtMs !== 0 ? { ...row, observedAtMs: 0 } : row;

/** The row of a resource that the table does not know; an untaggable child that stands on the object is ours. */
export const newRow = (id: ResourceId, service: ServiceFacts, children: ReadonlySet<string>): ResourceRow => {
  const row = emptyRow(id, service.name);
  return service.ownership === "parent" && children.has(idKey(id)) ? { ...row, known: "created" } : row;
};

export const withItem = (work: Work, item: Item): Work => new Map(work).set(idKey(item.desired.id), item);
export const withItems = (work: Work, items: readonly Item[]): Work => items.reduce(withItem, work);

/** The resource that this one lives in, a group where it is no child of another one, when the object wants that too. */
export const parentIn = (work: Work, item: Item): Item | undefined => {
  const parent = parentOf(item.desired.id);
  return parent === undefined ? undefined : work.get(idKey(parent));
};

export const groupIn = (work: Work, item: Item): Item | undefined => {
  const group = resourceGroupOf(item.desired.id);
  return group === undefined ? undefined : work.get(idKey(group));
};

/** It exists as far as we can tell, so that what comes after it may be tried. */
export const letsOthersGoOn = ({ state }: Item): boolean =>
  isThrough(state) || (state?.kind === "failed" && state.stands === true);

/** As it is wanted, but for what is refused for good. */
export const isThrough = (state: ServiceState | undefined): boolean =>
  state?.kind === "done" || state?.kind === "refused" || state?.kind === "unused";

/** The item without references to what is not made; what is known of it then is no longer of the same body. */
export const leanItem = (item: Item, work: Work, { retry }: Circumstances): Item => {
  const { desired, missing } = lean(item.desired, (key) => work.get(key)?.state?.kind === "unused");
  const leaner = missing.length > 0 ? { ...item, missing } : item;
  if (desired === item.desired) return leaner;
  const desiredHash = hashOfDesired(item.service.rules, desired);
  return { ...leaner, desired, desiredHash, planHash: hashOf([desiredHash, retry]) };
};

/** What it is made beside, when the object wants that too. */
const besideIn = (work: Work, { desired: { onlyBeside } }: Item): Item | undefined =>
  onlyBeside === undefined ? undefined : work.get(idKey(onlyBeside));

/** Nothing that it would have to be made beside, or that is ours. */
export const isBesideOurs = (item: Item, work: Work): boolean => besideIn(work, item)?.ours !== false;

/** What was passed over is looked at anew once what it is made beside is ours. */
export const nowBesideOurs = (item: Item, work: Work): Item =>
  item.row.passedOver === true && isBesideOurs(item, work) ? unread(item) : item;

const itemsOf = (work: Work, service: string): readonly Item[] =>
  [...work.values()].filter((item) => item.service.name === service);

/**
 * Items without a state whose services, and what they are made beside, come after nothing that is unfinished; operations are
 * polled in any case.
 */
export const readyItems = (work: Work): readonly Item[] => {
  const behind = behindHolds([...work.values()]);
  const isUnfinished = (item: Item): boolean => !letsOthersGoOn(item) && !behind.has(item);
  const unfinished = new Set([...work.values()].filter(isUnfinished).map((item) => item.service.name));
  const hasItsTurn = (item: Item): boolean => {
    const beside = besideIn(work, item);
    const waits = beside !== undefined && isUnfinished(beside);
    return !waits && !behind.has(item) && item.service.after.every((name) => !unfinished.has(name));
  };
  return [...work.values()].filter(
    (item) => item.state === undefined && (item.row.operation !== undefined || hasItsTurn(item)),
  );
};

const pressing = ["failed", "refused", "inProgress", "waiting", "done", "unused"] as const;

/** The most pressing state of all resources of a service. */
export const stateOfService = (work: Work, service: ServiceFacts): ServiceState => {
  const items = itemsOf(work, service.name);
  if (items.length === 0) return { kind: "unused" };
  const states = items.map(({ state }): ServiceState => state ?? { kind: "waiting", why: waitsFor(work, service) });
  const first = states.toSorted((one, other) => pressing.indexOf(one.kind) - pressing.indexOf(other.kind))[0]!;
  return first.kind === "done" ? doneTogether(states) : first;
};

const doneTogether = (states: readonly ServiceState[]): ServiceState => {
  const messages = states.flatMap((state) => (state.kind === "done" ? (state.message ?? []) : []));
  return messages.length === 0 ? { kind: "done" } : { kind: "done", message: messages.join("; ") };
};

const waitsFor = (work: Work, service: ServiceFacts): string => {
  const beside = itemsOf(work, service.name).flatMap((item) => besideIn(work, item)?.service.name ?? []);
  const before = [...new Set([...service.after, ...beside])];
  const open = before.filter((name) => itemsOf(work, name).some((item) => !letsOthersGoOn(item)));
  return open.length === 0 ? "its turn" : open.join(", ");
};

/** The item as one that has to be read before anything else, whatever the ledger says. */
export const unread = (item: Item): Item =>
  item.row.observedAtMs === 0 ? item : { ...item, row: { ...item.row, observedAtMs: 0 } };

/** Rows that are not as the ledger had them: these are written with the next transaction. */
export const changedRows = (work: Work, ledger: Ledger): readonly ResourceRow[] =>
  [...work].flatMap(([key, { row, intended }]) => {
    const before = ledger.get(key);
    const same = row === before || isUntouched(row, before);
    return same && intended !== true ? [] : [row];
  });

const isUntouched = (row: ResourceRow, before: ResourceRow | undefined): boolean =>
  before === undefined &&
  row.known === "nothing" &&
  row.observedAtMs === 0 &&
  row.busySinceMs === undefined &&
  row.intent === undefined &&
  row.backoff === undefined;
