import { Type } from "typebox";
import { flag, integer, list, oneOf, quantity } from "../schema.ts";

const rateLimit = Type.Object(
  {
    name: oneOf("Which client of the cloud provider it limits.", [
      "defaultRateLimit",
      "routeRateLimit",
      "subnetsRateLimit",
      "interfaceRateLimit",
      "routeTableRateLimit",
      "loadBalancerRateLimit",
      "publicIPAddressRateLimit",
      "securityGroupRateLimit",
      "virtualMachineRateLimit",
      "storageAccountRateLimit",
      "diskRateLimit",
      "snapshotRateLimit",
      "virtualMachineScaleSetRateLimit",
      "virtualMachineSizesRateLimit",
      "availabilitySetRateLimit",
    ]),
    config: Type.Optional(
      Type.Object(
        {
          cloudProviderRateLimit: Type.Optional(flag("Whether to limit.")),
          cloudProviderRateLimitQPS: Type.Optional(quantity("Reads a second.")),
          cloudProviderRateLimitBucket: Type.Optional(integer("Burst of reads.")),
          cloudProviderRateLimitQPSWrite: Type.Optional(quantity("Writes a second.")),
          cloudProviderRateLimitBucketWrite: Type.Optional(integer("Burst of writes.")),
        },
        { description: "Its limits." },
      ),
    ),
  },
  { description: "Limits of one client." },
);

/** What azure.json on the machines says beside what Capstan knows. */
export const cloudProviderConfigOverrides = Type.Object(
  {
    rateLimits: Type.Optional(list("Rate limits of the cloud provider, one a client.", rateLimit, { maxItems: 64 })),
    backOffs: Type.Optional(
      Type.Object(
        {
          cloudProviderBackoff: Type.Optional(flag("Whether to back off.")),
          cloudProviderBackoffRetries: Type.Optional(integer("Retries.")),
          cloudProviderBackoffExponent: Type.Optional(quantity("Exponent.")),
          cloudProviderBackoffDuration: Type.Optional(integer("First delay in seconds.")),
          cloudProviderBackoffJitter: Type.Optional(quantity("Jitter.")),
        },
        { description: "How the cloud provider tries again." },
      ),
    ),
  },
  { description: "Settings for the cloud provider that runs in the cluster." },
);
