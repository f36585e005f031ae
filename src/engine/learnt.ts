import type { Circumstances } from "../core/circumstances.ts";
import { idKey } from "../core/ids.ts";
import { damagedAnnotations, lastAppliedText, type Tracked } from "../core/lastApplied.ts";
import type { ServiceFacts } from "../core/runnableKind.ts";
import type { Learnt } from "./claim.ts";
import type { Exodus } from "./leaving.ts";
import type { Turning } from "./turning.ts";
import { type Item, letsOthersGoOn, parentIn, type Work } from "./work.ts";

/** What a turn has learnt that has to stand on the object itself. */
export const learnt = (work: Work, exodus: Exodus, { lastApplied = {} }: Circumstances): Learnt => ({
  gone: (id) => work.get(idKey(id))?.ours === false || exodus.get(idKey(id))?.end === "gone",
  adopted: [...work.values()].filter((item) => isAdoptedAbroad(item, work)).map(({ desired }) => desired.id),
  lastApplied: Object.assign({}, ...servicesIn(work).map((service) => textsOf(service, work, lastApplied))),
});

/** An untaggable child of somebody else's that a person gave to us: nothing in Azure tells that it is ours. */
const isAdoptedAbroad = (item: Item, work: Work): boolean =>
  item.service.ownership === "parent" && item.row.known === "adopted" && parentIn(work, item)?.ours === false;

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
  done: letsOthersGoOn(item) && item.row.held === undefined,
});

/** What cannot be read is ignored, and said in the log. */
export const logDamaged = ({ deps, kind, item }: Turning, { lastApplied = {} }: Circumstances): void => {
  const all = kind.services.flatMap((service) => service.lastApplied ?? []);
  for (const annotation of damagedAnnotations(all, lastApplied))
    deps.log("warn", "annotation not readable", { object: `${item.namespace}/${item.name}`, annotation });
};
