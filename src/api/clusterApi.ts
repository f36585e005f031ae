import { Type } from "typebox";
import type { Problem } from "../core/kind.ts";
import type { KubeObject, Result } from "../core/types.ts";
import { parseSpec } from "./parse.ts";
import { flag, int32, type Parsed, text } from "./schema.ts";

/** The fields of a Cluster (v1beta2) that the contract lets a provider read. */
export const clusterSpec = Type.Object({
  paused: Type.Optional(flag("Whether everything of the cluster rests.")),
  clusterNetwork: Type.Optional(
    Type.Object({ apiServerPort: Type.Optional(int32("Port of the API server; 6443 when absent or 0.")) }),
  ),
  controlPlaneEndpoint: Type.Optional(
    Type.Object({ host: Type.Optional(text("Host.")), port: Type.Optional(int32("Port.")) }),
  ),
  infrastructureRef: Type.Optional(
    Type.Object({
      apiGroup: Type.Optional(text("Group of the infrastructure object.")),
      kind: Type.Optional(text("Kind of the infrastructure object.")),
      name: Type.Optional(text("Name of the infrastructure object.")),
    }),
  ),
});
export type ClusterSpec = Parsed<typeof clusterSpec>;

/** The Cluster's spec; problems show on the infrastructure object that it owns. */
export const parseCluster = (object: KubeObject): Result<ClusterSpec, readonly Problem[]> =>
  parseSpec(clusterSpec, object, "NetworkInfrastructureReady");

/** The API server's port where the Cluster names none. */
export const defaultApiServerPort = 6443;
