import type { ResourceRow } from "./resourceRow.ts";

/**
 * How long after a write that succeeded a 404 means "not yet visible": Resource Manager copies its data between regions
 * after it has answered, and a read may reach one that does not have it yet
 * (https://github.com/hashicorp/terraform-provider-azurerm/issues/18268). Replication takes seconds; two minutes have room.
 */
const graceMs = 2 * 60_000;
const lookAgainMs = 10_000;

/**
 * When to look again at a resource that answered 404 although a write of ours has just succeeded, in table-service ms;
 * undefined when the 404 is to be believed. After our own DELETE it always is.
 */
export const notYetVisibleUntilMs = (
  { wroteAtMs, intent }: Pick<ResourceRow, "wroteAtMs" | "intent">,
  nowMs: number,
): number | undefined => {
  if (wroteAtMs === undefined || intent?.method === "DELETE") return undefined;
  const endMs = wroteAtMs + graceMs;
  return nowMs < endMs ? Math.min(endMs, nowMs + lookAgainMs) : undefined;
};

/** A read may show for so long what was there before the last write: replication takes seconds. */
const oldReadsMs = 30_000;

/**
 * Whether a read that shows just what is wanted now may be older than our last write, which wanted something else: what a
 * person puts back within seconds would be taken for done, and stay undone.
 */
export const mayBeOld = (
  { wroteAtMs, desiredHash }: Pick<ResourceRow, "wroteAtMs" | "desiredHash">,
  wanted: string,
  nowMs: number,
): boolean =>
  wroteAtMs !== undefined && desiredHash !== undefined && desiredHash !== wanted && nowMs < wroteAtMs + oldReadsMs;
