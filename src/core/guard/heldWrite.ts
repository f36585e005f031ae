import type { Change, Refusal, ResourceId } from "../types.ts";

/** A write that the loop guard holds back, as it is remembered and shown: fields, both values, how often, by whom, until when. */
export interface HeldWrite {
  readonly reason: "ReconcileLoop" | "SpecContested" | "TagContested" | "ChangedOften";
  /** Table-service time. */
  readonly untilMs: number;
  /** Writes of the fight so far; of `ChangedOften` those of the last hour. */
  readonly count: number;
  readonly changes: readonly Change[];
  /** Who else writes, as far as known: field managers of the object, or whom Azure's change feed names. */
  readonly others: readonly string[];
  /** How many plans came in turn although nothing that they obey had changed; absent when it is one. */
  readonly plans?: number;
  /** Fields of the spec that two managers change in turn. */
  readonly specPaths: readonly string[];
}

const shownChanges = 5;
const shownLength = 400;
const cut = (text: string): string => (text.length > shownLength ? `${text.slice(0, shownLength)}…` : text);

const changeText = ({ path, from, to }: Change): string =>
  `${path}: ${cut(JSON.stringify(from))} -> ${cut(JSON.stringify(to))}`;

const listed = (all: readonly string[]): string =>
  all.length > shownChanges
    ? `${all.slice(0, shownChanges).join(", ")} and ${all.length - shownChanges} more`
    : all.join(", ");

const causeOf = (id: string, { reason, others, specPaths, count, plans }: HeldWrite): string => {
  if (plans !== undefined)
    return `written ${count} times, because ${plans} plans came in turn although the spec stayed the same`;
  const unknown = `somebody else (writer not known; see the activity log of ${id})`;
  const by = others.length === 0 ? unknown : listed(others);
  switch (reason) {
    case "ChangedOften":
      return `written ${count} times within an hour, because the spec was changed so often${others.length === 0 ? "" : ` by ${listed(others)}`}`;
    case "SpecContested":
      return `${listed(specPaths)} is changed in turn by ${others.join(" and ")}, written ${count} times`;
    case "TagContested":
      return `tags written ${count} times and changed each time by ${by}`;
    case "ReconcileLoop":
      return `written ${count} times and changed each time by ${by}`;
  }
};

/** For people; the values are those of the explained changes, in which secrets are blanked. */
export const heldMessage = (id: string, held: HeldWrite): string =>
  `${id}: ${causeOf(id, held)} (${listed(held.changes.map(changeText))}); goes on at ${new Date(held.untilMs).toISOString()}, or at once with \`capstan release\``;

/** The same as a part of a plan that is not written now. */
export const heldRefusal = (id: ResourceId, held: HeldWrite): Refusal => {
  const [change] = held.changes;
  return {
    reason: held.reason,
    path: change?.path ?? "",
    observed: change?.from ?? null,
    desired: change?.to ?? null,
    message: heldMessage(id, held),
  };
};

/** Whether all that differs are tags. */
export const areTags = (changes: readonly Change[]): boolean =>
  changes.length > 0 && changes.every(({ path }) => path.startsWith("tags.") || path.startsWith("tags["));
