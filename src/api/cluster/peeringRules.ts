import { given } from "../cel/parts.ts";

const groupGiven = given("resourceGroup");

/**
 * Whether the peerings `p` and `q` are with the same network, in any case. `group` is the resource group of one that names
 * none: CEL.
 */
export const samePeer = (group: string): string =>
  `q.remoteVnetName.lowerAscii() == p.remoteVnetName.lowerAscii() && (${groupGiven("p")} ? (${groupGiven("q")} ? q.resourceGroup.lowerAscii() == p.resourceGroup.lowerAscii() : p.resourceGroup.lowerAscii() == ${group}) : !${groupGiven("q")} || q.resourceGroup.lowerAscii() == ${group})`;
