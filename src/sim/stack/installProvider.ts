import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../controlPlane/controlPlane.ts";
import { installCrds } from "../controlPlane/installCrds.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "infra", "cluster", "crds");
const namespace = "capstan-system";

/** The entry by which `clusterctl` knows the provider. */
const inventory = {
  apiVersion: "clusterctl.cluster.x-k8s.io/v1alpha3",
  kind: "Provider",
  metadata: {
    name: "infrastructure-azure",
    namespace,
    labels: {
      "clusterctl.cluster.x-k8s.io": "",
      "clusterctl.cluster.x-k8s.io/core": "inventory",
      "cluster.x-k8s.io/provider": "infrastructure-azure",
    },
  },
  providerName: "azure",
  type: "InfrastructureProvider",
  version: "v0.1.0",
};

/** Installs Capstan's definitions and its entry in `clusterctl`'s inventory. */
export const installProvider = async (controlPlane: ControlPlane): Promise<void> => {
  const files = (await readdir(folder)).filter((file) => file.endsWith(".yaml"));
  await installCrds(
    controlPlane,
    files.map((file) => join(folder, file)),
  );
  const { api } = controlPlane;
  await api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await api.apply(`/apis/clusterctl.cluster.x-k8s.io/v1alpha3/namespaces/${namespace}/providers`, inventory);
};
