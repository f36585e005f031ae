import { errorCodeOf } from "../../core/azureErrorCodes.ts";
import { parseId, typeOf } from "../../core/ids.ts";
import { isWoken } from "../../core/patience.ts";
import { quotaFamily } from "../../core/quota.ts";
import type { Failure } from "../../core/types.ts";
import type { Writing } from "../act.ts";
import { failed } from "../failed.ts";
import type { Session } from "../session.ts";
import { type Item, type Work, withItems } from "../work.ts";
import { clearWaits, meetWaits, rowName, tellWait } from "./sharedWaits.ts";

/** Where a resource would be, as far as shortages go; undefined: it has no region, so it shares none. */
interface Place {
  readonly subscription: string;
  readonly region: string;
}

const placeOf = ({ desired }: Item): Place | undefined => {
  const subscription = parseId(desired.id)?.subscription;
  const location = desired.offering?.region ?? desired.body["location"];
  return subscription === undefined || typeof location !== "string" ? undefined : { subscription, region: location };
};

const offeringRow = ({ desired: { offering } }: Item): readonly string[] =>
  offering === undefined
    ? []
    : [rowName("offering", offering.region, offering.zone, offering.family, offering.priority)];

const quotaRow = ({ region }: Place, family: string): string => rowName("quota", region, family);

/** Every limit that a new resource counts against: its family's, that of the region's cores, that of spot cores. */
const quotaRows = ({ desired: { id, offering } }: Item, place: Place): readonly string[] => {
  if (offering === undefined) return [quotaRow(place, typeOf(id) ?? "")];
  const own = offering.priority === "spot" ? "lowPriorityCores" : offering.family;
  return [own, "cores"].map((family) => quotaRow(place, family));
};

/** The one that was said to be exhausted. */
const exhaustedRow = (item: Item, place: Place, { quota }: Failure): string => {
  const said = quota?.family === undefined ? undefined : quotaFamily(quota.family);
  const own = item.desired.offering?.family ?? typeOf(item.desired.id) ?? "";
  return quotaRow(place, said === "cores" || said === "lowPriorityCores" ? said : own);
};

/** Row of a shortage that others would meet as well; undefined for one that is this resource's alone. */
const rowOf = (item: Item, place: Place, failure: Failure): string | undefined => {
  if (failure.sharedUntilMs !== undefined || errorCodeOf(failure.code)?.alone === true) return undefined;
  if (failure.kind === "quota") return exhaustedRow(item, place, failure);
  return failure.kind === "capacity" ? offeringRow(item)[0] : undefined;
};

/** A new resource, or the repetition of what found no room. */
const asksForMore = ({ item: { row, desired }, write }: Writing): boolean =>
  write.verb === "creating" || (desired.offering !== undefined && row.backoff?.failure.kind === "capacity");

/** Of the creations about to be sent those that may be; the others wait, because somebody else just met the shortage. */
export const meetShortages = async (
  writing: readonly Writing[],
  before: Work,
  session: Session,
): Promise<{ readonly writing: readonly Writing[]; readonly waiting: readonly Item[] }> => {
  const waiting: Item[] = [];
  const going: Writing[] = [];
  for (const one of writing) {
    const place = asksForMore(one) ? placeOf(one.item) : undefined;
    const rows = place === undefined ? [] : [...quotaRows(one.item, place), ...offeringRow(one.item)];
    const hurried = session.cause === "replay" || isWoken(one.item.row.backoff, one.item);
    const met =
      place === undefined
        ? undefined
        : await meetWaits({ ...place, rows, nonce: session.nonce, hurried }, session.deps);
    if (met === undefined) going.push(one);
    else
      waiting.push(
        failed({ ...one.item, row: before.get(one.item.desired.id.toLowerCase())?.row ?? one.item.row }, met, session),
      );
  }
  return { writing: going, waiting };
};

/** What one item has met in this wave: told to the others, or, when it went well, no longer waited for. */
const tellOne = async (item: Item, was: Item | undefined, session: Session): Promise<Item> => {
  const place = placeOf(item);
  const { backoff } = item.row;
  if (place === undefined || item.row === was?.row) return item;
  if (backoff !== undefined && backoff !== was?.row.backoff) {
    const row = rowOf(item, place, backoff.failure);
    if (row === undefined) return item;
    const shared = await tellWait(place.subscription, row, backoff.failure, session.deps);
    return shared.sharedUntilMs === undefined
      ? item
      : failed({ ...item, row: { ...item.row, backoff } }, shared, session);
  }
  if (backoff !== undefined || item.row.wroteAtMs === was?.row.wroteAtMs) return item;
  await clearWaits(place.subscription, quotaRows(item, place), session.deps);
  // What Azure has accepted counts against the quota at once; whether there is room shows only when it is made.
  if (item.row.operation === undefined) await clearWaits(place.subscription, offeringRow(item), session.deps);
  return item;
};

export const tellShortages = async (after: Work, before: Work, session: Session): Promise<Work> => {
  const told: Item[] = [];
  for (const [key, item] of after) {
    const next = await tellOne(item, before.get(key), session);
    if (next !== item) told.push(next);
  }
  return withItems(after, told);
};
