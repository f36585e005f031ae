import { Type } from "typebox";
import { conditions } from "../conditions.ts";
import { operationStates } from "../operationStates.ts";
import { flag, map } from "../schema.ts";
import { failureDomain } from "./failureDomain.ts";

/** What an AzureCluster shows of itself. */
export const azureClusterStatus = Type.Object({
  ready: Type.Optional(flag("Whether Cluster API may go on: the network stands and the endpoint is known.")),
  failureDomains: Type.Optional(map("Zones of the region.", failureDomain)),
  conditions: Type.Optional(conditions),
  longRunningOperationStates: Type.Optional(operationStates),
});

/** What an AzureClusterIdentity shows of itself. */
export const azureClusterIdentityStatus = Type.Object({ conditions: Type.Optional(conditions) });
