import { labels } from "../core/annotations.ts";
import type { News } from "../core/chain/messages.ts";
import { newsOf, versionsOf } from "../core/inputs.ts";
import type { Projection } from "../core/projection.ts";
import type { ObjectKey } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import { keyText, type ObjectIndex, objectIndex } from "./objectIndex.ts";

/** What lists and watches bring. */
export type Change =
  /** An object as listed, added or modified. */
  | { readonly kind: "seen"; readonly projection: Projection }
  /** Its last state, of a DELETED event. */
  | { readonly kind: "gone"; readonly projection: Projection }
  /** A list of a kind is complete: what it does not hold is gone. Texts of keys. */
  | { readonly kind: "listed"; readonly of: string; readonly present: ReadonlySet<string> }
  /** All kinds are known as far as they can be: from now on changes ring, and `announce` has something to tell. */
  | { readonly kind: "opened" };

/** One doorbell to ring. */
export interface Ring {
  readonly cause: "change" | "dependency";
  readonly key: ObjectKey;
  readonly news: News;
  /** What the message id is made of. */
  readonly versions: readonly string[];
}

export interface ChangesOptions {
  /** Kinds that are announced; all others only count as what these read. */
  readonly reconciled: ReadonlySet<string>;
  /**
   * Only objects whose label `cluster.x-k8s.io/watch-filter` has this value are announced. Default: all. The server is
   * not asked to filter: what a labelled object depends on need not have the label.
   */
  readonly watchFilter?: string | undefined;
}

export interface Changes {
  /** Takes a change in and tells which doorbells it rings. */
  apply(change: Change): readonly Ring[];
  /**
   * Up to so many doorbells of objects that were not announced since the start; fewer only when they are the last. In
   * pieces, because all of them at once would be most of the memory.
   */
  announce(atMost: number): readonly Ring[];
  /** How many objects `announce` has not yet looked at. */
  unannounced(): number;
  /** Number of objects known of a kind. */
  count(kind: string): number;
}

const sameNews = (one: News | undefined, other: News): boolean =>
  one !== undefined &&
  one.uid === other.uid &&
  one.generation === other.generation &&
  one.inputs === other.inputs &&
  one.paused === other.paused &&
  one.deleting === other.deleting;

/** Whether only the version differs, as after a write to a status that nobody counts. */
const sameButVersion = (one: Projection, other: Projection): boolean =>
  JSON.stringify({ ...one, resourceVersion: "" }) === JSON.stringify({ ...other, resourceVersion: "" });

const versionMark = (projection: Projection): string =>
  `${keyText(projection)}@${projection.uid}:${projection.resourceVersion}`;
const goneMark = (projection: Projection): string => `gone ${versionMark(projection)}`;

/** What is known of the cluster, and what was announced of it. */
interface Memory {
  readonly index: ObjectIndex;
  /** The last news of each object that was announced and is still there. */
  readonly announced: Map<string, News>;
  readonly isOurs: (projection: Projection) => boolean;
}

/**
 * The doorbell of an object, when its news changed. `trigger` names the state of another object that brought it about:
 * the object's own dependencies would not show in the message id that one of them left, and the broker would take the
 * third message of there, gone, there for the first.
 */
const ringOf = ({ index, announced, isOurs }: Memory, text: string, trigger?: string): Ring | undefined => {
  const self = index.get(text);
  if (self === undefined || !isOurs(self)) {
    announced.delete(text);
    return undefined;
  }
  const known = index.knownTo(self, text);
  const news = newsOf(self, known);
  if (sameNews(announced.get(text), news)) return undefined;
  announced.set(text, news);
  const versions = versionsOf(self, known);
  return {
    cause: trigger === undefined ? "change" : "dependency",
    key: keyOf(self),
    news,
    versions: trigger === undefined || versions.includes(trigger) ? versions : [...versions, trigger],
  };
};

const ringReaders = (memory: Memory, readers: readonly string[], trigger: string): readonly Ring[] =>
  readers.flatMap((text) => ringOf(memory, text, trigger) ?? []);

/** The last doorbell of an object. It is news to any turn: no turn has seen inputs that are empty. */
const ringGone = (last: Projection, known: readonly Projection[]): Ring => ({
  cause: "change",
  key: keyOf(last),
  news: { ...newsOf(last, known), inputs: "", deleting: true },
  versions: [goneMark(last)],
});

const seen = (memory: Memory, after: Projection, open: boolean): readonly Ring[] => {
  const { index } = memory;
  const text = keyText(after);
  const before = index.get(text);
  if (before !== undefined && sameButVersion(before, after)) {
    index.put(after);
    return [];
  }
  index.put(after);
  if (!open) return [];
  return [ringOf(memory, text) ?? [], ringReaders(memory, index.readersOf(after), versionMark(after))].flat();
};

const gone = (memory: Memory, last: Projection, open: boolean): readonly Ring[] => {
  const { index, announced } = memory;
  const text = keyText(last);
  if (index.get(text) === undefined) return [];
  const known = index.knownTo(last, text);
  const readers = index.readersOf(last);
  index.delete(last);
  if (!open) return [];
  const own = announced.delete(text) ? [ringGone(last, known)] : [];
  return [...own, ...ringReaders(memory, readers, goneMark(last))];
};

/** Follows the maps as they change: what comes later has rung by then, what goes is passed over. */
function* textsOf(index: ObjectIndex, kinds: Iterable<string>): Generator<string, undefined> {
  for (const kind of kinds) yield* index.ofKind(kind).keys();
  return undefined;
}

/**
 * Keeps the projections of all watched objects and turns every change into the doorbells of those whose news it
 * changed. What a turn writes itself into a status changes no news and rings nobody but those that count it.
 */
export const trackChanges = ({ reconciled, watchFilter }: ChangesOptions): Changes => {
  const memory: Memory = {
    index: objectIndex(),
    announced: new Map(),
    isOurs: (projection) =>
      reconciled.has(projection.kind) &&
      (watchFilter === undefined || projection.labels[labels.watchFilter] === watchFilter),
  };
  const { index } = memory;
  /** Undefined until opened. */
  let rest: Iterator<string, undefined> | undefined;
  let unannounced = 0;
  const nextRing = (): Ring | undefined => {
    for (let next = rest?.next(); next !== undefined && next.done !== true; next = rest?.next()) {
      unannounced = Math.max(0, unannounced - 1);
      const ring = ringOf(memory, next.value);
      if (ring !== undefined) return ring;
    }
    unannounced = 0;
    return undefined;
  };
  const take = (change: Change): readonly Ring[] => {
    const isOpen = rest !== undefined;
    switch (change.kind) {
      case "seen":
        return seen(memory, change.projection, isOpen);
      case "gone":
        return gone(memory, change.projection, isOpen);
      case "listed": {
        const missing = [...index.ofKind(change.of)].filter(([text]) => !change.present.has(text));
        return missing.flatMap(([, projection]) => gone(memory, projection, isOpen));
      }
      case "opened":
        rest = textsOf(index, reconciled);
        unannounced = [...reconciled].reduce((sum, kind) => sum + index.ofKind(kind).size, 0);
        return [];
    }
  };
  return {
    apply: take,
    announce: (atMost) => {
      const rings: Ring[] = [];
      for (let ring = nextRing(); ring !== undefined; ring = rings.length < atMost ? nextRing() : undefined)
        rings.push(ring);
      return rings;
    },
    unannounced: () => unannounced,
    count: (kind) => index.ofKind(kind).size,
  };
};
