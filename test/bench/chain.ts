import { tables as openTables } from "../../src/adapters/tables.ts";
import type { ChainRow } from "../../src/core/chain/chainRow.ts";
import { decodeChainRow } from "../../src/core/chain/rowCodec.ts";
import type { ObjectKey, Result } from "../../src/core/types.ts";
import { objectRow, partitionOf } from "../../src/engine/ledger.ts";
import type { Tables } from "../../src/ports.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";
import { eventually } from "./eventually.ts";

/** A chain without news looks again after the drift period, hours later. */
const farMs = 5 * 60_000;

const must = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(`${result.error.code}: ${result.error.message}`);
};

/** What the function app remembers of one object on the stack. */
export interface Chain {
  /** Waits until nothing is left to do for the object, and tells the row of then. */
  settled(): Promise<ChainRow>;
}

const readRow = async (tables: Tables, partition: string): Promise<ChainRow | undefined> => {
  const row = must(await tables.get("state", partition, objectRow));
  return row === undefined ? undefined : must(decodeChainRow(row.values));
};

/** Reads the table past the function app. */
export const chainOf = (stack: Stack, key: ObjectKey): Chain => {
  const tables = openTables({
    source: { kind: "connectionString", connectionString: stack.tables.current().connectionString },
  });
  const partition = partitionOf(stack.cluster, key);
  return {
    settled: () =>
      eventually(`${key.kind} ${key.name} is settled`, async () => {
        const { active } = await stack.queueCounts("reconcile");
        const row = await readRow(tables, partition);
        if (active > 0 || row === undefined || row.lease.endMs > 0 || !row.sent) return undefined;
        return row.dueMs > (tables.nowMs() ?? 0) + farMs ? row : undefined;
      }),
  };
};
