/** The clouds that the Azure clients know (fact sheet 9.4; the German one is closed). */
export type CloudName = "AzurePublicCloud" | "AzureUSGovernmentCloud" | "AzureChinaCloud";

/** Which credential to use, resolved from the AzureClusterIdentity as read; secrets live only in memory. */
export type CredentialSpec = {
  readonly cloud: CloudName;
  readonly tenantId: string;
  readonly clientId: string;
  /** For the log and for `allowedIdentities`: `namespace/name` of the AzureClusterIdentity. */
  readonly identity: string;
  /** Changes with the AzureClusterIdentity and with its secret; tells nothing of either. Default empty. */
  readonly version?: string;
  /** Namespace of the object that is reconciled. */
  readonly usedBy: string;
} & (
  | { readonly kind: "workloadIdentity" }
  | { readonly kind: "managedIdentity" }
  | { readonly kind: "clientSecret"; readonly clientSecret: string }
  | { readonly kind: "certificate"; readonly certificate: string; readonly password?: string }
  | { readonly kind: "certificateFile"; readonly path: string }
  | { readonly kind: "userAssignedIdentityFile"; readonly path: string }
);
