import type { CredentialSpec } from "../core/identity.ts";
import type { Failure } from "../core/types.ts";

/** One identity of Entra ID. */
export interface IdentityPair {
  readonly clientId: string;
  readonly tenantId: string;
}

/** What an installation lets objects use (design section 14). */
export interface CredentialRules {
  /** Capstan's own identity, with which no object may act. */
  readonly ownClientId?: string;
  /** By namespace of the object that is reconciled. Default: every identity may be used. */
  readonly allowedIdentities?: Readonly<Record<string, readonly IdentityPair[]>>;
  /** The one folder from which credential files are read. Default: none are. */
  readonly credentialFolder?: string;
}

/** Ids of Entra ID are GUIDs, whose case does not matter. */
const same = (left: string, right: string): boolean => left.trim().toLowerCase() === right.trim().toLowerCase();

export const notAllowed = (identity: string, why: string): Failure => ({
  kind: "auth",
  code: "IdentityNotAllowed",
  message: `AzureClusterIdentity ${identity}: ${why}`,
});

/**
 * Why an object may not act as this pair; undefined when it may. A pair without a client id is refused too: a managed
 * identity without one is that of the process, which is Capstan's own.
 */
export const refusalOf = (
  { identity, usedBy }: Pick<CredentialSpec, "identity" | "usedBy">,
  pair: IdentityPair,
  { ownClientId, allowedIdentities }: CredentialRules,
): Failure | undefined => {
  if (pair.clientId.trim() === "") return notAllowed(identity, "it names no client id");
  if (ownClientId !== undefined && same(pair.clientId, ownClientId)) {
    return notAllowed(identity, "its client id is that of Capstan itself");
  }
  if (allowedIdentities === undefined) return undefined;
  const pairs = Object.hasOwn(allowedIdentities, usedBy) ? (allowedIdentities[usedBy] ?? []) : [];
  const listed = pairs.some((it) => same(it.clientId, pair.clientId) && same(it.tenantId, pair.tenantId));
  return listed
    ? undefined
    : notAllowed(
        identity,
        `the pair of client ${pair.clientId} and tenant ${pair.tenantId} is not allowed for namespace ${usedBy}`,
      );
};
