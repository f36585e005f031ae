import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { parseSpec } from "./parse.ts";
import { list, map, oneOf, type Parsed, ruled, text } from "./schema.ts";

const labelSelector = Type.Object({
  matchLabels: Type.Optional(map("Labels that must have these values.", Type.String())),
  matchExpressions: Type.Optional(
    list(
      "Requirements on labels.",
      Type.Object({
        key: text("Label."),
        operator: text("`In`, `NotIn`, `Exists` or `DoesNotExist`."),
        values: Type.Optional(list("Values that `In` and `NotIn` compare with.", Type.String())),
      }),
    ),
  ),
});
export type LabelSelector = Parsed<typeof labelSelector>;

/** Who calls Azure, and which namespaces may use it. */
export const azureClusterIdentitySpec = Type.Object({
  type: ruled(
    oneOf("How the identity proves itself.", [
      "ServicePrincipal",
      "UserAssignedMSI",
      "ManualServicePrincipal",
      "ServicePrincipalCertificate",
      "WorkloadIdentity",
      "UserAssignedIdentityCredential",
    ]),
    { rule: "self == oldSelf", message: "must stay as it is: make a new AzureClusterIdentity for another type" },
  ),
  clientID: text("Client id of the application or managed identity."),
  tenantID: text("Tenant of the identity."),
  resourceID: Type.Optional(text("Not used.")),
  clientSecret: Type.Optional(
    Type.Object({
      name: Type.Optional(text("Name of the secret.")),
      namespace: Type.Optional(text("Namespace of the secret; that of the identity when absent.")),
    }),
  ),
  certPath: Type.Optional(text("Certificate file in the credential folder; used instead of the secret.")),
  userAssignedIdentityCredentialsPath: Type.Optional(text("Credential file of a user-assigned identity.")),
  userAssignedIdentityCredentialsCloudType: Type.Optional(text("`public`, `china` or `usgovernment`.")),
  allowedNamespaces: Type.Optional(
    Type.Object({
      list: Type.Optional(list("Names of namespaces.", Type.String())),
      selector: Type.Optional(labelSelector),
    }),
  ),
});
export type AzureClusterIdentitySpec = Parsed<typeof azureClusterIdentitySpec>;

/** The identity's spec; problems show on the cluster that names it. */
export const parseAzureClusterIdentity = (object: KubeObject): Result<AzureClusterIdentitySpec, readonly Problem[]> =>
  parseSpec(azureClusterIdentitySpec, object, "NetworkInfrastructureReady");
