import type { WakeKeys } from "../core/backoff.ts";
import type { Circumstances } from "../core/circumstances.ts";
import { hashOf } from "../core/hash.ts";
import { isWoken } from "../core/patience.ts";
import { type Item, type Work, withItems } from "./work.ts";

/** It stands as wanted, as far as the ledger knows, and nothing is under way. */
const stands = ({ row, desiredHash }: Item): boolean =>
  row.desiredHash === desiredHash &&
  row.operation === undefined &&
  row.intent === undefined &&
  row.backoff === undefined;

/**
 * What wakes the resources of an object. Siblings count by what of them stands as wanted: whatever one of them was waiting
 * for, another one that has come to its end may have been it.
 */
export const wakesOf = (work: Work, { retry, identity, dependencies }: Circumstances): WakeKeys => ({
  retry,
  identity,
  dependencies,
  siblings: hashOf([...work].flatMap(([key, item]) => (stands(item) ? [key, item.desiredHash] : []))),
});

export const withWakes = (items: readonly Item[], wakes: WakeKeys): readonly Item[] =>
  items.map((item) => ({ ...item, wakes }));

/** Items that failed and wait for what has come or gone meanwhile are ready again, in this very turn. */
export const withWoken = (work: Work, circumstances: Circumstances): Work => {
  const waiting = [...work.values()].filter(({ state, row }) => state?.kind === "failed" && row.backoff !== undefined);
  if (waiting.length === 0) return work;
  const wakes = wakesOf(work, circumstances);
  const woken = waiting.filter((item) => isWoken(item.row.backoff, { ...item, wakes }));
  return withItems(
    work,
    woken.map(({ state: _state, untilMs: _untilMs, ...item }) => item),
  );
};

/** Something was refused to the identity, and somebody has asked for another try since, or for something else. */
export const isHurried = (work: Work, circumstances: Circumstances): boolean => {
  const refused = [...work.values()].filter(({ row }) => row.backoff?.failure.kind === "auth");
  if (refused.length === 0) return false;
  const wakes = wakesOf(work, circumstances);
  return refused.some((item) => isWoken(item.row.backoff, { ...item, wakes }));
};
