import type { ChainRow } from "../../../src/core/chain/chainRow.ts";
import type { ObjectKey } from "../../../src/core/types.ts";
import { readObjectRow } from "../../../src/engine/fence.ts";
import { partitionOf } from "../../../src/engine/ledger.ts";
import { must } from "../contracts/must.ts";
import type { Scene } from "./scene.ts";

/** The row of an object, or undefined when no turn has met it. */
export const rowOf = async ({ store, stack }: Scene, key: ObjectKey): Promise<ChainRow | undefined> =>
  must(await readObjectRow(store, partitionOf(stack.cluster, key)))?.row;
