import { annotations } from "./annotations.ts";
import { idKey, parseId } from "./ids.ts";
import type { KubeObject, ResourceId } from "./types.ts";

/**
 * Ids of our untaggable children under a foreign parent, as the object itself names them: Azure cannot show whose they
 * are, and the tables may be lost. What is no id is left out.
 */
export const ownedChildren = ({ metadata }: Pick<KubeObject, "metadata">): readonly ResourceId[] =>
  (metadata.annotations[annotations.ownedChildren] ?? "")
    .split(",")
    .map((text) => text.trim())
    // The one cast: an id is a text that can be taken apart as one.
    .filter((text): text is ResourceId => parseId(text) !== undefined);

/** The same for lookups. */
export const ownedChildrenKeys = (object: Pick<KubeObject, "metadata">): ReadonlySet<string> =>
  new Set(ownedChildren(object).map(idKey));

/** The annotation's value for these ids: each once, sorted. */
export const childrenText = (ids: readonly string[]): string =>
  [...new Map(ids.map((id) => [idKey(id), id])).values()].toSorted().join(",");

/** Whether a person wants a deletion to leave this resource behind: it is named, or something that it lives in. */
export const abandoned = ({ metadata }: Pick<KubeObject, "metadata">): ((id: string) => boolean) => {
  const released = (metadata.annotations[annotations.abandon] ?? "")
    .split(",")
    .map((text) => idKey(text.trim()))
    .filter((text) => parseId(text) !== undefined);
  return (id) => released.some((one) => idKey(id) === one || idKey(id).startsWith(`${one}/`));
};
