import { createHash } from "node:crypto";
import type { TokenCredential } from "@azure/core-auth";
import type { CloudName, CredentialSpec } from "../core/identity.ts";
import type { Failure, Result } from "../core/types.ts";
import { clouds } from "./clouds.ts";
import { readCredentialFile } from "./credentialFiles.ts";
import { type CredentialRules, refusalOf } from "./credentialRules.ts";
import { parseManagedIdentityFile } from "./managedIdentityFile.ts";

export interface CredentialOptions extends CredentialRules {
  /** File with the token of the service account this process runs as. Default: the process's own managed identity vouches for workload identities. */
  readonly federatedTokenFile?: string;
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

type Identity = typeof import("@azure/identity");

/** What a credential is made of, after files have been read. */
type Material = { readonly cloud: CloudName; readonly tenantId: string; readonly clientId: string } & (
  | { readonly kind: "workloadIdentity" }
  | { readonly kind: "managedIdentity" }
  | { readonly kind: "clientSecret"; readonly secret: string }
  | { readonly kind: "certificate"; readonly secret: string; readonly password?: string }
);

/** Audience of a token with which one identity vouches for another. */
const exchangeScopes: Readonly<Record<CloudName, string>> = {
  AzurePublicCloud: "api://AzureADTokenExchange/.default",
  AzureUSGovernmentCloud: "api://AzureADTokenExchangeUSGov/.default",
  AzureChinaCloud: "api://AzureADTokenExchangeChina/.default",
};

/** Credentials that are kept; secrets rotate, and an old one is used no more. */
const mostKept = 256;

const unusable = (identity: string, why: string): Failure => ({
  kind: "auth",
  code: "CredentialUnusable",
  message: `AzureClusterIdentity ${identity}: ${why}`,
});

const pemOnly = "its certificate is not in PEM form; a PKCS #12 bundle has to be converted first";

const fromFile = async (
  spec: CredentialSpec & { readonly path: string },
  options: CredentialOptions,
): Promise<Result<Material>> => {
  const content = await readCredentialFile(spec.identity, spec.path, options.credentialFolder);
  if (!content.ok) return content;
  const { cloud, clientId, tenantId, identity } = spec;
  if (spec.kind === "certificateFile") {
    return { ok: true, value: { kind: "certificate", cloud, clientId, tenantId, secret: content.value } };
  }
  const file = parseManagedIdentityFile(content.value);
  if (file === undefined) return { ok: false, error: unusable(identity, "its credential file has another form") };
  const { certificate: secret, ...pair } = file;
  return { ok: true, value: { kind: "certificate", cloud, ...pair, secret } };
};

const materialOf = async (spec: CredentialSpec, options: CredentialOptions): Promise<Result<Material>> => {
  const { cloud, clientId, tenantId } = spec;
  const base = { cloud, clientId, tenantId };
  switch (spec.kind) {
    case "workloadIdentity":
    case "managedIdentity":
      return { ok: true, value: { kind: spec.kind, ...base } };
    case "clientSecret":
      return { ok: true, value: { kind: "clientSecret", ...base, secret: spec.clientSecret } };
    case "certificate": {
      const password = spec.password === undefined ? {} : { password: spec.password };
      return { ok: true, value: { kind: "certificate", ...base, secret: spec.certificate, ...password } };
    }
    case "certificateFile":
    case "userAssignedIdentityFile":
      return fromFile(spec, options);
  }
};

const keyOf = (material: Material): string => createHash("sha256").update(JSON.stringify(material)).digest("hex");

const staticCredential = ({ clientId }: Material): TokenCredential => ({
  getToken: () => Promise.resolve({ token: clientId, expiresOnTimestamp: Date.now() + 3_600_000 }),
});

/** A workload identity: vouched for by a service account's token, else by the managed identity of this process. */
const federated = (
  { WorkloadIdentityCredential, ClientAssertionCredential, ManagedIdentityCredential }: Identity,
  { cloud, tenantId, clientId }: Material,
  { federatedTokenFile, ownClientId }: CredentialOptions,
): TokenCredential => {
  const options = { authorityHost: clouds[cloud].authority };
  if (federatedTokenFile !== undefined) {
    return new WorkloadIdentityCredential({ tenantId, clientId, tokenFilePath: federatedTokenFile, ...options });
  }
  const own = new ManagedIdentityCredential(ownClientId === undefined ? {} : { clientId: ownClientId });
  const assertion = async (): Promise<string> => (await own.getToken(exchangeScopes[cloud])).token;
  return new ClientAssertionCredential(tenantId, clientId, assertion, options);
};

const build = async (material: Material, options: CredentialOptions): Promise<TokenCredential> => {
  if (options.staticTokens === true) return staticCredential(material);
  const identity = await import("@azure/identity");
  const { cloud, tenantId, clientId } = material;
  const authority = { authorityHost: clouds[cloud].authority };
  switch (material.kind) {
    case "workloadIdentity":
      return federated(identity, material, options);
    case "managedIdentity":
      return new identity.ManagedIdentityCredential({ clientId });
    case "clientSecret":
      return new identity.ClientSecretCredential(tenantId, clientId, material.secret, authority);
    case "certificate": {
      const { secret: certificate, password } = material;
      const pem = { certificate, ...(password !== undefined && { certificatePassword: password }) };
      return new identity.ClientCertificateCredential(tenantId, clientId, pem, authority);
    }
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
      const material = await materialOf(spec, options);
      if (!material.ok) return material;
      // A file names an identity of its own, so the rules look at what will really be used.
      const refusal = refusalOf(spec, material.value, options);
      if (refusal !== undefined) return { ok: false, error: refusal };
      if (material.value.kind === "certificate" && !material.value.secret.includes("-----BEGIN ")) {
        return { ok: false, error: unusable(spec.identity, pemOnly) };
      }
      const key = keyOf(material.value);
      const found = kept.get(key);
      if (found !== undefined) return { ok: true, value: { key, credential: found } };
      try {
        return { ok: true, value: keep(key, await build(material.value, options)) };
      } catch {
        // Why the library refuses it may quote what it was given.
        return {
          ok: false,
          error: unusable(spec.identity, "tenant, client or secret have a form that cannot be used"),
        };
      }
    },
  };
};

/** What Capstan itself acts as towards its own queue and tables. */
export const platformCredential = async (ownClientId?: string): Promise<TokenCredential> => {
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new DefaultAzureCredential(ownClientId === undefined ? {} : { managedIdentityClientId: ownClientId });
};
