import type { AzureClusterIdentitySpec } from "../api/cluster/azureClusterIdentity.ts";
import { fieldMessage } from "../api/fieldMessage.ts";
import type { CloudName, CredentialSpec } from "../core/identity.ts";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { cloudOfType } from "./clouds.ts";
import { given } from "./given.ts";
import { problem } from "./problem.ts";

type Secret = Readonly<Record<string, string>> | undefined;
type Shared = Pick<CredentialSpec, "cloud" | "tenantId" | "clientId" | "identity" | "usedBy">;

const refused = (error: Problem): { readonly ok: false; readonly error: Problem } => ({ ok: false, error });

/** A field of the identity with which it cannot be used; it shows on the object that names it. */
const notUsable = (path: string, value: string | undefined, right: string): Problem =>
  problem("InvalidConfiguration", fieldMessage(path, value, right));

/** Whether an identity needs its secret, and where that is. */
export const secretOf = (
  spec: AzureClusterIdentitySpec,
  identity: KubeObject,
): { readonly namespace: string; readonly name: string } | undefined => {
  const name = given(spec.clientSecret?.name);
  const needed =
    spec.type === "ServicePrincipal" ||
    spec.type === "ManualServicePrincipal" ||
    (spec.type === "ServicePrincipalCertificate" && given(spec.certPath) === undefined);
  if (!needed || name === undefined) return undefined;
  return { namespace: given(spec.clientSecret?.namespace) ?? identity.metadata.namespace, name };
};

const secretProblem = (spec: AzureClusterIdentitySpec, { identity }: Shared, keys: string): Problem => {
  const name = given(spec.clientSecret?.name);
  return name === undefined
    ? problem(
        "IdentitySecretNotFound",
        `AzureClusterIdentity ${identity}: spec.clientSecret.name must name a secret with ${keys}`,
      )
    : problem("IdentitySecretNotFound", `AzureClusterIdentity ${identity}: secret ${name} must exist and have ${keys}`);
};

const withSecret = (
  spec: AzureClusterIdentitySpec,
  shared: Shared,
  secret: Secret,
): Result<CredentialSpec, Problem> => {
  // Editors leave a line end, and no secret of Azure has one.
  const clientSecret = given(secret?.["clientSecret"]?.trimEnd());
  if (clientSecret === undefined) return refused(secretProblem(spec, shared, "the key clientSecret"));
  return { ok: true, value: { ...shared, kind: "clientSecret", clientSecret } };
};

const withCertificate = (
  spec: AzureClusterIdentitySpec,
  shared: Shared,
  secret: Secret,
): Result<CredentialSpec, Problem> => {
  const path = given(spec.certPath);
  if (path !== undefined) return { ok: true, value: { ...shared, kind: "certificateFile", path } };
  // `certificate` is the documented key, `clientSecret` the one that upstream reads.
  const certificate = given(secret?.["certificate"]) ?? given(secret?.["clientSecret"]);
  if (certificate === undefined) return refused(secretProblem(spec, shared, "the key certificate (or clientSecret)"));
  const password = given(secret?.["password"]?.trimEnd());
  return {
    ok: true,
    value: { ...shared, kind: "certificate", certificate, ...(password !== undefined && { password }) },
  };
};

const withFile = (spec: AzureClusterIdentitySpec, shared: Shared): Result<CredentialSpec, Problem> => {
  const at = `AzureClusterIdentity ${shared.identity}: spec.userAssignedIdentityCredentials`;
  const path = given(spec.userAssignedIdentityCredentialsPath);
  if (path === undefined) return refused(notUsable(`${at}Path`, undefined, "must name the credential file"));
  const cloudType = given(spec.userAssignedIdentityCredentialsCloudType);
  if (cloudType !== undefined && cloudOfType(cloudType) !== shared.cloud) {
    return refused(notUsable(`${at}CloudType`, cloudType, `must be the cloud of the cluster, ${shared.cloud}`));
  }
  return { ok: true, value: { ...shared, kind: "userAssignedIdentityFile", path } };
};

/** The credential that an identity means, for calls to one cloud on behalf of one namespace. */
export const credentialOf = (
  spec: AzureClusterIdentitySpec,
  identity: KubeObject,
  at: { readonly cloud: CloudName; readonly usedBy: string },
  secret: Secret,
): Result<CredentialSpec, Problem> => {
  const { namespace, name } = identity.metadata;
  const ids = { tenantId: spec.tenantID.trim(), clientId: spec.clientID.trim() };
  const shared = { ...at, ...ids, identity: `${namespace}/${name}` };
  switch (spec.type) {
    case "WorkloadIdentity":
      return { ok: true, value: { ...shared, kind: "workloadIdentity" } };
    case "UserAssignedMSI":
      return { ok: true, value: { ...shared, kind: "managedIdentity" } };
    case "ServicePrincipal":
    case "ManualServicePrincipal":
      return withSecret(spec, shared, secret);
    case "ServicePrincipalCertificate":
      return withCertificate(spec, shared, secret);
    case "UserAssignedIdentityCredential":
      return withFile(spec, shared);
  }
};
