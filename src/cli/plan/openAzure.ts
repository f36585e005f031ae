import { localTransport } from "../../adapters/armTransport.ts";
import { azure } from "../../adapters/azure.ts";
import { type Credentials, createCredentials } from "../../adapters/credentials.ts";
import { platformCredential } from "../../adapters/tokenCredential.ts";
import { textAt } from "../../api/json.ts";
import type { CloudName, CredentialSpec } from "../../core/identity.ts";
import type { RunnableReading } from "../../core/runnableKind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { cloudOf } from "../../kinds/clouds.ts";
import type { Arm } from "../../ports.ts";
import { UserError } from "../userError.ts";
import type { AzureSettings } from "./azureSettings.ts";
import type { ObjectSource } from "./objectSource.ts";
import { cannotPlanStatus, type PlanOptions } from "./planOptions.ts";

/** A connection that is only read from, and as whom. */
export interface OpenedAzure {
  readonly arm: Arm;
  /** For people. */
  readonly as: string;
}

/** Opens Azure as one object's identity, or as the caller. Makes no request. */
export type OpenAzure = (
  object: KubeObject,
  reading: Pick<RunnableReading, "secret" | "credential">,
  source: Pick<ObjectSource, "secret">,
) => Promise<OpenedAzure>;

/** Whether the credential can be had here, and not only where the function app runs. */
const isUsableHere = (
  { kind }: CredentialSpec,
  { development, credentialFolder, federatedTokenFile }: AzureSettings,
): boolean => {
  if (development?.armReroute !== undefined) return true;
  switch (kind) {
    case "clientSecret":
    case "certificate":
      return true;
    case "certificateFile":
    case "userAssignedIdentityFile":
      return credentialFolder !== undefined;
    case "workloadIdentity":
      return federatedTokenFile !== undefined;
    case "managedIdentity":
      return false;
  }
};

const credentialsOf = ({ allowedIdentities, credentialFolder, federatedTokenFile, development }: AzureSettings) =>
  createCredentials({
    ...(allowedIdentities !== undefined && { allowedIdentities }),
    ...(credentialFolder !== undefined && { credentialFolder }),
    ...(federatedTokenFile !== undefined && { federatedTokenFile }),
    staticTokens: development?.armReroute !== undefined,
  });

/** Of whoever `az login` knows. */
const loginCredentials = ({ development }: AzureSettings): Credentials =>
  development?.armReroute === undefined
    ? { get: async () => ({ ok: true, value: { key: "login", credential: await platformCredential() } }) }
    : createCredentials({ staticTokens: true });

const loginSpec = (cloud: CloudName, usedBy: string): CredentialSpec => ({
  kind: "workloadIdentity",
  cloud,
  tenantId: "login",
  clientId: "login",
  identity: "login",
  usedBy,
});

const cannot = (message: string): UserError => new UserError(message, cannotPlanStatus);

const mustConnect = (connected: Result<Arm>): Arm => {
  if (connected.ok) return connected.value;
  throw cannot(`Azure cannot be read: ${connected.error.message}`);
};

const specOf: (
  reading: Parameters<OpenAzure>[1],
  source: Parameters<OpenAzure>[2],
) => Promise<Result<CredentialSpec, string>> = async ({ secret, credential }, source) => {
  const values = secret === undefined ? undefined : await source.secret(secret.namespace, secret.name);
  const spec = credential(values);
  return spec.ok ? spec : { ok: false, error: spec.error.message };
};

/** By the settings of the function app; in development requests go where these say. */
export const openAzure = (settings: AzureSettings, who: PlanOptions["as"]): OpenAzure => {
  const { armReroute } = settings.development ?? {};
  const open = async (credentials: Credentials) => {
    const transport = armReroute === undefined ? {} : { transport: await localTransport(armReroute) };
    return azure({ credentials, userAgent: "capstan-cli", log: () => undefined, ...transport });
  };
  const identities = open(credentialsOf(settings));
  const login = open(loginCredentials(settings));
  return async (object, reading, source) => {
    const spec: Result<CredentialSpec, string> =
      who === "login" ? { ok: false, error: "" } : await specOf(reading, source);
    if (spec.ok && (who === "identity" || isUsableHere(spec.value, settings)))
      return {
        arm: mustConnect(await (await identities).connect(spec.value)),
        as: `AzureClusterIdentity ${spec.value.identity}`,
      };
    if (who === "identity" && !spec.ok) throw cannot(`Azure cannot be read as the object's identity: ${spec.error}`);
    const cloud = spec.ok ? spec.value.cloud : (cloudOf(textAt(object.spec, "azureEnvironment")) ?? "AzurePublicCloud");
    const arm = mustConnect(await (await login).connect(loginSpec(cloud, object.metadata.namespace)));
    return { arm, as: "whoever az login knows" };
  };
};
