import { idKey } from "../../core/ids.ts";
import type { KindInput } from "../../core/kind.ts";
import type { RunnableKind } from "../../core/runnableKind.ts";
import type { KubeObject, ResourceId } from "../../core/types.ts";
import { clusterNameOf } from "../../engine/clusterNameOf.ts";
import { assumedFacts } from "./assumedFacts.ts";
import type { ObjectSource } from "./objectSource.ts";
import { readInput } from "./readInput.ts";

type Settings = KindInput["settings"];

/** Ids of all that an object wants, whatever Azure says; undefined when its spec makes no plan. */
export const wantedIds = async (
  object: KubeObject,
  kind: RunnableKind,
  source: Pick<ObjectSource, "get">,
  settings: Settings,
): Promise<readonly ResourceId[] | undefined> => {
  const reading = kind.read((await readInput(object, kind, source, settings)).input);
  const planned = reading.plan(assumedFacts(reading.facts, undefined));
  return planned.ok ? planned.value.services.flatMap(({ desired }) => desired.map(({ id }) => id)) : undefined;
};

/**
 * Ids that the other objects of the source want, by `idKey(id)`. Undefined when that cannot be told: objects may not be
 * listed, or one of a cluster of the same name makes no plan.
 */
export const wantedByOthers = async (
  object: KubeObject,
  kinds: ReadonlyMap<string, RunnableKind>,
  source: ObjectSource,
  settings: Settings,
): Promise<ReadonlySet<string> | undefined> => {
  const found = new Set<string>();
  for (const kind of kinds.values()) {
    const listed = await source.list(kind.kind);
    if (listed === undefined) return undefined;
    for (const other of listed.filter(({ metadata }) => metadata.uid !== object.metadata.uid)) {
      const ids = await wantedIds(other, kind, source, settings);
      if (ids === undefined && clusterNameOf(other) === clusterNameOf(object)) return undefined;
      for (const id of ids ?? []) found.add(idKey(id));
    }
  }
  return found;
};
