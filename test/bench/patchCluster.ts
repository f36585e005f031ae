import type { JsonObject } from "../../src/core/types.ts";
import type { Stack } from "../../src/sim/stack/stack.ts";

/** A merge patch of an AzureCluster over a kept connection, so that the start of `kubectl` is not measured. */
export const patchCluster = async (stack: Stack, name: string, patch: JsonObject): Promise<void> => {
  const { status, body } = await stack.controlPlane.api.send({
    method: "PATCH",
    path: `/apis/infrastructure.cluster.x-k8s.io/v1beta1/namespaces/default/azureclusters/${name}`,
    contentType: "application/merge-patch+json",
    body: JSON.stringify(patch),
  });
  if (status !== 200) throw new Error(`patching AzureCluster ${name}: ${status} ${body}`);
};
