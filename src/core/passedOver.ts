import { isJsonObject, type Json } from "../wire/json.ts";
import { idKey } from "./ids.ts";
import { emptyRow, type ResourceRow } from "./resourceRow.ts";
import type { Desired, JsonObject } from "./types.ts";

/** What is wanted of a resource while some of what it refers to is not made. */
export interface Lean {
  /** Without the references that may be missing. */
  readonly desired: Desired;
  /** References that may not, as paths in words with the ids that they name. */
  readonly missing: readonly { readonly path: string; readonly id: string }[];
}

const without = (node: JsonObject, [step = "", ...rest]: readonly string[]): JsonObject => {
  const { [step]: child, ...others } = node;
  if (rest.length === 0) return others;
  return isJsonObject(child) ? { ...node, [step]: without(child, rest) } : node;
};

const valueAt = (node: Json, path: readonly string[]): Json | undefined =>
  path.reduce<Json | undefined>((at, step) => (at !== undefined && isJsonObject(at) ? at[step] : undefined), node);

const textsIn = (node: Json, path: string): readonly { readonly path: string; readonly id: string }[] => {
  if (typeof node === "string") return [{ path, id: node }];
  if (Array.isArray(node)) return (node as readonly Json[]).flatMap((item) => textsIn(item, path));
  return isJsonObject(node)
    ? Object.entries(node).flatMap(([name, child]) => textsIn(child, path === "" ? name : `${path}.${name}`))
    : [];
};

/**
 * What the table keeps of a resource that is passed over: when it was looked at, and what counts against loops. Nothing of
 * an earlier one of that name is left: what somebody makes there now is not the one that we made.
 */
export const passedOverRow = (row: ResourceRow, desiredHash: string): ResourceRow => ({
  ...emptyRow(row.id, row.service),
  ...(row.released !== undefined && { released: row.released }),
  writes: row.writes,
  observedAtMs: row.observedAtMs,
  desiredHash,
  passedOver: true,
});

/** The row of a resource that is looked at anew. */
export const withoutFinding = (row: ResourceRow): ResourceRow => {
  const { passedOver, remark, ...rest } = row;
  return passedOver === undefined && remark === undefined ? row : rest;
};

/**
 * Leaves out of a body what refers to resources that are not made. Where such a reference stands already, it is nobody's
 * business to take it away. `isPassedOver` takes the `idKey` of an id.
 */
export const lean = (desired: Desired, isPassedOver: (key: string) => boolean): Lean => {
  const isGone = (id: Json | undefined): boolean => typeof id === "string" && isPassedOver(idKey(id));
  const dropped = (desired.ifThere ?? []).filter((path) => isGone(valueAt(desired.body, [...path, "id"])));
  const body = dropped.reduce(without, desired.body);
  return {
    desired: dropped.length === 0 ? desired : { ...desired, body, yields: [...(desired.yields ?? []), ...dropped] },
    missing: textsIn(body, "").filter(({ id }) => isGone(id)),
  };
};

/** What is said of references that name nothing. */
export const missingMessage = (id: string, missing: Lean["missing"]): string =>
  missing
    .map(
      (one) =>
        `${id}: ${one.path} names ${one.id}, which does not exist and is not made beside a network that was brought along: make it, or name one that exists`,
    )
    .join("; ");
