import { createHash } from "node:crypto";
import type { TokenCredential } from "@azure/core-auth";
import type { CredentialSpec } from "../core/identity.ts";
import type { Result } from "../core/types.ts";
import { type Material, materialOf, unusable, usableMaterial } from "./credentialMaterial.ts";
import { type CredentialRules, refusalOf } from "./credentialRules.ts";
import { type TokenSource, tokenCredential } from "./tokenCredential.ts";

export interface CredentialOptions extends CredentialRules, TokenSource {
  /** Development only: every identity gets a token that is its client id. No credential is checked. */
  readonly staticTokens?: boolean;
}

/** A credential under a key that changes with identity and secret. */
export interface Credential {
  readonly key: string;
  readonly credential: TokenCredential;
}

/** Credentials of AzureClusterIdentities. Makes no request. */
export interface Credentials {
  /** Failure codes: `IdentityNotAllowed`, `CredentialFileUnreadable`, `CredentialUnusable`. */
  get(spec: CredentialSpec): Promise<Result<Credential>>;
}

/** Credentials that are kept; secrets rotate, and an old one is used no more. */
const mostKept = 256;

const keyOf = (material: Material): string => createHash("sha256").update(JSON.stringify(material)).digest("hex");

const staticCredential = ({ clientId }: Material): TokenCredential => ({
  getToken: () => Promise.resolve({ token: clientId, expiresOnTimestamp: Date.now() + 3_600_000 }),
});

const build = async (
  given: Material,
  { identity }: CredentialSpec,
  options: CredentialOptions,
): Promise<Result<TokenCredential>> => {
  const material = await usableMaterial(given, identity);
  if (!material.ok) return material;
  if (options.staticTokens === true) return { ok: true, value: staticCredential(material.value) };
  try {
    return { ok: true, value: await tokenCredential(material.value, options) };
  } catch {
    // Why the library refuses it may quote what it was given.
    return { ok: false, error: unusable(identity, "tenant, client or secret have a form that cannot be used") };
  }
};

/** Credentials by the rules of an installation; each identity and secret has one, which keeps its tokens. */
export const createCredentials = (options: CredentialOptions): Credentials => {
  const kept = new Map<string, TokenCredential>();
  const keep = (key: string, credential: TokenCredential): Credential => {
    kept.set(key, credential);
    const [oldest] = kept.keys();
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest);
    return { key, credential };
  };
  return {
    get: async (spec) => {
      const material = await materialOf(spec, options.credentialFolder);
      if (!material.ok) return material;
      // A file names an identity of its own, so the rules look at what will really be used.
      const refusal = refusalOf(spec, material.value, options);
      if (refusal !== undefined) return { ok: false, error: refusal };
      const key = keyOf(material.value);
      const found = kept.get(key);
      if (found !== undefined) return { ok: true, value: { key, credential: found } };
      const built = await build(material.value, spec, options);
      return built.ok ? { ok: true, value: keep(key, built.value) } : built;
    },
  };
};
