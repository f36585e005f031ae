import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { conditions } from "../conditions.ts";
import { parseSpec } from "../parse.ts";
import { flag, type Parsed } from "../schema.ts";
import { aksEndpoint } from "./aksEndpoint.ts";

/** The infrastructure that Cluster API expects beside an AzureManagedControlPlane: only a place for the endpoint. */
export const azureManagedClusterSpec = Type.Object({ controlPlaneEndpoint: Type.Optional(aksEndpoint) });
export type AzureManagedClusterSpec = Parsed<typeof azureManagedClusterSpec>;

/** What an AzureManagedCluster shows of itself. */
export const azureManagedClusterStatus = Type.Object({
  ready: Type.Optional(flag("Whether Cluster API may go on.")),
  conditions: Type.Optional(conditions),
});

/** Everything that is wrong with the shape of the spec. */
export const parseAzureManagedCluster = (object: KubeObject): Result<AzureManagedClusterSpec, readonly Problem[]> =>
  parseSpec(azureManagedClusterSpec, object, "Ready");
