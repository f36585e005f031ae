import type { ProviderSchema, ResourceSchema } from "./schema.ts";

/** Schemas by lower-case prefix of the resource type; of two that fit the first is taken. */
const providers: readonly (readonly [prefix: string, load: () => Promise<ProviderSchema>])[] = [
  ["microsoft.network/privatednszones", async () => (await import("./generated/privateDns.ts")).privateDns],
  ["microsoft.network/", async () => (await import("./generated/network.ts")).network],
  ["microsoft.compute/", async () => (await import("./generated/compute.ts")).compute],
  ["microsoft.containerservice/fleets/", async () => (await import("./extra/fleets.ts")).fleets],
  ["microsoft.containerservice/", async () => (await import("./generated/containerService.ts")).containerService],
  ["microsoft.resources/", async () => (await import("./generated/resources.ts")).resources],
  ["microsoft.authorization/", async () => (await import("./extra/authorization.ts")).authorization],
  [
    "microsoft.kubernetesconfiguration/",
    async () => (await import("./extra/kubernetesConfiguration.ts")).kubernetesConfiguration,
  ],
  ["microsoft.managedidentity/", async () => (await import("./extra/managedIdentity.ts")).managedIdentity],
];

/**
 * The wire schema of a resource type, in any case; its provider's schemas are imported when first asked for. Rejects
 * with a RangeError for a type that Capstan does not write.
 */
export const loadSchema = async (resourceType: string): Promise<ResourceSchema> => {
  const wanted = resourceType.toLowerCase();
  const provider = await providers.find(([prefix]) => wanted.startsWith(prefix))?.[1]();
  const entry = provider?.resources.find(({ type }) => type.toLowerCase() === wanted);
  if (provider === undefined || entry === undefined) throw new RangeError(`no wire schema for ${resourceType}`);
  return { ...entry, nodes: provider.nodes };
};
