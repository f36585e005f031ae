import { wishedService } from "./wishedService.ts";

/** Written by what is asked: clear values, a secret, lists that are told apart from none, a field that means a new cluster. */
export const testClusters = wishedService({
  name: "testClusters",
  type: "Microsoft.ContainerService/managedClusters",
  rules: {
    writes: "asked",
    sets: ["properties.apiServerAccessProfile.authorizedIPRanges"],
    compare: {
      "properties.apiServerAccessProfile.authorizedIPRanges": "address",
      "properties.nodeResourceGroup": "ignoreCase",
      "properties.networkProfile.podCidr": "address",
      "properties.networkProfile.serviceCidr": "address",
    },
    immutable: ["location", "properties.dnsPrefix", "properties.nodeResourceGroup"],
    // Pools are resources of their own; the cluster only brings the first one.
    yields: ["properties.agentPoolProfiles"],
    absentMeans: { "properties.disableLocalAccounts": false, "properties.autoUpgradeProfile.upgradeChannel": "none" },
    clear: {
      "properties.apiServerAccessProfile.authorizedIPRanges": [],
      "properties.autoUpgradeProfile.upgradeChannel": "none",
      "properties.disableLocalAccounts": false,
      "sku.tier": "Free",
    },
    effects: { "properties.kubernetesVersion": "model", "properties.networkProfile.networkPlugin": "replace" },
  },
});

/** Written by what is asked, a child without tags of its own that Azure shows: sets, maps, clear values. */
export const testPools = wishedService({
  name: "testPools",
  type: "Microsoft.ContainerService/managedClusters/agentPools",
  after: ["testClusters"],
  ownership: "parent",
  rules: {
    writes: "asked",
    sets: ["properties.availabilityZones"],
    // AKS adds taints of its own, as to spot pools.
    keys: { "properties.nodeTaints": "$value" },
    immutable: ["properties.vmSize", "properties.osDiskType", "properties.osType", "properties.maxPods"],
    absentMeans: { "properties.mode": "User", "properties.enableAutoScaling": false },
    clear: {
      "properties.nodeLabels": {},
      "properties.nodeTaints": [],
      "properties.mode": "User",
      "properties.enableAutoScaling": false,
      "properties.upgradeSettings.maxSurge": "10%",
    },
    effects: { "properties.orchestratorVersion": "model", "properties.availabilityZones": "replace" },
  },
});
