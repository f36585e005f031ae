import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { aksEndpoint } from "../aks/aksEndpoint.ts";
import { conditions } from "../conditions.ts";
import { parseSpec } from "../parse.ts";
import { flag, type Parsed } from "../schema.ts";
import { azureAsoResourceStatuses, azureAsoResources } from "./azureAsoResources.ts";

/** What stands beside an AKS cluster of pass-through resources, such as its resource group. */
export const azureAsoManagedClusterSpec = Type.Object({
  resources: Type.Optional(azureAsoResources),
  controlPlaneEndpoint: Type.Optional(aksEndpoint),
});
export type AzureAsoManagedClusterSpec = Parsed<typeof azureAsoManagedClusterSpec>;

/** What an AzureASOManagedCluster shows of itself. */
export const azureAsoManagedClusterStatus = Type.Object({
  ready: Type.Optional(flag("Whether all resources stand and the endpoint is known.")),
  resources: Type.Optional(azureAsoResourceStatuses),
  conditions: Type.Optional(conditions),
});

/** Everything that is wrong with the shape of the spec; the resources are checked by the kind. */
export const parseAzureAsoManagedCluster = (
  object: KubeObject,
): Result<AzureAsoManagedClusterSpec, readonly Problem[]> => parseSpec(azureAsoManagedClusterSpec, object, "Ready");
