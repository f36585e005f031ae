/** A virtual machine size with what the SKU list says about it. */
export interface Size {
  readonly name: string;
  readonly family: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly capabilities: Readonly<Record<string, string>>;
  /** Regions that do not sell it. */
  readonly notIn?: readonly string[];
  readonly ultra?: boolean;
}

const common: Readonly<Record<string, string>> = {
  OSVhdSizeMB: "1047552",
  HyperVGenerations: "V1,V2",
  CpuArchitectureType: "x64",
  PremiumIO: "True",
  LowPriorityCapable: "True",
  VMDeploymentTypes: "IaaS",
  EncryptionAtHostSupported: "True",
  AcceleratedNetworkingEnabled: "True",
  EphemeralOSDiskSupported: "True",
  RdmaEnabled: "False",
  MaxNetworkInterfaces: "2",
};

const size = (
  name: string,
  family: string,
  cores: number,
  memoryGb: number,
  more: Readonly<Record<string, string>> = {},
  rest: Pick<Size, "notIn" | "ultra"> = {},
): Size => ({
  name,
  family,
  cores,
  memoryGb,
  capabilities: {
    ...common,
    MaxResourceVolumeMB: String(cores * 25_600),
    CachedDiskBytes: String(cores * 26_843_545_600),
    MaxDataDiskCount: String(Math.max(4, cores * 2)),
    ...more,
    vCPUs: String(cores),
    vCPUsAvailable: String(cores),
    MemoryGB: String(memoryGb),
  },
  ...rest,
});

const noLocalDisk = { MaxResourceVolumeMB: "0", EphemeralOSDiskSupported: "False" };
const burstable = { ...noLocalDisk, AcceleratedNetworkingEnabled: "False", MaxResourceVolumeMB: "8192" };
const confidential = {
  HyperVGenerations: "V2",
  ConfidentialComputingType: "SNP",
  TrustedLaunchDisabled: "True",
  EncryptionAtHostSupported: "False",
};
const arm = { ...noLocalDisk, CpuArchitectureType: "Arm64", HyperVGenerations: "V2" };

/**
 * A small catalogue with one size for each capability that matters: local disk and none, burstable, ARM, GPU,
 * confidential, ultra disks, first generation.
 */
export const sizes: readonly Size[] = [
  size("Standard_B2s", "standardBSFamily", 2, 4, burstable),
  size("Standard_B2ms", "standardBSFamily", 2, 8, burstable),
  size("Standard_D2s_v3", "standardDSv3Family", 2, 8, { AcceleratedNetworkingEnabled: "False" }, { ultra: true }),
  size("Standard_D4s_v3", "standardDSv3Family", 4, 16, {}, { ultra: true }),
  size("Standard_D8s_v3", "standardDSv3Family", 8, 32, {}, { ultra: true }),
  size("Standard_D2s_v5", "standardDSv5Family", 2, 8, noLocalDisk),
  size("Standard_D4s_v5", "standardDSv5Family", 4, 16, noLocalDisk),
  size("Standard_D8s_v5", "standardDSv5Family", 8, 32, noLocalDisk),
  size("Standard_D2ds_v5", "standardDDSv5Family", 2, 8, {}, { ultra: true }),
  size("Standard_D4ds_v5", "standardDDSv5Family", 4, 16, {}, { ultra: true }),
  size("Standard_DS3_v2", "standardDSv2Family", 4, 14, { HyperVGenerations: "V1,V2" }),
  size("Standard_A2_v2", "standardAv2Family", 2, 4, {
    HyperVGenerations: "V1",
    PremiumIO: "False",
    AcceleratedNetworkingEnabled: "False",
    EphemeralOSDiskSupported: "False",
  }),
  size("Standard_D2ps_v5", "standardDPSv5Family", 2, 8, arm, { notIn: ["westus", "northcentralus"] }),
  size("Standard_DC2as_v5", "standardDCASv5Family", 2, 8, confidential, { notIn: ["westus", "northcentralus"] }),
  size(
    "Standard_NC6s_v3",
    "standardNCSv3Family",
    6,
    112,
    { GPUs: "1", AcceleratedNetworkingEnabled: "False" },
    {
      notIn: ["westus2", "northcentralus"],
    },
  ),
];

export const sizeOf = (name: string): Size | undefined =>
  sizes.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
