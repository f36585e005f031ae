import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { conditions } from "../conditions.ts";
import { parseSpec } from "../parse.ts";
import { flag, int32, list, type Parsed } from "../schema.ts";
import { azureAsoResourceStatuses, azureAsoResources } from "./azureAsoResources.ts";

/** An AKS node pool of pass-through resources, one of which is the ManagedClustersAgentPool. */
export const azureAsoManagedMachinePoolSpec = Type.Object({
  resources: Type.Optional(azureAsoResources),
  providerIDList: Type.Optional(list("Instances behind the nodes; filled in by the provider.", Type.String())),
});
export type AzureAsoManagedMachinePoolSpec = Parsed<typeof azureAsoManagedMachinePoolSpec>;

/** What an AzureASOManagedMachinePool shows of itself. */
export const azureAsoManagedMachinePoolStatus = Type.Object({
  ready: Type.Optional(flag("Whether all resources stand and the nodes are known.")),
  replicas: Type.Optional(int32("Nodes that exist.")),
  resources: Type.Optional(azureAsoResourceStatuses),
  conditions: Type.Optional(conditions),
});

/** Everything that is wrong with the shape of the spec; the resources are checked by the kind. */
export const parseAzureAsoManagedMachinePool = (
  object: KubeObject,
): Result<AzureAsoManagedMachinePoolSpec, readonly Problem[]> =>
  parseSpec(azureAsoManagedMachinePoolSpec, object, "Ready");
