import { dependencyTable } from "../core/dependencyTable.ts";
import { dependencyKeys } from "../core/inputs.ts";
import type { Projection } from "../core/projection.ts";
import type { ObjectKey } from "../core/types.ts";
import { multiMap } from "./multiMap.ts";

/** A key as one text, for maps. */
export const keyText = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;

/** The projections of all watched objects, and who reads whom. Every question costs as much as its answer is long. */
export interface ObjectIndex {
  get(text: string): Projection | undefined;
  /** Of one kind, by the text of their keys. Not a copy. */
  ofKind(kind: string): ReadonlyMap<string, Projection>;
  put(projection: Projection): void;
  delete(projection: Projection): void;
  /**
   * The object and all known ones that its turn reads. Remembers whom it reads, known or not, for `readersOf`.
   * @param text of its key
   */
  knownTo(self: Projection, text: string): readonly Projection[];
  /** Objects whose turn reads or read this one, as far as `knownTo` was asked for them, and those of which it is a member. */
  readersOf(projection: Projection): readonly string[];
}

interface MemberRule {
  readonly reader: string;
  readonly member: string;
  readonly by: "owner" | "clusterName";
}

const memberRules: readonly MemberRule[] = Object.entries(dependencyTable).flatMap(([reader, { members }]) =>
  members === undefined ? [] : [{ reader, member: members.kind, by: members.by }],
);
/** Only kinds of these rules are looked up by owner or by cluster. */
const grouped: ReadonlySet<string> = new Set(memberRules.flatMap(({ reader, member }) => [reader, member]));

const clusterOf = ({ namespace, references, owners }: Projection): string | undefined => {
  const name = references["clusterName"]?.name ?? owners.find(({ kind }) => kind === "Cluster")?.name;
  return name === undefined ? undefined : `${namespace}/${name}`;
};
const ownedGroup = (kind: string, owner: string): string => `${kind} of ${owner}`;
const clusterGroup = (kind: string, cluster: string): string => `${kind} in ${cluster}`;

const groupsOf = (projection: Projection): readonly string[] => {
  if (!grouped.has(projection.kind)) return [];
  const cluster = clusterOf(projection);
  return [
    ...projection.owners.map((owner) => ownedGroup(projection.kind, keyText(owner))),
    ...(cluster === undefined ? [] : [clusterGroup(projection.kind, cluster)]),
  ];
};

/** The group in which the members of an object are found. */
const memberGroupOf = (self: Projection): string | undefined => {
  const rule = memberRules.find(({ reader }) => reader === self.kind);
  if (rule === undefined) return undefined;
  if (rule.by === "owner") return ownedGroup(rule.member, keyText(self));
  const cluster = clusterOf(self);
  return cluster === undefined ? undefined : clusterGroup(rule.member, cluster);
};

const noObjects: ReadonlyMap<string, Projection> = new Map();

export const objectIndex = (): ObjectIndex => {
  const objects = new Map<string, Map<string, Projection>>();
  const groups = multiMap();
  const readers = multiMap();
  const reads = new Map<string, readonly string[]>();

  const get = (text: string): Projection | undefined => objects.get(text.slice(0, text.indexOf("/")))?.get(text);
  const ofKind = (kind: string): Map<string, Projection> => {
    const known = objects.get(kind) ?? new Map<string, Projection>();
    objects.set(kind, known);
    return known;
  };
  const remember = (text: string, keys: readonly string[]): void => {
    for (const key of reads.get(text) ?? []) readers.remove(key, text);
    const kept = keys.map((key) => readers.add(key, text));
    if (kept.length === 0) reads.delete(text);
    else reads.set(text, kept);
  };
  const leaveGroups = (text: string): void => {
    const former = get(text);
    if (former !== undefined) for (const group of groupsOf(former)) groups.remove(group, text);
  };
  const membersOf = (self: Projection): readonly string[] => {
    const group = memberGroupOf(self);
    return group === undefined ? [] : [...groups.of(group)];
  };
  const readersAsMember = (member: Projection): readonly string[] =>
    memberRules.flatMap((rule) => {
      if (rule.member !== member.kind) return [];
      if (rule.by === "owner") return member.owners.filter(({ kind }) => kind === rule.reader).map(keyText);
      const cluster = clusterOf(member);
      return cluster === undefined ? [] : [...groups.of(clusterGroup(rule.reader, cluster))];
    });

  return {
    get,
    ofKind: (kind) => objects.get(kind) ?? noObjects,
    put: (projection) => {
      const text = keyText(projection);
      leaveGroups(text);
      for (const group of groupsOf(projection)) groups.add(group, text);
      ofKind(projection.kind).set(text, projection);
    },
    delete: (projection) => {
      const text = keyText(projection);
      leaveGroups(text);
      remember(text, []);
      ofKind(projection.kind).delete(text);
    },
    knownTo: (self, selfText) => {
      const known = new Map([[selfText, self]]);
      const learn = (texts: readonly string[]): boolean => {
        const sizeBefore = known.size;
        for (const text of texts) {
          const one = get(text);
          if (one !== undefined) known.set(text, one);
        }
        return known.size > sizeBefore;
      };
      const wanted = (): readonly string[] => dependencyKeys(self, [...known.values()]).map(keyText);
      learn(membersOf(self));
      // One dependency is found from another.
      let texts = wanted();
      while (learn(texts)) texts = wanted();
      remember(selfText, texts);
      return [...known.values()];
    },
    readersOf: (projection) => [...new Set([...readers.of(keyText(projection)), ...readersAsMember(projection)])],
  };
};
