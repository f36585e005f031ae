/** FNV-1a of a text in UTF-8, 32 bits (http://www.isthe.com/chongo/tech/comp/fnv). */
export const fnv1a32 = (text: string): number =>
  new TextEncoder().encode(text).reduce((hash, byte) => Math.imul(hash ^ byte, 0x01000193) >>> 0, 0x811c9dc5);

interface PublicAddress {
  readonly clusterName: string;
  readonly subscription: string;
  readonly resourceGroup: string;
  readonly location: string;
  readonly publicIp: string;
  /** Domain of the cloud under which addresses have names. */
  readonly dnsSuffix: string;
}

/**
 * DNS name of the API server's public IP address where the spec names none: stable, and different for equal cluster names
 * elsewhere. The hash has no leading zeros; existing clusters depend on that. A region may be written with blanks (`East
 * US`), a host may not.
 */
export const apiServerHost = (at: PublicAddress): string => {
  const hash = fnv1a32(`${at.subscription}/${at.resourceGroup}/${at.publicIp}`).toString(16);
  return `${at.clusterName}-${hash}.${at.location.replaceAll(" ", "")}.${at.dnsSuffix}`.toLowerCase();
};
