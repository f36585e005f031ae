import { type ManagerName, managerNames } from "../../src/sim/controlPlane/clusterApiManifests.ts";
import type { ControlPlane } from "../../src/sim/controlPlane/controlPlane.ts";
import { serviceAccountOf } from "../../src/sim/controlPlane/startClusterApi.ts";

const group = "rbac.authorization.k8s.io";
const apiVersion = `${group}/v1`;

/** All that Cluster API's managers work with but the infrastructure group. */
const groupsOfOthers = [
  "",
  "addons.cluster.x-k8s.io",
  "admissionregistration.k8s.io",
  "apiextensions.k8s.io",
  "authentication.k8s.io",
  "authorization.k8s.io",
  "bootstrap.cluster.x-k8s.io",
  "cluster.x-k8s.io",
  "controlplane.cluster.x-k8s.io",
  "coordination.k8s.io",
  "events.k8s.io",
  "ipam.cluster.x-k8s.io",
  "runtime.cluster.x-k8s.io",
];

/** The label by which a manager takes roles of others into its own, as in Cluster API's manifests; one has none. */
const aggregates: Readonly<Partial<Record<ManagerName, string>>> = {
  "capi-core": "cluster.x-k8s.io/aggregate-to-manager",
  "capi-kubeadm-control-plane": "kubeadm.controlplane.cluster.x-k8s.io/aggregate-to-manager",
};

/**
 * Gives the managers' service accounts every right on other groups, and on Capstan's kinds only what roles of Capstan bring:
 * Cluster API's own roles name our group too, and would hide what ours lack.
 */
export const grantAllButInfrastructure = async ({ api }: ControlPlane): Promise<void> => {
  const role = (name: string, rest: object): Promise<void> =>
    api.apply(`/apis/${apiVersion}/clusterroles`, { apiVersion, kind: "ClusterRole", metadata: { name }, ...rest });
  const bind = (name: string, manager: ManagerName): Promise<void> =>
    api.apply(`/apis/${apiVersion}/clusterrolebindings`, {
      apiVersion,
      kind: "ClusterRoleBinding",
      metadata: { name },
      roleRef: { apiGroup: group, kind: "ClusterRole", name },
      subjects: [{ kind: "ServiceAccount", ...serviceAccountOf(manager) }],
    });
  for (const manager of managerNames) {
    await role(manager, { rules: [{ apiGroups: groupsOfOthers, resources: ["*"], verbs: ["*"] }] });
    await bind(manager, manager);
    const label = aggregates[manager];
    if (label === undefined) continue;
    const name = `${manager}-aggregated`;
    await role(name, { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { [label]: "true" } }] } });
    await bind(name, manager);
  }
};
