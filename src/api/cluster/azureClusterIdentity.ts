import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { given, textAt } from "../cel/parts.ts";
import { unlessUnchanged } from "../cel/unlessUnchanged.ts";
import { parseSpec } from "../parse.ts";
import { list, map, oneOf, type Parsed, type Rule, ruled, text } from "../schema.ts";

const labelSelector = Type.Object(
  {
    matchLabels: Type.Optional(map("Labels that must have these values.", Type.String())),
    matchExpressions: Type.Optional(
      list(
        "Requirements on labels.",
        Type.Object(
          {
            key: text("Label."),
            operator: text("`In`, `NotIn`, `Exists` or `DoesNotExist`."),
            values: Type.Optional(list("Values that `In` and `NotIn` compare with.", Type.String())),
          },
          { description: "One requirement." },
        ),
      ),
    ),
  },
  { description: "Labels of further namespaces; an empty selector matches none." },
);
export type LabelSelector = Parsed<typeof labelSelector>;

const clientSecret = Type.Object(
  {
    name: Type.Optional(text("Name of the secret.")),
    namespace: Type.Optional(text("Namespace of the secret; that of the identity when absent.")),
  },
  {
    description: "The secret that holds the password or the certificate of the application.",
    "x-kubernetes-map-type": "atomic",
  },
);

const allowedNamespaces = Type.Object(
  {
    list: Type.Optional(list("Names of namespaces.", Type.String())),
    selector: Type.Optional(labelSelector),
  },
  { description: "Namespaces whose objects may use the identity: none when absent, every one when empty." },
);

const shape = Type.Object({
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
  resourceID: Type.Optional(text("Not used.", { maxLength: 2048 })),
  clientSecret: Type.Optional(clientSecret),
  certPath: Type.Optional(text("Certificate file in the credential folder; used instead of the secret.")),
  userAssignedIdentityCredentialsPath: Type.Optional(
    text("Credential file of a user-assigned identity.", { maxLength: 4096 }),
  ),
  userAssignedIdentityCredentialsCloudType: Type.Optional(
    text("`public`, `china` or `usgovernment`, in any case; anything else means `public`.", { maxLength: 64 }),
  ),
  allowedNamespaces: Type.Optional(allowedNamespaces),
});

/** A field that only one type of identity has. The type never changes, so the field alone decides when to ask again. */
const onlyFor = (type: string, field: string): readonly Rule[] =>
  unlessUnchanged([textAt(field)], {
    rule: `self.type == '${type}' || !${given(field)("self")}`,
    message: `must be absent unless the type is ${type}`,
    fieldPath: `.${field}`,
  });

/** Who calls Azure, and which namespaces may use it. Whether its secret is there the turn finds out. */
export const azureClusterIdentitySpec = ruled(
  shape,
  ...onlyFor("UserAssignedMSI", "resourceID"),
  ...onlyFor("UserAssignedIdentityCredential", "userAssignedIdentityCredentialsPath"),
  ...onlyFor("UserAssignedIdentityCredential", "userAssignedIdentityCredentialsCloudType"),
);
export type AzureClusterIdentitySpec = Parsed<typeof azureClusterIdentitySpec>;

/** The identity's spec; problems show on the cluster that names it. */
export const parseAzureClusterIdentity = (object: KubeObject): Result<AzureClusterIdentitySpec, readonly Problem[]> =>
  parseSpec(azureClusterIdentitySpec, object, "NetworkInfrastructureReady");
