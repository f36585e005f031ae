import type { KubeObject } from "../core/types.ts";
import type { TableAction, TableRow } from "../ports.ts";
import { deletionOfRow } from "./ledger.ts";

/**
 * Row that says: of all identities only this one has the object's finalizer. While there is none, any may have it.
 */
const identityRow = "identity";

export const identityNameOf = ({ metadata }: Pick<KubeObject, "metadata">): string =>
  `${metadata.namespace}/${metadata.name}`;

/** `namespace/name` of the one identity that has the finalizer; undefined when that is not known. */
export const readIdentityRow = (rows: readonly TableRow[]): string | undefined => {
  const name = rows.find(({ row }) => row === identityRow)?.values["identity"];
  return typeof name === "string" ? name : undefined;
};

export const savingOfIdentity = (identity: string): TableAction => ({
  kind: "upsert",
  row: identityRow,
  values: { v: 1, identity },
});

export const deletionOfIdentity = (): TableAction => deletionOfRow(identityRow);
