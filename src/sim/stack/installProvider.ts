import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlane } from "../controlPlane/controlPlane.ts";
import { installCrds } from "../controlPlane/installCrds.ts";
import { type KubeObject, parseObjects } from "../controlPlane/kubeObject.ts";

const folder = join(import.meta.dirname, "..", "..", "..", "infra", "cluster");
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

const filesIn = async (inner: string): Promise<readonly string[]> =>
  (await readdir(join(folder, inner)))
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => join(folder, inner, file));

/** Where objects of a kind are applied to. */
const collections: Readonly<Record<string, string>> = {
  ClusterRole: "clusterroles",
  ClusterRoleBinding: "clusterrolebindings",
  ValidatingAdmissionPolicy: "validatingadmissionpolicies",
  ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings",
};

const collectionOf = ({ apiVersion, kind }: KubeObject): string => {
  const collection = collections[kind];
  if (collection === undefined) throw new Error(`${kind} is not among what a provider installs`);
  return `/apis/${apiVersion}/${collection}`;
};

/**
 * Installs Capstan's definitions, its roles for Cluster API, its policies and its entry in `clusterctl`'s inventory. The API
 * server asks the policies a second or two later.
 */
export const installProvider = async (controlPlane: ControlPlane): Promise<void> => {
  const { api } = controlPlane;
  await installCrds(controlPlane, await filesIn("crds"));
  for (const file of [...(await filesIn("roles")), ...(await filesIn("policies"))])
    for (const object of parseObjects(await readFile(file, "utf8"), file))
      await api.apply(collectionOf(object), object);
  await api.apply("/api/v1/namespaces", { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } });
  await api.apply(`/apis/clusterctl.cluster.x-k8s.io/v1alpha3/namespaces/${namespace}/providers`, inventory);
};
