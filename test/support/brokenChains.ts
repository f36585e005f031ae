import { decodeChainRow } from "../../src/core/chain/rowCodec.ts";
import { parseWorkItem } from "../../src/core/workItem.ts";
import { objectRow } from "../../src/engine/ledger.ts";
import type { World } from "./world.ts";

/** Objects whose chain is not alive: neither a live lease nor exactly one message of the row's own turn. */
export const brokenChains = (world: World, names: readonly string[]): readonly string[] => {
  const nowMs = world.clock.nowMs();
  const pending = new Map<string, number[]>();
  for (const { body } of world.queue.reconcile.peek(nowMs, 0, 100_000)) {
    const item = parseWorkItem(body);
    if (!item.ok || item.value.cause !== "followUp") continue;
    pending.set(item.value.name, [...(pending.get(item.value.name) ?? []), item.value.turn ?? -1]);
  }
  const rows = new Map(
    world.tables
      .rows("state")
      .filter(({ row }) => row === objectRow)
      .map(({ partition, values }) => [partition.split("~").at(-1) ?? "", decodeChainRow(values)] as const),
  );
  return names.filter((name) => {
    const row = rows.get(name);
    if (row === undefined || !row.ok) return true;
    const { lease, turn } = row.value;
    return lease.endMs <= nowMs && (pending.get(name) ?? []).filter((one) => one === turn).length !== 1;
  });
};
