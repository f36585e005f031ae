import { idKey } from "../core/ids.ts";
import type { TableAction } from "../ports.ts";
import type { Ending, Turning } from "./turning.ts";

const idIn = (action: TableAction): readonly string[] => {
  const id = action.kind === "delete" ? undefined : action.values["id"];
  return typeof id === "string" ? [idKey(id)] : [];
};

/** What the index shall say of an object beside its due time: whatever Azure tells of these resources concerns it. */
export const watchedBy = (
  { ledger }: Pick<Turning, "ledger">,
  { rows, identity }: Pick<Extract<Ending, { kind: "commit" }>, "rows" | "identity">,
): { readonly resources: readonly string[]; readonly identity?: string } => ({
  resources: [...new Set([...ledger.keys(), ...rows.flatMap(idIn)])].toSorted(),
  ...(identity !== undefined && { identity }),
});
