/** FNV-1a with 32 bits, as Cluster API Provider Azure hashes names; hexadecimal without leading zeros. */
const fnv1a32 = (text: string): string =>
  [...Buffer.from(text, "utf8")]
    .reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5)
    .toString(16);

/** The name under which Cluster API Provider Azure publishes the API server of a cluster in the public cloud. */
export const apiServerHost = (cluster: {
  readonly name: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
}): string => {
  const { name, subscription, resourceGroup, location } = cluster;
  const hash = fnv1a32(`${subscription}/${resourceGroup}/pip-${name}-apiserver`);
  return `${name}-${hash}.${location}.cloudapp.azure.com`.toLowerCase();
};
