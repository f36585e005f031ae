import { idKey } from "../core/ids.ts";
import type { RunnableKind } from "../core/runnableKind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { clusterNameOf } from "./clusterNameOf.ts";
import { gather } from "./gather.ts";
import { partitionOf, readLedger } from "./ledger.ts";
import { inPool } from "./session.ts";
import type { Turning } from "./turning.ts";

/** What the other objects of a management cluster say is theirs. */
export interface NamedByOthers {
  /** By `idKey(id)`. */
  readonly ids: ReadonlySet<string>;
  /** An object of a cluster of the same name whose spec makes no plan: it may mean anything. */
  readonly unreadable?: string;
}

interface Other {
  readonly kind: RunnableKind;
  readonly object: KubeObject;
}

/**
 * Ids that the spec or the ledger of any other live object names. Costs a list a kind, and of each object a table query and
 * the reads of its plan; asked for only when something is found by tag alone.
 */
export const namedByOthers = async (turning: Turning, object: KubeObject): Promise<Result<NamedByOthers>> => {
  const others = await othersOf(turning, object);
  if (!others.ok) return others;
  const answers = await inPool(others.value, (other) => namedBy(other, turning));
  const broken = answers.find((answer) => !answer.ok);
  if (broken?.ok === false) return broken;
  const found = answers.flatMap((answer) => (answer.ok ? [answer.value] : []));
  const unreadable = others.value.find(
    (other, index) => found[index]?.planned === false && clusterNameOf(other.object) === clusterNameOf(object),
  );
  return {
    ok: true,
    value: {
      ids: new Set(found.flatMap(({ ids }) => ids.map(idKey))),
      ...(unreadable !== undefined && { unreadable: nameOf(unreadable.object) }),
    },
  };
};

const nameOf = ({ kind, metadata: { namespace, name } }: KubeObject): string => `${kind} ${namespace}/${name}`;

const othersOf = async ({ deps, kube }: Turning, object: KubeObject): Promise<Result<readonly Other[]>> => {
  const all: Other[] = [];
  for (const kind of deps.kinds.values()) {
    const listed = await kube.list(kind.kind);
    if (!listed.ok) return listed;
    all.push(...listed.value.map((other) => ({ kind, object: other })));
  }
  return { ok: true, value: all.filter((other) => other.object.metadata.uid !== object.metadata.uid) };
};

interface Named {
  readonly ids: readonly string[];
  readonly planned: boolean;
}

const namedBy = async ({ kind, object }: Other, { deps, kube, item }: Turning): Promise<Result<Named>> => {
  const { namespace, name } = object.metadata;
  const key = { kind: object.kind, namespace, name };
  const rows = await deps.tables.list("state", partitionOf(item.cluster, key));
  if (!rows.ok) return rows;
  const listed = [...readLedger(rows.value).ledger.values()].map(({ id }) => id);
  const gathered = await gather(key, kind, kube, deps);
  if (!gathered.ok) return gathered;
  if (gathered.value.kind === "gone") return { ok: true, value: { ids: listed, planned: true } };
  if (gathered.value.kind === "ignored") return { ok: true, value: { ids: listed, planned: false } };
  const planned = kind.read(gathered.value.input).plan([]);
  if (!planned.ok) return { ok: true, value: { ids: listed, planned: false } };
  const wanted = planned.value.services.flatMap(({ desired }) => desired.map(({ id }) => id));
  return { ok: true, value: { ids: [...listed, ...wanted], planned: true } };
};
