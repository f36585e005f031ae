import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { aksEndpoint } from "../aks/aksEndpoint.ts";
import { conditions } from "../conditions.ts";
import { parseSpec } from "../parse.ts";
import { flag, type Parsed, text } from "../schema.ts";
import { azureAsoResourceStatuses, azureAsoResources } from "./azureAsoResources.ts";

/** An AKS cluster of pass-through resources, one of which is the ManagedCluster. */
export const azureAsoManagedControlPlaneSpec = Type.Object({
  version: Type.Optional(text("Kubernetes version, such as `v1.34.1`; when absent, that of the ManagedCluster.")),
  resources: Type.Optional(azureAsoResources),
});
export type AzureAsoManagedControlPlaneSpec = Parsed<typeof azureAsoManagedControlPlaneSpec>;

/** What an AzureASOManagedControlPlane shows of itself. */
export const azureAsoManagedControlPlaneStatus = Type.Object({
  ready: Type.Optional(flag("Whether the API server takes requests.")),
  initialized: Type.Optional(flag("Whether the API server has ever taken requests.")),
  externalManagedControlPlane: Type.Optional(flag("Always true: control-plane nodes are none of the cluster's.")),
  version: Type.Optional(text("Kubernetes version of the control plane.")),
  controlPlaneEndpoint: Type.Optional(aksEndpoint),
  resources: Type.Optional(azureAsoResourceStatuses),
  conditions: Type.Optional(conditions),
});

/** Everything that is wrong with the shape of the spec; the resources are checked by the kind. */
export const parseAzureAsoManagedControlPlane = (
  object: KubeObject,
): Result<AzureAsoManagedControlPlaneSpec, readonly Problem[]> =>
  parseSpec(azureAsoManagedControlPlaneSpec, object, "Ready");
