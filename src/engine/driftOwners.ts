import { idKey, parseId } from "../core/ids.ts";
import type { IndexRow } from "./indexRow.ts";

/** The objects that a change of this resource concerns, each with those of its resources that it is about. */
export type Owners = (id: string) => ReadonlyMap<IndexRow, readonly string[]>;

/** The resources that this one is a part of, nearest first; its group is none of them, a change of that is not one of it. */
const above = (key: string): readonly string[] => {
  const parts = parseId(key);
  if (parts === undefined || parts.types.length < 2) return [];
  const words = key.split("/");
  return Array.from({ length: parts.types.length - 1 }, (_, at) => words.slice(0, -2 * (at + 1)).join("/"));
};

interface Entry {
  readonly object: IndexRow;
  readonly resource: string;
}

/**
 * Matches ids as Azure tells them against ids as the ledgers have them: the same resource, a parent that stands for its
 * child (a subnet shows as a change of its virtual network), or a part of what is ours (a rule of a security group).
 */
export const ownersOf = (rows: readonly IndexRow[]): Owners => {
  const exact = new Map<string, Entry[]>();
  const below = new Map<string, Entry[]>();
  const add = (map: Map<string, Entry[]>, key: string, entry: Entry): void => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [entry]);
    else list.push(entry);
  };
  for (const object of rows)
    for (const id of object.resources ?? []) {
      const resource = idKey(id);
      add(exact, resource, { object, resource });
      for (const parent of above(resource)) add(below, parent, { object, resource });
    }
  return (id) => {
    const key = idKey(id);
    const entries = [
      ...(exact.get(key) ?? []),
      ...(below.get(key) ?? []),
      ...above(key).flatMap((parent) => exact.get(parent) ?? []),
    ];
    const found = new Map<IndexRow, readonly string[]>();
    for (const { object, resource } of entries) found.set(object, [...(found.get(object) ?? []), resource]);
    return found;
  };
};
