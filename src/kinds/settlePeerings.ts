import type { Peering, PeeringSide, VnetPlace } from "../services/scope.ts";
import type { CompleteVnet } from "./complete.ts";
import { names } from "./names.ts";

/** Azure ignores the case of names, so two spellings are one thing. */
const key = (name: string): string => name.toLowerCase();

/**
 * Names of things that are called after a network. Networks of one name in different groups would share it: the first
 * keeps the name that existing clusters have, later ones add their group.
 */
export const namesAfter = (vnets: readonly VnetPlace[], nameOf: (vnet: string) => string): readonly string[] =>
  vnets.map(({ name, resourceGroup }, index) => {
    const isTaken = vnets.slice(0, index).some((other) => key(other.name) === key(name));
    return isTaken ? `${nameOf(name)}-${resourceGroup}` : nameOf(name);
  });

const sideOf = (name: string, flags: NonNullable<CompleteVnet["peerings"]>[number]["forwardPeeringProperties"]) => ({
  name,
  ...flags,
});

/** The peerings of the complete form, each with the names of both directions. */
export const settlePeerings = (vnet: CompleteVnet): readonly Peering[] => {
  const listed = vnet.peerings ?? [];
  const remotes = listed.map(
    ({ remoteVnetName, resourceGroup }): VnetPlace => ({
      name: remoteVnetName,
      resourceGroup: resourceGroup ?? vnet.resourceGroup,
    }),
  );
  const forward = namesAfter(remotes, (remote) => names.peering(vnet.name, remote));
  return listed.flatMap(({ forwardPeeringProperties, reversePeeringProperties }, index) => {
    const remote = remotes[index];
    if (remote === undefined) return [];
    const sides: Pick<Peering, "forward" | "reverse"> & { readonly forward: PeeringSide } = {
      forward: sideOf(forward[index] ?? "", forwardPeeringProperties),
      reverse: sideOf(names.peering(remote.name, vnet.name), reversePeeringProperties),
    };
    return [{ remote, ...sides }];
  });
};
