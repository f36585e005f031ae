import { Type } from "typebox";
import { textAt, valueOr } from "../cel/parts.ts";
import { flag, integer, list, oneOf, ruled, text } from "../schema.ts";

/** Identities, sign-in and protection of a managed cluster. */

/** As whom the control plane acts in Azure. */
export const aksIdentity = ruled(
  Type.Object(
    {
      type: Type.Optional(
        oneOf("Whether AKS makes the identity or takes yours.", ["SystemAssigned", "UserAssigned"], {
          default: "SystemAssigned",
        }),
      ),
      userAssignedIdentityResourceID: Type.Optional(
        text("Resource id of the managed identity; needed with `UserAssigned`, refused without."),
      ),
    },
    { description: "As whom the control plane acts in Azure." },
  ),
  {
    rule: `(${valueOr("type", "'SystemAssigned'")("self")} == 'UserAssigned') == (${textAt("userAssignedIdentityResourceID")("self")} != '')`,
    message: "must be given with type UserAssigned, and only then",
    fieldPath: ".userAssignedIdentityResourceID",
  },
);

/** Sign-in with Microsoft Entra ID. Cannot be taken away again. */
export const aksAadProfile = Type.Object(
  {
    managed: flag("Whether AKS runs the sign-in; Azure roles then also count inside the cluster."),
    adminGroupObjectIDs: list("Object ids of the groups whose members are cluster administrators.", Type.String()),
  },
  { description: "Sign-in with Microsoft Entra ID; cannot be taken away again." },
);

const azureKeyVaultKms = ruled(
  Type.Object(
    {
      enabled: flag("Whether secrets are encrypted in etcd."),
      keyID: text("Identifier of the key in the key vault."),
      keyVaultNetworkAccess: Type.Optional(
        text("`Public`, or `Private` for a vault behind a private link.", { default: "Public" }),
      ),
      keyVaultResourceID: Type.Optional(
        text("Resource id of the vault; needed with `Private`, refused with `Public`."),
      ),
    },
    { description: "Encryption of secrets with a key of yours; needs a user-assigned identity." },
  ),
  {
    rule: `(${valueOr("keyVaultNetworkAccess", "'Public'")("self")} == 'Private') == (${textAt("keyVaultResourceID")("self")} != '')`,
    message: "must be given with keyVaultNetworkAccess Private, and only then",
    fieldPath: ".keyVaultResourceID",
  },
);

const defender = Type.Object(
  {
    logAnalyticsWorkspaceResourceID: text("Resource id of the workspace that receives the findings."),
    securityMonitoring: Type.Object(
      { enabled: flag("Whether nodes are watched.") },
      { description: "Detection of threats at run time." },
    ),
  },
  { description: "Microsoft Defender for containers." },
);

const imageCleaner = Type.Object(
  {
    enabled: flag("Whether nodes are cleaned."),
    intervalHours: Type.Optional(integer("Hours between two rounds.", { minimum: 24, maximum: 2160 })),
  },
  { description: "Removal of unused images with known vulnerabilities." },
);

const workloadIdentity = Type.Object(
  { enabled: flag("Whether pods may exchange their tokens for Azure's; needs the OIDC issuer.") },
  { description: "Microsoft Entra workload identity." },
);

/** Protection of the cluster. A block that was set can be disabled, not taken away. */
export const aksSecurityProfile = Type.Object(
  {
    azureKeyVaultKms: Type.Optional(azureKeyVaultKms),
    defender: Type.Optional(defender),
    imageCleaner: Type.Optional(imageCleaner),
    workloadIdentity: Type.Optional(workloadIdentity),
  },
  { description: "Protection of the cluster; a block that was set can be disabled, not taken away." },
);
