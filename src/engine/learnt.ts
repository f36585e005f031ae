import type { Circumstances } from "../core/circumstances.ts";
import { idKey, parentOf } from "../core/ids.ts";
import { damagedAnnotations, lastAppliedText, type Tracked } from "../core/lastApplied.ts";
import type { ServiceFacts } from "../core/runnableKind.ts";
import type { ResourceId } from "../core/types.ts";
import type { Learnt } from "./claim.ts";
import { type Exodus, remaining } from "./leaving.ts";
import type { Turning } from "./turning.ts";
import { type Item, isOurs, isThrough, parentIn, type Work } from "./work.ts";

/** What a turn has learnt that has to stand on the object itself. */
export const learnt = (work: Work, exodus: Exodus, { lastApplied = {} }: Circumstances): Learnt => ({
  gone: (id) => work.get(idKey(id))?.ours === false || exodus.get(idKey(id))?.end === "gone",
  abroad: [...wantedAbroad(work), ...unwantedAbroad(exodus, work)],
  lastApplied: Object.assign({}, ...servicesIn(work).map((service) => textsOf(service, work, lastApplied))),
});

/**
 * Untaggable children of ours whose parent is somebody else's: a person gave them to us, or took our tag off the parent
 * after we had made both. Nothing in Azure tells that they are ours.
 */
const wantedAbroad = (work: Work): readonly ResourceId[] =>
  [...work.values()]
    .filter((item) => isOursByLedgerOnly(item) && parentIn(work, item)?.ours === false)
    .map(({ desired }) => desired.id);

const unwantedAbroad = (exodus: Exodus, work: Work): readonly ResourceId[] =>
  remaining(exodus)
    .filter((one) => isOursByLedgerOnly(one) && work.get(idKey(parentOf(one.id) ?? ""))?.ours === false)
    .map(({ id }) => id);

const isOursByLedgerOnly = ({ service, row }: Pick<Item, "service" | "row">): boolean =>
  service.ownership === "parent" && isOurs(row);

const servicesIn = (work: Work): readonly ServiceFacts[] => [
  ...new Map([...work.values()].map(({ service }) => [service.name, service])).values(),
];

const textsOf = (
  service: ServiceFacts,
  work: Work,
  annotations: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  if (service.lastApplied === undefined) return {};
  const own = [...work.values()].filter((item) => item.service.name === service.name && item.ours !== false);
  return lastAppliedText(service.lastApplied, annotations, own.map(trackedOf));
};

const trackedOf = (item: Item): Tracked => ({
  desired: item.desired,
  applied: item.row.applied,
  // What the loop guard holds back has not been applied.
  done: isThrough(item.state) && item.row.held === undefined,
});

/** What cannot be read is ignored, and said in the log. */
export const logDamaged = ({ deps, kind, item }: Turning, { lastApplied = {} }: Circumstances): void => {
  const all = kind.services.flatMap((service) => service.lastApplied ?? []);
  for (const annotation of damagedAnnotations(all, lastApplied))
    deps.log("warn", "annotation not readable", { object: `${item.namespace}/${item.name}`, annotation });
};
