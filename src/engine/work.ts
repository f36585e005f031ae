import { hashOf } from "../core/hash.ts";
import { idKey, parentOf, resourceGroupOf } from "../core/ids.ts";
import type { ServiceState } from "../core/kind.ts";
import { emptyRow, type ResourceRow } from "../core/resourceRow.ts";
import type { Planned, ServiceFacts } from "../core/runnableKind.ts";
import type { Desired, Json, JsonObject } from "../core/types.ts";
import type { Ledger } from "./ledger.ts";

/** One wanted resource on its way through a turn. Without a `state` there is still something to do in this turn. */
export interface Item {
  readonly service: ServiceFacts;
  readonly desired: Desired;
  readonly desiredHash: string;
  readonly planHash: string;
  readonly row: ResourceRow;
  readonly state?: ServiceState;
  /** When the state may change by itself (poll, back-off, hold); table-service ms. */
  readonly untilMs?: number;
  readonly body?: JsonObject;
  /** By the table of design section 6; undefined: not looked at yet. */
  readonly ours?: boolean;
  /** Lost races (412) in this turn. */
  readonly races: number;
}

/** All wanted resources of one object by `idKey(id)`, in the order of their services. */
export type Work = ReadonlyMap<string, Item>;

/** What a person's `retry` says; part of what a back-off belongs to, so that a new one ends it. */
export const workOf = (planned: Planned, ledger: Ledger, retry: string): Work =>
  new Map(
    planned.services.flatMap(({ service, desired }) =>
      desired.map((wanted) => {
        const key = idKey(wanted.id);
        const desiredHash = hashOf([wanted.body as Json, wanted.defaults as Json]);
        const row = ledger.get(key) ?? emptyRow(wanted.id, service.name);
        return [
          key,
          { service, desired: wanted, desiredHash, planHash: hashOf([desiredHash, retry]), row, races: 0 },
        ] as const;
      }),
    ),
  );

export const withItem = (work: Work, item: Item): Work => new Map(work).set(idKey(item.desired.id), item);
export const withItems = (work: Work, items: readonly Item[]): Work => items.reduce(withItem, work);

/** The resource that this one lives in, when the object wants that too. */
export const parentIn = (work: Work, item: Item): Item | undefined => {
  const parent = parentOf(item.desired.id);
  return parent === undefined ? undefined : work.get(idKey(parent));
};

export const groupIn = (work: Work, item: Item): Item | undefined => {
  const group = resourceGroupOf(item.desired.id);
  return group === undefined ? undefined : work.get(idKey(group));
};

/** It exists as far as we can tell, so that what comes after it may be tried. */
const letsOthersGoOn = ({ state }: Item): boolean => state?.kind === "done" || state?.kind === "refused";

const itemsOf = (work: Work, service: string): readonly Item[] =>
  [...work.values()].filter((item) => item.service.name === service);

/** Items without a state whose services come after nothing that is unfinished. */
export const readyItems = (work: Work): readonly Item[] => {
  const unfinished = new Set(
    [...work.values()].filter((item) => !letsOthersGoOn(item)).map((item) => item.service.name),
  );
  return [...work.values()].filter(
    (item) => item.state === undefined && item.service.after.every((name) => !unfinished.has(name)),
  );
};

const pressing = ["failed", "refused", "inProgress", "waiting", "done", "unused"] as const;

/** The most pressing state of all resources of a service. */
export const stateOfService = (work: Work, service: ServiceFacts): ServiceState => {
  const items = itemsOf(work, service.name);
  if (items.length === 0) return { kind: "unused" };
  const states = items.map(({ state }): ServiceState => state ?? { kind: "waiting", why: waitsFor(work, service) });
  return states.toSorted((one, other) => pressing.indexOf(one.kind) - pressing.indexOf(other.kind))[0]!;
};

const waitsFor = (work: Work, service: ServiceFacts): string => {
  const open = service.after.filter((name) => itemsOf(work, name).some((item) => !letsOthersGoOn(item)));
  return open.length === 0 ? "its turn" : open.join(", ");
};

/** Rows that are not as the ledger had them: these are written with the next transaction. */
export const changedRows = (work: Work, ledger: Ledger): readonly ResourceRow[] =>
  [...work].flatMap(([key, { row }]) => (row === ledger.get(key) || isUntouched(row, ledger.get(key)) ? [] : [row]));

const isUntouched = (row: ResourceRow, before: ResourceRow | undefined): boolean =>
  before === undefined &&
  row.known === "nothing" &&
  row.observedAtMs === 0 &&
  row.intent === undefined &&
  row.backoff === undefined;
