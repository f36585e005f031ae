import { readFile } from "node:fs/promises";
import type { TokenCredential } from "@azure/core-auth";
import type { HttpClient } from "@azure/core-rest-pipeline";
import type { CloudName } from "../core/identity.ts";
import { clouds } from "./clouds.ts";
import type { Material } from "./credentialMaterial.ts";

/** Where the tokens of a process come from. */
export interface TokenSource {
  /** Capstan's own identity; default: the one that the host platform assigns to the process. */
  readonly ownClientId?: string;
  /** File with the token of the service account this process runs as. Default: the process's own managed identity vouches for workload identities. */
  readonly federatedTokenFile?: string;
  /** Default: Node's own https. */
  readonly transport?: HttpClient;
}

type Identity = typeof import("@azure/identity");

/** Audience of a token with which one identity vouches for another. */
const exchangeScopes: Readonly<Record<CloudName, string>> = {
  AzurePublicCloud: "api://AzureADTokenExchange/.default",
  AzureUSGovernmentCloud: "api://AzureADTokenExchangeUSGov/.default",
  AzureChinaCloud: "api://AzureADTokenExchangeChina/.default",
};

const transportOf = ({ transport }: TokenSource) => (transport === undefined ? {} : { httpClient: transport });

const managed = ({ ManagedIdentityCredential }: Identity, clientId: string | undefined, source: TokenSource) =>
  new ManagedIdentityCredential({ ...(clientId !== undefined && { clientId }), ...transportOf(source) });

/** What vouches for a workload identity: a service account's token, else the managed identity of this process. */
const assertionOf = (identity: Identity, cloud: CloudName, source: TokenSource): (() => Promise<string>) => {
  const { federatedTokenFile, ownClientId } = source;
  // Read each time: the kubelet puts a new token there long before the old one ends.
  if (federatedTokenFile !== undefined) return async () => (await readFile(federatedTokenFile, "utf8")).trim();
  const own = managed(identity, ownClientId, source);
  return async () => (await own.getToken(exchangeScopes[cloud])).token;
};

/** The credential that asks Entra ID of the material's cloud. Throws when tenant, client or secret have a wrong form. */
export const tokenCredential = async (material: Material, source: TokenSource): Promise<TokenCredential> => {
  const identity = await import("@azure/identity");
  const { cloud, tenantId, clientId } = material;
  // The library knows these three authorities: it asks nobody whether they are any.
  const options = { authorityHost: clouds[cloud].authority, ...transportOf(source) };
  switch (material.kind) {
    case "workloadIdentity":
      return new identity.ClientAssertionCredential(tenantId, clientId, assertionOf(identity, cloud, source), options);
    case "managedIdentity":
      return managed(identity, clientId, source);
    case "clientSecret":
      return new identity.ClientSecretCredential(tenantId, clientId, material.secret, options);
    case "certificate":
      return new identity.ClientCertificateCredential(tenantId, clientId, { certificate: material.secret }, options);
  }
};

/** What Capstan itself acts as towards its own queue and tables. */
export const platformCredential = async (ownClientId?: string): Promise<TokenCredential> => {
  const { DefaultAzureCredential } = await import("@azure/identity");
  return new DefaultAzureCredential(ownClientId === undefined ? {} : { managedIdentityClientId: ownClientId });
};
