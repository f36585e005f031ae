/**
 * What makes `clusterctl` count an object as part of this provider
 * (https://cluster-api.sigs.k8s.io/developer/providers/contracts/clusterctl).
 */
export const providerLabels = {
  "cluster.x-k8s.io/provider": "infrastructure-azure",
  "clusterctl.cluster.x-k8s.io": "",
} as const;
