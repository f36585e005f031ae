import type { ProviderSchema } from "../schema.ts";

/** What may be sent to create a role assignment; Azure refuses every change of it. */
export type RoleAssignmentBody = {
  readonly properties: {
    readonly roleDefinitionId: string;
    readonly principalId: string;
    readonly principalType?:
      | "User"
      | "Group"
      | "ServicePrincipal"
      | "ForeignGroup"
      | "Device"
      | "AgentUser"
      | "AgentServicePrincipal"
      | (string & {});
    readonly description?: string;
    readonly condition?: string;
    readonly conditionVersion?: string;
    readonly delegatedManagedIdentityResourceId?: string;
  };
};

/** https://learn.microsoft.com/azure/templates/microsoft.authorization/2022-04-01/roleassignments */
export const authorization: ProviderSchema = {
  resources: [{ type: "Microsoft.Authorization/roleAssignments", apiVersion: "2022-04-01", body: 2 }],
  nodes: [
    { kind: "string" }, // 0
    { kind: "any" }, // 1
    {
      kind: "object", // 2
      properties: {
        properties: { node: 3, required: true },
        id: { node: 0, readOnly: true },
        name: { node: 0, readOnly: true },
        type: { node: 0, readOnly: true },
        systemData: { node: 1, readOnly: true },
      },
    },
    {
      kind: "object", // 3
      properties: {
        roleDefinitionId: { node: 0, required: true },
        principalId: { node: 0, required: true },
        principalType: { node: 0 },
        description: { node: 0 },
        condition: { node: 0 },
        conditionVersion: { node: 0 },
        delegatedManagedIdentityResourceId: { node: 0 },
        scope: { node: 0, readOnly: true },
        createdOn: { node: 0, readOnly: true },
        updatedOn: { node: 0, readOnly: true },
        createdBy: { node: 0, readOnly: true },
        updatedBy: { node: 0, readOnly: true },
      },
    },
  ],
};
