import type { ProviderSchema } from "../schema.ts";

/** What may be sent to join a managed cluster to a fleet. */
export type FleetMemberBody = {
  readonly properties?: {
    readonly clusterResourceId: string;
    readonly group?: string;
  };
};

/** https://learn.microsoft.com/azure/templates/microsoft.containerservice/2025-03-01/fleets/members */
export const fleets: ProviderSchema = {
  resources: [{ type: "Microsoft.ContainerService/fleets/members", apiVersion: "2025-03-01", body: 2 }],
  nodes: [
    { kind: "string" }, // 0
    { kind: "any" }, // 1
    {
      kind: "object", // 2
      properties: {
        properties: { node: 3 },
        id: { node: 0, readOnly: true },
        name: { node: 0, readOnly: true },
        type: { node: 0, readOnly: true },
        eTag: { node: 0, readOnly: true },
        systemData: { node: 1, readOnly: true },
      },
    },
    {
      kind: "object", // 3
      properties: {
        clusterResourceId: { node: 0, required: true },
        group: { node: 0 },
        provisioningState: { node: 0, readOnly: true },
        status: { node: 1, readOnly: true },
      },
    },
  ],
};
