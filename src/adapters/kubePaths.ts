import { apiVersionOf, type KindEntry } from "../api/registry.ts";

const segment = (text: string): string => encodeURIComponent(text);

/** Path of all objects of a kind, in one namespace or (namespace empty or absent) in the whole cluster. */
export const collectionPath = (entry: KindEntry, namespace = ""): string => {
  const root = entry.group === "" ? `/api/${entry.version}` : `/apis/${apiVersionOf(entry)}`;
  return entry.namespaced && namespace !== ""
    ? `${root}/namespaces/${segment(namespace)}/${entry.plural}`
    : `${root}/${entry.plural}`;
};

/** Path of one object. */
export const objectPath = (entry: KindEntry, namespace: string, name: string): string =>
  `${collectionPath(entry, namespace)}/${segment(name)}`;

/** `?a=b` of all values that are given. */
export const queryOf = (values: Readonly<Record<string, string | number | boolean | undefined>>): string => {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== "") given.set(name, String(value));
  return given.size === 0 ? "" : `?${given.toString()}`;
};
