import { isJsonList, isJsonObject } from "../../wire/json.ts";
import { redact, redacted } from "../../wire/redact.ts";
import type { AppliedLeaf, Desired, Json, Mark } from "../types.ts";
import { valueAt, withValue } from "./body.ts";
import { keysOfList } from "./itemKeys.ts";
import { isWithin, type Located, locate, root, stepTo } from "./located.ts";
import { coveredBy, type Frame, isListPlace } from "./place.ts";

/** One wanted value: a scalar, something empty, a secret, or a list that is taken whole. */
export interface Leaf extends Located {
  readonly value: Json;
  readonly mark: Mark;
  /** Of a value from a Kubernetes Secret. */
  readonly version?: string;
}

const childrenOf = (frame: Frame, at: Located, value: Json): readonly (readonly [Located, Json])[] => {
  if (at.place.secret || at.place.writeOnly) return [];
  if (isJsonObject(value))
    return Object.entries(value).map(([name, child]) => [stepTo(frame, at, name), child] as const);
  if (!isJsonList(value) || !isListPlace(frame, at.place) || coveredBy(frame.rules.sets, at.place)) return [];
  const keys = keysOfList(frame.rules, at.place.pattern, value) ?? [];
  return keys.map((key, index) => [stepTo(frame, at, key), value[index] ?? null] as const);
};

const leavesBelow = (frame: Frame, at: Located, value: Json): readonly (Located & { readonly value: Json })[] => {
  const children = childrenOf(frame, at, value);
  if (children.length === 0) return [{ ...at, value }];
  return children.flatMap(([place, child]) => leavesBelow(frame, place, child));
};

/** All wanted values with their marks. */
export const leavesOf = (
  frame: Frame,
  { body, defaults, versions = [] }: Pick<Desired, "body" | "defaults" | "versions">,
): readonly Leaf[] => {
  const chosen = defaults.map((path) => locate(frame, path));
  const versioned = versions.map(({ path, version }) => ({ at: locate(frame, path), version }));
  return leavesBelow(frame, root(frame), body)
    .filter(({ path }) => path.length > 0)
    .map((leaf) => {
      const from = versioned.find(({ at }) => isWithin(leaf, at));
      return {
        ...leaf,
        mark: chosen.some((part) => isWithin(leaf, part)) ? "default" : "asked",
        ...(from !== undefined && { version: from.version }),
      };
    });
};

/** The secrets below a place that the schema does not know of. */
const secretsWithin = (frame: Frame, at: Located): readonly Located[] =>
  [...frame.secrets.values()].map((path) => locate(frame, path)).filter((secret) => isWithin(secret, at));

/** A value that may be stored and shown. */
export const shown = (frame: Frame, at: Located, value: Json): Json => {
  if (value === null) return null;
  if (at.place.secret) return redacted;
  const plain = at.place.node === undefined ? value : redact(frame.schema, at.place.node, value);
  const secrets = secretsWithin(frame, at);
  if (secrets.length === 0) return plain;
  const whole = withValue(frame, {}, at, plain);
  const blanked = secrets
    .filter((secret) => valueAt(frame, whole, secret) !== undefined)
    .reduce((body, secret) => withValue(frame, body, secret, redacted), whole);
  return valueAt(frame, blanked, at) ?? plain;
};

/** Whether `shown` hides something of the value. */
export const hidesSecret = (frame: Frame, at: Located, value: Json): boolean =>
  JSON.stringify(shown(frame, at, value)) !== JSON.stringify(value);

/** A leaf of the ledger without what is known about its place. */
export const recorded = ({ path, value, mark, version }: AppliedLeaf): AppliedLeaf => ({
  path,
  value,
  mark,
  ...(version !== undefined && { version }),
});

/** What the ledger holds, by the key of its place. */
export type AppliedByKey = ReadonlyMap<string, AppliedLeaf & Located>;

/** Finds the places of the ledger's leaves. */
export const locateApplied = (frame: Frame, applied: readonly AppliedLeaf[]): AppliedByKey =>
  new Map(
    applied.map((leaf) => {
      const located = { ...locate(frame, leaf.path), ...leaf };
      return [located.key, located];
    }),
  );
