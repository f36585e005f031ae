import type { Json, JsonObject } from "../../../src/core/types.ts";
import type { RuleCase, RuleCases } from "../../support/admission/ruleCase.ts";

const spec = (fields: JsonObject): JsonObject => ({ spec: fields });
const nested = (path: string, value: Json): JsonObject =>
  path.split(".").reduceRight<Json>((inner, key) => ({ [key]: inner }), value) as JsonObject;

const limit = (path: string, keyword: "at least" | "at most", bound: number): RuleCase => ({
  rule:
    keyword === "at least" ? `should be greater than or equal to ${bound}` : `should be less than or equal to ${bound}`,
  field: `spec.${path}`,
  accepts: spec(nested(path, bound)),
  refuses: spec(nested(path, keyword === "at least" ? bound - 1 : bound + 1)),
});
const between = (path: string, least: number, most: number): readonly RuleCase[] => [
  limit(path, "at least", least),
  limit(path, "at most", most),
];

// Fact sheet 4.4.
const sysctls: Readonly<Record<string, readonly [number, number]>> = {
  fsAioMaxNr: [65_536, 6_553_500],
  fsFileMax: [8192, 12_000_500],
  fsInotifyMaxUserWatches: [781_250, 2_097_152],
  fsNrOpen: [8192, 20_000_500],
  kernelThreadsMax: [20, 513_785],
  netCoreNetdevMaxBacklog: [1000, 3_240_000],
  netCoreOptmemMax: [20_480, 4_194_304],
  netCoreRmemDefault: [212_992, 134_217_728],
  netCoreRmemMax: [212_992, 134_217_728],
  netCoreSomaxconn: [4096, 3_240_000],
  netCoreWmemDefault: [212_992, 134_217_728],
  netCoreWmemMax: [212_992, 134_217_728],
  netIpv4NeighDefaultGcThresh1: [128, 80_000],
  netIpv4NeighDefaultGcThresh2: [512, 90_000],
  netIpv4NeighDefaultGcThresh3: [1024, 100_000],
  netIpv4TCPFinTimeout: [5, 120],
  netIpv4TCPKeepaliveProbes: [1, 15],
  netIpv4TCPKeepaliveTime: [30, 432_000],
  netIpv4TCPkeepaliveIntvl: [1, 75],
  netIpv4TCPMaxSynBacklog: [128, 3_240_000],
  netIpv4TCPMaxTwBuckets: [8000, 1_440_000],
  netNetfilterNfConntrackBuckets: [65_536, 147_456],
  netNetfilterNfConntrackMax: [131_072, 1_048_576],
  vmMaxMapCount: [65_530, 262_144],
  vmSwappiness: [0, 100],
  vmVfsCachePressure: [1, 500],
};

const ports = (accepts: string, refuses: string): RuleCase => ({
  rule: "must be a first port from 1024 to 60999, a space, and a last port from 32768 to 65000",
  field: "spec.linuxOSConfig.sysctls.netIpv4IPLocalPortRange",
  accepts: spec({ linuxOSConfig: { sysctls: { netIpv4IPLocalPortRange: accepts } } }),
  refuses: spec({ linuxOSConfig: { sysctls: { netIpv4IPLocalPortRange: refuses } } }),
});

const nodes: readonly RuleCase[] = [
  ...between("maxPods", 10, 250),
  ...between("kubeletConfig.imageGcHighThreshold", 0, 100),
  ...between("kubeletConfig.imageGcLowThreshold", 0, 100),
  limit("kubeletConfig.containerLogMaxFiles", "at least", 2),
  limit("kubeletConfig.podMaxPids", "at least", -1),
  ...Object.entries(sysctls).flatMap(([name, [least, most]]) => between(`linuxOSConfig.sysctls.${name}`, least, most)),
  ports("1024 65000", "1023 65000"),
  ports("60999 60999", "61000 65000"),
  ports("1024 32768", "1024 32767"),
  ports("40000 40000", "40001 40000"),
  ports("", "1024-65000"),
  {
    rule: "should be greater than or equal to 1",
    field: "spec.linuxOSConfig.swapFileSizeMB",
    accepts: spec({ linuxOSConfig: { swapFileSizeMB: 1 }, kubeletConfig: { failSwapOn: false } }),
    refuses: spec({ linuxOSConfig: { swapFileSizeMB: 0 }, kubeletConfig: { failSwapOn: false } }),
  },
  {
    rule: "must be absent unless kubeletConfig.failSwapOn is false",
    field: "spec.linuxOSConfig.swapFileSizeMB",
    accepts: spec({ linuxOSConfig: { swapFileSizeMB: 1500 }, kubeletConfig: { failSwapOn: false } }),
    refuses: spec({ linuxOSConfig: { swapFileSizeMB: 1500 } }),
  },
  {
    rule: "must not be above imageGcHighThreshold",
    field: "spec.kubeletConfig.imageGcLowThreshold",
    accepts: spec({ kubeletConfig: { imageGcLowThreshold: 80, imageGcHighThreshold: 80 } }),
    refuses: spec({ kubeletConfig: { imageGcLowThreshold: 81, imageGcHighThreshold: 80 } }),
  },
  {
    rule: "must end in ms, such as 100ms",
    field: "spec.kubeletConfig.cpuCfsQuotaPeriod",
    accepts: spec({ kubeletConfig: { cpuCfsQuotaPeriod: "100ms" } }),
    refuses: spec({ kubeletConfig: { cpuCfsQuotaPeriod: "1s" } }),
  },
  {
    rule: "must be of kernel.shm*, kernel.msg*, kernel.sem, fs.mqueue.* or net.*",
    field: "spec.kubeletConfig.allowedUnsafeSysctls[1]",
    accepts: spec({ kubeletConfig: { allowedUnsafeSysctls: ["net.*", "kernel.sem", "kernel.msgmax"] } }),
    refuses: spec({ kubeletConfig: { allowedUnsafeSysctls: ["net.core.somaxconn", "vm.swappiness"] } }),
  },
];

const prefix = (group: string): string =>
  `/subscriptions/00000000-0000-4000-8000-000000000001/${group}/g/providers/Microsoft.Network/publicIPPrefixes/p`;

const pool: readonly RuleCase[] = [
  {
    rule: "must be of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    field: "spec.name",
    accepts: spec({ name: "abcdefghijk1" }),
    refuses: spec({ name: "abcdefghijkl1" }),
  },
  {
    rule: "must be of up to 12 lower-case letters and digits, 6 for Windows, with a letter first",
    field: "spec.name",
    accepts: spec({ mode: "User", osType: "Windows", name: "abcde1" }),
    refuses: spec({ mode: "User", osType: "Windows", name: "abcdef1" }),
  },
  {
    rule: "must be given where the object's name cannot serve",
    field: "spec.name",
    accepts: { metadata: { name: "demo-pool0" }, spec: { name: "pool0" } },
    refuses: { metadata: { name: "demo-pool0" } },
  },
  {
    rule: "must be User for Windows: AKS itself needs Linux nodes",
    field: "spec.mode",
    accepts: spec({ mode: "User", osType: "Windows" }),
    refuses: spec({ osType: "Windows" }),
  },
  {
    rule: "must not have keys that begin with kubernetes.azure.com",
    field: "spec.nodeLabels",
    accepts: spec({ nodeLabels: { "example.org/a": "b" } }),
    refuses: spec({ nodeLabels: { "kubernetes.azure.com/a": "b" } }),
  },
  {
    rule: "must be /subscriptions/SUBSCRIPTION/resourceGroups/GROUP",
    field: "spec.nodePublicIPPrefixID",
    accepts: spec({ enableNodePublicIP: true, nodePublicIPPrefixID: prefix("resourceGroups") }),
    refuses: spec({ enableNodePublicIP: true, nodePublicIPPrefixID: prefix("groups") }),
  },
  {
    rule: "must be absent unless enableNodePublicIP is true",
    field: "spec.nodePublicIPPrefixID",
    accepts: spec({ enableNodePublicIP: true, nodePublicIPPrefixID: prefix("resourcegroups") }),
    refuses: spec({ nodePublicIPPrefixID: prefix("resourceGroups") }),
  },
  {
    rule: "must be of 2 to 80 letters, digits, dots, underscores and hyphens",
    field: "spec.subnetName",
    accepts: spec({ subnetName: "my_sub.net-1" }),
    refuses: spec({ subnetName: "s" }),
  },
  {
    rule: "Duplicate value",
    field: "spec.taints[1]",
    accepts: spec({
      taints: [
        { key: "a", value: "b", effect: "NoSchedule" },
        { key: "a", value: "b", effect: "NoExecute" },
      ],
    }),
    refuses: spec({
      taints: [
        { key: "a", value: "b", effect: "NoSchedule" },
        { key: "a", value: "c", effect: "NoSchedule" },
      ],
    }),
  },
];

const stays = (path: string, from: Json, accepts: Json, refuses: Json, rule = "must "): RuleCase => ({
  rule,
  field: `spec.${path}`,
  from: spec(nested(path, from)),
  accepts: spec(nested(path, accepts)),
  refuses: spec(nested(path, refuses)),
});

const changes: readonly RuleCase[] = [
  stays("name", "", "pool0", "other", "must stay pool0"),
  stays("name", "other", "other", null, "must stay other"),
  { ...stays("osType", null, "Linux", "Windows"), from: spec({ mode: "User" }) },
  stays("sku", "Standard_D2s_v3", "Standard_D2s_v3", "Standard_D4s_v3"),
  stays("osDiskSizeGB", null, 0, 30),
  stays("availabilityZones", ["1", "2"], ["2", "1"], ["1"]),
  stays("availabilityZones", null, [], ["1"]),
  stays("maxPods", 30, 30, null),
  stays("osDiskType", null, "Managed", "Ephemeral"),
  stays("scaleSetPriority", "Spot", "Spot", null),
  stays("enableUltraSSD", null, false, true),
  stays("enableNodePublicIP", true, true, null),
  {
    ...stays("nodePublicIPPrefixID", null, "", prefix("resourceGroups")),
    from: spec({ enableNodePublicIP: true }),
  },
  stays("kubeletDiskType", "OS", "OS", "Temporary"),
  stays("kubeletConfig", { podMaxPids: 100 }, { podMaxPids: 100 }, { podMaxPids: 200 }),
  stays("linuxOSConfig", null, null, { transparentHugePageEnabled: "always" }),
  stays("subnetName", "one", "one", "other", "must stay once it is set"),
  stays("subnetName", "one", "one", null, "must stay once it is set"),
  stays("enableFIPS", true, true, false),
  stays("enableEncryptionAtHost", true, true, null),
];

export const azureManagedMachinePoolCases: RuleCases = {
  kind: "AzureManagedMachinePool",
  base: { metadata: { name: "pool0" }, spec: { mode: "System", sku: "Standard_D2s_v3" } },
  cases: [...pool, ...nodes, ...changes],
};
