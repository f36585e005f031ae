import type { ProviderSchema } from "../schema.ts";

/** What may be sent to install an extension on a managed cluster; it is addressed below the cluster's id. */
export type ClusterExtensionBody = {
  readonly properties?: {
    readonly extensionType?: string;
    readonly autoUpgradeMinorVersion?: boolean;
    readonly releaseTrain?: string;
    readonly version?: string;
    readonly scope?: {
      readonly cluster?: { readonly releaseNamespace?: string };
      readonly namespace?: { readonly targetNamespace?: string };
    };
    readonly configurationSettings?: Readonly<Record<string, string>>;
    readonly configurationProtectedSettings?: Readonly<Record<string, string>>;
    readonly aksAssignedIdentity?: { readonly type?: "SystemAssigned" | "UserAssigned" | (string & {}) };
  };
  readonly identity?: { readonly type?: "SystemAssigned" };
  readonly plan?: {
    readonly name: string;
    readonly publisher: string;
    readonly product: string;
    readonly promotionCode?: string;
    readonly version?: string;
  };
};

/** https://learn.microsoft.com/azure/templates/microsoft.kubernetesconfiguration/2024-11-01/extensions */
export const kubernetesConfiguration: ProviderSchema = {
  resources: [{ type: "Microsoft.KubernetesConfiguration/extensions", apiVersion: "2024-11-01", body: 4 }],
  nodes: [
    { kind: "string" }, // 0
    { kind: "any" }, // 1
    { kind: "boolean" }, // 2
    { kind: "object", properties: {}, additional: 0 }, // 3
    {
      kind: "object", // 4
      properties: {
        properties: { node: 5 },
        identity: { node: 9 },
        plan: { node: 10 },
        id: { node: 0, readOnly: true },
        name: { node: 0, readOnly: true },
        type: { node: 0, readOnly: true },
        systemData: { node: 1, readOnly: true },
      },
    },
    {
      kind: "object", // 5
      properties: {
        extensionType: { node: 0 },
        autoUpgradeMinorVersion: { node: 2 },
        releaseTrain: { node: 0 },
        version: { node: 0 },
        scope: { node: 6 },
        configurationSettings: { node: 3 },
        configurationProtectedSettings: { node: 3, writeOnly: true, secret: true },
        aksAssignedIdentity: { node: 9 },
        // Published as writable, but the extension's own report.
        statuses: { node: 1, readOnly: true },
        currentVersion: { node: 0, readOnly: true },
        provisioningState: { node: 0, readOnly: true },
        errorInfo: { node: 1, readOnly: true },
        customLocationSettings: { node: 3, readOnly: true },
        packageUri: { node: 0, readOnly: true },
        isSystemExtension: { node: 2, readOnly: true },
      },
    },
    { kind: "object", properties: { cluster: { node: 7 }, namespace: { node: 8 } } }, // 6
    { kind: "object", properties: { releaseNamespace: { node: 0 } } }, // 7
    { kind: "object", properties: { targetNamespace: { node: 0 } } }, // 8
    {
      kind: "object", // 9
      properties: {
        type: { node: 0 },
        principalId: { node: 0, readOnly: true },
        tenantId: { node: 0, readOnly: true },
      },
    },
    {
      kind: "object", // 10
      properties: {
        name: { node: 0, required: true },
        publisher: { node: 0, required: true },
        product: { node: 0, required: true },
        promotionCode: { node: 0 },
        version: { node: 0 },
      },
    },
  ],
};
