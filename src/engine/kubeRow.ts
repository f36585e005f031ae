import { type KubeLedger, parseKubeLedger } from "../core/guard/kubeWrites.ts";
import type { JsonObject } from "../core/types.ts";
import type { TableAction, TableRow } from "../ports.ts";

const kubeRow = "told";

/** What was said on the object in earlier turns; read with the other rows of its partition. */
export const readKubeLedger = (rows: readonly TableRow[]): KubeLedger =>
  parseKubeLedger(rows.find(({ row }) => row === kubeRow)?.packed["parts"]);

export const savingOfKube = (ledger: KubeLedger): TableAction => ({
  kind: "upsert",
  row: kubeRow,
  values: { v: 1 },
  // The one cast: plain data, only its interfaces lack an index signature.
  packed: { parts: ledger as unknown as JsonObject },
});
