import { idKey, resourceGroupOf } from "../core/ids.ts";
import { ownedChildren } from "../core/ownedChildren.ts";
import type { KubeObject, ResourceId, Result } from "../core/types.ts";
import { type Exodus, type Leaving, leavingOf } from "./leaving.ts";
import { namedByOthers } from "./namedByOthers.ts";
import { inPool, type Session } from "./session.ts";
import type { Turning } from "./turning.ts";
import { newRow } from "./work.ts";

/** Kinds that stand for a whole cluster: only they may take what carries the cluster's tag. */
const clusterKinds: ReadonlySet<string> = new Set(["AzureCluster", "AzureManagedControlPlane"]);

export const isClusterKind = ({ kind }: { readonly kind: string }): boolean => clusterKinds.has(kind);

/** Groups that stay, of those that spec, ledger and object name: in the others everything goes anyway. */
const stayingGroups = (exodus: Exodus, object: KubeObject): readonly ResourceId[] => {
  const ids = [...[...exodus.values()].map(({ id }) => id), ...ownedChildren(object)];
  const groups = new Map(ids.flatMap((id) => resourceGroupOf(id) ?? []).map((group) => [idKey(group), group]));
  return [...groups.values()].filter((group) => {
    const end = exodus.get(idKey(group))?.end;
    return end === undefined || end === "kept";
  });
};

/**
 * What carries the owner tag in groups that stay, of types that this kind makes, and is not known yet: left behind by a
 * lost ledger or an older spec. The tag names the cluster only, and two clusters may have one name, so what any other
 * live object names is not among it.
 */
export const listLeftovers = async (
  turning: Turning,
  object: KubeObject,
  exodus: Exodus,
  session: Session,
): Promise<Result<readonly Leaving[]>> => {
  const { kind } = turning;
  const [tag] = Object.entries(session.ownerTags);
  const staying = stayingGroups(exodus, object);
  if (!isClusterKind(kind) || tag === undefined || staying.length === 0) return { ok: true, value: [] };
  const { apiVersion } = await session.deps.schema("Microsoft.Resources/resourceGroups");
  const query = { $filter: `tagName eq '${tag[0]}' and tagValue eq '${tag[1]}'` };
  const answers = await inPool(staying, (group) =>
    session.arm.list({ method: "GET", path: `${group}/resources`, apiVersion, query }),
  );
  const broken = answers.find((answer) => !answer.ok && answer.error.status !== 404);
  if (broken?.ok === false) return broken;
  const ids = answers.flatMap((answer) => (answer.ok ? answer.value.map(({ id }) => id) : []));
  const fresh = ids.filter((id): id is ResourceId => typeof id === "string" && !exodus.has(idKey(id)));
  const found = fresh.flatMap((id) => leavingOf(kind, id));
  if (found.length === 0) return { ok: true, value: [] };
  const others = await namedByOthers(turning, object);
  if (!others.ok) return others;
  const { ids: theirs, unreadable } = others.value;
  const mine = unreadable === undefined ? found.filter(({ id }) => !theirs.has(idKey(id))) : [];
  tellWhatStays(turning, found, mine, unreadable);
  return { ok: true, value: mine.map(({ id, service }) => ({ id, service, row: newRow(id, service, new Set()) })) };
};

type Found = ReturnType<typeof leavingOf>;

const tellWhatStays = (
  { deps, item: { namespace, name } }: Turning,
  found: Found,
  mine: Found,
  unreadable: string | undefined,
): void => {
  const left = found.filter((one) => !mine.includes(one)).map(({ id }) => id);
  if (left.length === 0) return;
  const why = unreadable === undefined ? "another object names them" : `${unreadable} may mean them`;
  deps.log("info", "resources with our owner tag left to others", {
    object: `${namespace}/${name}`,
    ids: left.join(", "),
    why,
  });
};
