import { lazy } from "../../api/check/lazy.ts";
import { textAt } from "../../api/json.ts";
import type { FoundObject } from "./foundObject.ts";

type Type = Pick<FoundObject, "apiVersion" | "kind">;
type Key = Pick<FoundObject, "kind" | "namespace" | "name">;

/** The objects of all files, found without going through them each time; the first where several are alike. */
export interface ObjectIndex {
  readonly objects: readonly FoundObject[];
  readonly named: (key: Key) => FoundObject | undefined;
  /** All of one type in a namespace. */
  readonly allOf: (type: Type, namespace: string) => readonly FoundObject[];
  /** Names of one kind in a namespace. */
  readonly namesOf: (kind: string, namespace: string) => readonly string[];
  /** The object of Cluster API that names this one as its own. */
  readonly namerOf: (key: Key) => FoundObject | undefined;
}

// Nothing keeps what stands in a file from holding a separator.
const joined = (...parts: readonly string[]): string => JSON.stringify(parts);
const keyOf = ({ kind, namespace, name }: Key): string => joined(kind, namespace, name);

const firsts = (entries: readonly (readonly [string, FoundObject])[]): ReadonlyMap<string, FoundObject> =>
  new Map(entries.toReversed());

const places = [
  ["spec", "infrastructureRef"],
  ["spec", "controlPlaneRef"],
  ["spec", "template", "spec", "infrastructureRef"],
] as const;

const ownedBy = ({ body, namespace }: FoundObject): readonly string[] =>
  places.flatMap((path) => {
    const [kind, name] = [textAt(body, ...path, "kind"), textAt(body, ...path, "name")];
    return kind === undefined || name === undefined ? [] : [keyOf({ kind, namespace, name })];
  });

const isOwner = ({ kind }: FoundObject): boolean => kind === "Cluster" || kind === "MachinePool";

export const objectIndex = (objects: readonly FoundObject[]): ObjectIndex => {
  const byKey = lazy(() => firsts(objects.map((object) => [keyOf(object), object])));
  const owners = lazy(() =>
    firsts(objects.filter(isOwner).flatMap((owner) => ownedBy(owner).map((key) => [key, owner] as const))),
  );
  const byType = lazy(() =>
    Map.groupBy(objects, ({ apiVersion, kind, namespace }) => joined(apiVersion, kind, namespace)),
  );
  const byKind = lazy(() => Map.groupBy(objects, ({ kind, namespace }) => joined(kind, namespace)));
  return {
    objects,
    named: (key) => byKey().get(keyOf(key)),
    allOf: ({ apiVersion, kind }, namespace) => byType().get(joined(apiVersion, kind, namespace)) ?? [],
    namesOf: (kind, namespace) => (byKind().get(joined(kind, namespace)) ?? []).map(({ name }) => name),
    namerOf: (key) => owners().get(keyOf(key)),
  };
};
