import { labels } from "../core/annotations.ts";
import { idKey, resourceGroupOf } from "../core/ids.ts";
import { ownedChildren } from "../core/ownedChildren.ts";
import type { KubeObject, ResourceId, Result } from "../core/types.ts";
import { type Exodus, type Leaving, leavingOf } from "./leaving.ts";
import { inPool, type Session } from "./session.ts";
import type { Turning } from "./turning.ts";
import { newRow } from "./work.ts";

/** Kinds that stand for a whole cluster: only they may take what carries the cluster's tag. */
const clusterKinds: ReadonlySet<string> = new Set(["AzureCluster", "AzureManagedControlPlane"]);

export const isClusterKind = ({ kind }: { readonly kind: string }): boolean => clusterKinds.has(kind);

const clusterNameOf = ({ metadata }: KubeObject): string | undefined =>
  metadata.labels[labels.clusterName] ?? metadata.ownerReferences.find(({ kind }) => kind === "Cluster")?.name;

/** The tag names the cluster only, and two clusters may have one name: then the list could be of things of the other. */
const hasNamesake = async ({ kube, kind }: Turning, object: KubeObject): Promise<Result<boolean>> => {
  const all = await kube.list(kind.kind);
  if (!all.ok) return all;
  const name = clusterNameOf(object);
  const others = all.value.filter(({ metadata }) => metadata.uid !== object.metadata.uid);
  return { ok: true, value: others.some((other) => clusterNameOf(other) === name) };
};

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
 * lost ledger or an older spec.
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
  const namesake = await hasNamesake(turning, object);
  if (!namesake.ok) return namesake;
  if (namesake.value) return { ok: true, value: [] };
  const { apiVersion } = await session.deps.schema("Microsoft.Resources/resourceGroups");
  const query = { $filter: `tagName eq '${tag[0]}' and tagValue eq '${tag[1]}'` };
  const answers = await inPool(staying, (group) =>
    session.arm.list({ method: "GET", path: `${group}/resources`, apiVersion, query }),
  );
  const broken = answers.find((answer) => !answer.ok && answer.error.status !== 404);
  if (broken?.ok === false) return broken;
  const ids = answers.flatMap((answer) => (answer.ok ? answer.value.map(({ id }) => id) : []));
  const fresh = ids.filter((id): id is ResourceId => typeof id === "string" && !exodus.has(idKey(id)));
  return {
    ok: true,
    value: fresh
      .flatMap((id) => leavingOf(kind, id))
      .map(({ id, service }) => ({ id, service, row: newRow(id, service, new Set()) })),
  };
};
