import { annotations } from "./annotations.ts";
import type { Seen } from "./chain/chainRow.ts";
import type { News } from "./chain/messages.ts";
import { type Counted, dependencyTable, type Role } from "./dependencyTable.ts";
import { hashOf } from "./hash.ts";
import type { Projection } from "./projection.ts";
import type { Json, ObjectKey } from "./types.ts";
import { keyOf } from "./workItem.ts";

/** Another object that a turn reads, known or not yet. */
export interface DependencyKey {
  readonly role: string;
  readonly key: ObjectKey;
}
interface Counting extends DependencyKey {
  readonly counts: readonly Counted[];
}

const textOf = ({ kind, namespace, name }: ObjectKey): string => `${kind}/${namespace}/${name}`;

const keyNamedBy = (from: Projection, { by, kinds }: Role): ObjectKey | undefined => {
  const key = by === "owner" ? from.owners.find(({ kind }) => kinds.includes(kind)) : from.references[by];
  return key !== undefined && kinds.includes(key.kind) ? key : undefined;
};

const clusterNameOf = (object: Projection): string | undefined =>
  object.references["clusterName"]?.name ?? object.owners.find(({ kind }) => kind === "Cluster")?.name;

const isMember = (self: Projection, other: Projection, by: "owner" | "clusterName"): boolean =>
  other.namespace === self.namespace &&
  (by === "owner"
    ? other.owners.some((owner) => textOf(owner) === textOf(self))
    : clusterNameOf(self) !== undefined && clusterNameOf(other) === clusterNameOf(self));

const membersOf = (self: Projection, known: readonly Projection[]): readonly Counting[] => {
  const members = dependencyTable[self.kind]?.members;
  return members === undefined
    ? []
    : known
        .filter((other) => other.kind === members.kind && isMember(self, other, members.by))
        .map((other) => ({ role: "members", key: keyOf(other), counts: members.counts }));
};

/** Roles in the order of the table: each comes after the one that it is found from. */
const rolesOf = (self: Projection, known: readonly Projection[]): readonly Counting[] => {
  const byKey = new Map(known.map((one) => [textOf(one), one]));
  const found = new Map<string, Projection>([["self", self]]);
  return (dependencyTable[self.kind]?.roles ?? []).flatMap((role) => {
    const from = found.get(role.from);
    const key = from === undefined ? undefined : keyNamedBy(from, role);
    if (key === undefined) return [];
    const dependency = byKey.get(textOf(key));
    if (dependency !== undefined) found.set(role.role, dependency);
    return [{ role: role.role, key: keyOf(key), counts: role.counts }];
  });
};

const countingOf = (self: Projection, known: readonly Projection[]): readonly Counting[] => [
  ...rolesOf(self, known),
  ...membersOf(self, known),
];

/**
 * All objects that a turn of `self` reads, as far as they can be told from those known: read what is missing and ask
 * again until nothing new comes. Members are found among the known; list the kind `memberKindOf` first.
 */
export const dependenciesOf = (self: Projection, known: readonly Projection[] = []): readonly DependencyKey[] =>
  countingOf(self, known).map(({ role, key }) => ({ role, key }));

/** Their keys, each once. */
export const dependencyKeys = (self: Projection, known: readonly Projection[] = []): readonly ObjectKey[] => [
  ...new Map(countingOf(self, known).map(({ key }) => [textOf(key), key])).values(),
];

/** Kind of the objects of which a turn reads all that belong to its own; undefined when it reads none. */
export const memberKindOf = (kind: string): string | undefined => dependencyTable[kind]?.members?.kind;

const shownBy = (dependency: Projection | undefined, counts: readonly Counted[]): Json =>
  dependency === undefined
    ? null
    : {
        uid: dependency.uid,
        generation: dependency.generation,
        deleting: dependency.deleting,
        counted: Object.fromEntries(counts.map((name) => [name, dependency.counted[name] ?? null])),
      };

/**
 * Hash of all that a turn obeys and the object's generation does not show: the annotations and labels that Capstan
 * reads, deletion, our finalizer, and of every dependency whether it is there, its uid, generation, deletion and what
 * counts of it. The order of `known` does not matter, nor what else is in it. One function for watcher and turn.
 */
export const inputsOf = (self: Projection, known: readonly Projection[]): string => {
  const byKey = new Map(known.map((one) => [textOf(one), one]));
  return hashOf({
    annotations: self.annotations,
    labels: self.labels,
    deleting: self.deleting,
    finalized: self.finalized,
    dependencies: Object.fromEntries(
      countingOf(self, known).map(({ role, key, counts }) => [
        `${role}=${textOf(key)}`,
        shownBy(byKey.get(textOf(key)), counts),
      ]),
    ),
  });
};

/** Whether the object or its Cluster is paused. */
export const isPaused = (self: Projection, known: readonly Projection[]): boolean =>
  Object.hasOwn(self.annotations, annotations.paused) ||
  rolesOf(self, known).some(
    ({ role, key }) =>
      role === "cluster" && known.some((one) => textOf(one) === textOf(key) && one.counted.paused === true),
  );

/** What a turn that read these objects has seen. */
export const seenOf = (self: Projection, known: readonly Projection[]): Seen => ({
  uid: self.uid,
  generation: self.generation,
  inputs: inputsOf(self, known),
});

/** What a doorbell for this object says. */
export const newsOf = (self: Projection, known: readonly Projection[]): News => ({
  ...seenOf(self, known),
  paused: isPaused(self, known),
  deleting: self.deleting,
  ...(Object.hasOwn(self.annotations, annotations.deleteForMove) && { moved: true }),
});

/** The resourceVersions from which a doorbell's message id is made: of the object and of all that its inputs came from. */
export const versionsOf = (self: Projection, known: readonly Projection[]): readonly string[] => {
  const byKey = new Map(known.map((one) => [textOf(one), one]));
  const version = (key: ObjectKey, one: Projection | undefined): string =>
    `${textOf(key)}@${one === undefined ? "" : `${one.uid}:${one.resourceVersion}`}`;
  return [version(self, self), ...dependencyKeys(self, known).map((key) => version(key, byKey.get(textOf(key))))];
};
