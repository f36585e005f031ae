import type { ProviderSchema } from "../schema.ts";

/** What may be sent to create or update a user-assigned identity. */
export type UserAssignedIdentityBody = {
  readonly location: string;
  readonly tags?: Readonly<Record<string, string>>;
  readonly properties?: {
    readonly isolationScope?: "None" | "Regional" | (string & {});
  };
};

/** https://learn.microsoft.com/azure/templates/microsoft.managedidentity/2024-11-30/userassignedidentities */
export const managedIdentity: ProviderSchema = {
  resources: [{ type: "Microsoft.ManagedIdentity/userAssignedIdentities", apiVersion: "2024-11-30", body: 3 }],
  nodes: [
    { kind: "string" }, // 0
    { kind: "any" }, // 1
    { kind: "object", properties: {}, additional: 0 }, // 2
    {
      kind: "object", // 3
      properties: {
        location: { node: 0, required: true },
        tags: { node: 2 },
        properties: { node: 4 },
        id: { node: 0, readOnly: true },
        name: { node: 0, readOnly: true },
        type: { node: 0, readOnly: true },
        systemData: { node: 1, readOnly: true },
      },
    },
    {
      kind: "object", // 4
      properties: {
        isolationScope: { node: 0 },
        tenantId: { node: 0, readOnly: true },
        principalId: { node: 0, readOnly: true },
        clientId: { node: 0, readOnly: true },
      },
    },
  ],
};
