import { Type } from "typebox";
import { conditions } from "./conditions.ts";
import { flag, list, map, text } from "./schema.ts";

/** What an AzureCluster shows of itself. */
export const azureClusterStatus = Type.Object({
  ready: Type.Optional(flag("Whether Cluster API may go on: the network stands and the endpoint is known.")),
  failureDomains: Type.Optional(
    map(
      "Zones of the region.",
      Type.Object({
        controlPlane: Type.Optional(flag("Whether control-plane machines may live there.")),
        attributes: Type.Optional(map("Not used.", Type.String())),
      }),
    ),
  ),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(
    list(
      "Operations of an earlier provider; neither read nor written.",
      Type.Object({
        type: text("Kind of the operation."),
        name: text("Name of the resource."),
        resourceGroup: Type.Optional(text("Resource group of the resource.")),
        serviceName: text("Service that started it."),
        data: text("What is needed to poll it."),
      }),
    ),
  ),
});

/** What an AzureClusterIdentity shows of itself. */
export const azureClusterIdentityStatus = Type.Object({ conditions: Type.Optional(conditions) });
