import type { JsonObject } from "../../core/types.ts";
import { infrastructureGroup, infrastructureKinds } from "../registry.ts";
import { providerLabels } from "./providerLabels.ts";

/** What Cluster API's managers may do with Capstan's kinds: one role for each, and a binding where nothing aggregates it. */
export interface Role {
  /** Name of the role, and of its binding. */
  readonly name: string;
  readonly objects: readonly JsonObject[];
}

const apiVersion = "rbac.authorization.k8s.io/v1";
const read = ["get", "list", "watch"] as const;
const change = [...read, "patch", "update"] as const;
const own = [...change, "create", "delete"] as const;

const clusterRole = (name: string, labels: JsonObject, rules: readonly JsonObject[]): JsonObject => ({
  apiVersion,
  kind: "ClusterRole",
  metadata: { name, labels: { ...providerLabels, ...labels } },
  rules: rules.map((rule) => ({ apiGroups: [infrastructureGroup], ...rule })),
});

/** The core manager clones templates, sets owners and, for a managed topology, makes and changes every kind. */
const core: Role = {
  name: "capstan-for-cluster-api",
  objects: [
    clusterRole("capstan-for-cluster-api", { "cluster.x-k8s.io/aggregate-to-manager": "true" }, [
      { resources: infrastructureKinds.map(({ plural }) => plural).toSorted(), verbs: own },
    ]),
  ],
};

const controlPlane: Role = {
  name: "capstan-for-kubeadm-control-plane",
  objects: [
    clusterRole(
      "capstan-for-kubeadm-control-plane",
      { "kubeadm.controlplane.cluster.x-k8s.io/aggregate-to-manager": "true" },
      [
        { resources: ["azuremachines"], verbs: own },
        { resources: ["azuremachinetemplates"], verbs: change },
      ],
    ),
  ],
};

/** Reads the version of the control plane that a pool joins. Its manager aggregates no roles, hence the binding. */
const bootstrap: Role = {
  name: "capstan-for-kubeadm-bootstrap",
  objects: [
    clusterRole("capstan-for-kubeadm-bootstrap", {}, [
      { resources: ["azureasomanagedcontrolplanes", "azuremanagedcontrolplanes"], verbs: read },
    ]),
    {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name: "capstan-for-kubeadm-bootstrap", labels: providerLabels },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "capstan-for-kubeadm-bootstrap" },
      // As `clusterctl init` names it.
      subjects: [
        {
          kind: "ServiceAccount",
          name: "capi-kubeadm-bootstrap-manager",
          namespace: "capi-kubeadm-bootstrap-system",
        },
      ],
    },
  ],
};

/**
 * Every role that is installed with the definitions
 * (https://cluster-api.sigs.k8s.io/developer/providers/contracts/infra-machine#all-resources-api-group). Cluster API's own
 * roles happen to include the group today; these say what it needs of us.
 */
export const roles: readonly Role[] = [core, controlPlane, bootstrap];
