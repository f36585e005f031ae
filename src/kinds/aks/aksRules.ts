import type { TurnRule } from "../validation/turnRule.ts";

const ofControlPlane = (field: string, says: string, why: string): TurnRule =>
  Object.freeze({ kind: "AzureManagedControlPlane", field, says, why });
const ofPool = (field: string, says: string, why: string): TurnRule =>
  Object.freeze({ kind: "AzureManagedMachinePool", field, says, why });

/**
 * No policy asks a Cluster: it would have to name one version of Cluster API's kinds, none of which every release serves;
 * a policy that cannot find it refuses everything or nothing; and in a plain manifest the label that tells which Cluster
 * it is comes with Cluster API's own first write, which would then be what is refused.
 */
const cluster = "It takes the Cluster that owns the object.";
const pools = "It takes the other pools of the cluster.";

/** What AKS clusters and pools must keep beyond their definitions. */
export const aksRules = Object.freeze({
  serviceRanges: ofControlPlane(
    "spec.dnsServiceIP",
    "must belong to a Cluster with one range of services at most: AKS takes no more",
    cluster,
  ),
  podRanges: ofControlPlane(
    "spec.networkPlugin",
    "must belong to a Cluster with one range of pods at most: AKS takes no more",
    cluster,
  ),
  dnsServiceAddress: ofControlPlane(
    "spec.dnsServiceIP",
    "must lie inside the range of services of the Cluster, which must have one",
    cluster,
  ),
  memberName: ofControlPlane(
    "spec.fleetsMember.name",
    "must be given where the name of the Cluster is not of lower-case letters, digits and inner hyphens",
    cluster,
  ),
  sshPublicKey: ofControlPlane(
    "spec.sshPublicKey",
    "must be the line of a public key, as in authorized_keys, in base64",
    "CEL in the API server has no base64.",
  ),
  systemPoolStays: ofPool("spec.mode", "must stay System for the last System pool: AKS needs one for itself", pools),
  systemPoolLeft: ofPool(
    "metadata.deletionTimestamp",
    "must not be set for the last System pool while the Cluster stays: make another System pool first",
    pools,
  ),
});
