import { isDeleting } from "../../api/meta.ts";
import { idKey, parentOf, resourceGroupOf } from "../../core/ids.ts";
import { ownedChildren } from "../../core/ownedChildren.ts";
import type { JsonObject, Observed, ResourceId } from "../../core/types.ts";
import { leavingOf } from "../../engine/leaving.ts";
import { isClusterKind } from "../../engine/leftovers.ts";
import { readResource } from "../../engine/readResource.ts";
import { inPool } from "../../engine/session.ts";
import type { Arm } from "../../ports.ts";
import { azureError, patiently } from "./askAzure.ts";
import type { AzureView } from "./azureView.ts";
import type { PlanInput } from "./planInput.ts";

type Asked = Omit<PlanInput, "azure">;
type Read = ReadonlyMap<string, Observed>;
/** Told after each answer: how many of how many. */
export type Progress = (done: number, of: number) => void;

const absent: Observed = { kind: "absent" };
const typeOfGroups = "Microsoft.Resources/resourceGroups";

interface Reader extends Asked {
  readonly arm: Arm;
  readonly progress: Progress;
}

/** An unknown subscription is no empty one. */
const isAbsence = ({ status, code }: { readonly status?: number; readonly code: string }): boolean =>
  status === 404 && code !== "SubscriptionNotFound";

const readOne = async (id: ResourceId, type: string, { arm, schema }: Reader): Promise<Observed> => {
  const { apiVersion } = schema(type);
  const answer = await patiently(() => readResource(id, apiVersion, { arm }));
  if (answer.ok) return { kind: "present", ...answer.value };
  if (isAbsence(answer.error)) return absent;
  throw azureError(id, answer.error);
};

/** Whether what it lives in was read and is not there. */
const isHomeless = (id: ResourceId, read: Read): boolean =>
  [parentOf(id), resourceGroupOf(id)].some(
    (home) => home !== undefined && home !== id && read.get(idKey(home))?.kind === "absent",
  );

interface Place {
  readonly id: ResourceId;
  readonly type: string;
}

const depth = (id: string): number => id.split("/").length;

/** What others live in comes first, so that nothing is asked of what cannot be there. */
const readAll = async (places: readonly Place[], before: Read, reader: Reader): Promise<Read> => {
  const found = new Map(before);
  const distinct = [...new Map(places.map((one) => [idKey(one.id), one])).values()];
  const fresh = distinct.filter(({ id }) => !found.has(idKey(id)));
  let done = 0;
  for (const level of [...new Set(fresh.map(({ id }) => depth(id)))].toSorted((one, other) => one - other)) {
    const now = fresh.filter(({ id }) => depth(id) === level);
    const looked = await inPool(now, async ({ id, type }) => {
      const observed = isHomeless(id, found) ? absent : await readOne(id, type, reader);
      done += 1;
      reader.progress(done, fresh.length);
      return [idKey(id), observed] as const;
    });
    for (const [key, observed] of looked) found.set(key, observed);
  }
  return found;
};

const listIn = async (
  group: ResourceId,
  { arm, schema }: Reader,
  query: Readonly<Record<string, string>> = {},
): Promise<readonly JsonObject[]> => {
  const { apiVersion } = schema(typeOfGroups);
  const listed = await patiently(() => arm.list({ method: "GET", path: `${group}/resources`, apiVersion, query }));
  if (listed.ok) return listed.value;
  if (isAbsence(listed.error)) return [];
  throw azureError(`the content of ${group}`, listed.error);
};

/** Groups that the spec and the object name, and that exist. */
const groupsOf = ({ object, planned }: Asked, read: Read): readonly ResourceId[] => {
  const wanted = planned.services.flatMap(({ desired }) => desired.map(({ id }) => id));
  const groups = [...wanted, ...ownedChildren(object)].flatMap((id) => resourceGroupOf(id) ?? []);
  return [...new Map(groups.map((id) => [idKey(id), id])).values()].filter(
    (id) => read.get(idKey(id))?.kind === "present",
  );
};

const listTagged = async (groups: readonly ResourceId[], reader: Reader): Promise<readonly JsonObject[]> => {
  const [tag] = Object.entries(reader.planned.ownership.tags);
  if (!isClusterKind(reader.kind) || tag === undefined) return [];
  const $filter = `tagName eq '${tag[0]}' and tagValue eq '${tag[1]}'`;
  return (await inPool(groups, (group) => listIn(group, reader, { $filter }))).flat();
};

const placesOf = ({ kind, object, planned }: Asked): readonly Place[] => {
  const wanted = planned.services.flatMap(({ service: { type }, desired }) => desired.map(({ id }) => ({ id, type })));
  const children = ownedChildren(object).flatMap((id) => leavingOf(kind, id));
  const all = [...wanted, ...children.map(({ id, service: { type } }) => ({ id, type }))];
  const groups = all.flatMap(({ id }) => resourceGroupOf(id) ?? []);
  return [...groups.map((id) => ({ id, type: typeOfGroups })), ...all];
};

const isId = (id: unknown): id is ResourceId => typeof id === "string";

/** Reads all that a plan of one object compares with. `others` is asked only when something is found by its tag alone. */
export const lookAtAzure = async (
  asked: Asked,
  arm: Arm,
  others: () => Promise<AzureView["namedByOthers"]>,
  progress: Progress,
): Promise<AzureView> => {
  const reader: Reader = { ...asked, arm, progress };
  const read = await readAll(placesOf(asked), new Map(), reader);
  const groups = groupsOf(asked, read);
  const tagged = await listTagged(groups, reader);
  const strange = tagged.map(({ id }) => id).filter((id) => isId(id) && !read.has(idKey(id)));
  const found = strange.flatMap((id) => (isId(id) ? leavingOf(asked.kind, id) : []));
  const places = found.map(({ id, service: { type } }) => ({ id, type }));
  const all = await readAll(places, read, reader);
  const contents = isDeleting(asked.object)
    ? await inPool(groups, async (group) => [idKey(group), await listIn(group, reader)] as const)
    : [];
  const contentOf = new Map(contents);
  return {
    observed: (id) => all.get(idKey(id)) ?? absent,
    tagged,
    contentOf: (group) => contentOf.get(idKey(group)) ?? [],
    namedByOthers: found.length === 0 ? new Set() : await others(),
  };
};
