import type { AzureClusterSpec } from "../api/cluster/azureCluster.ts";
import type { Claim } from "../core/types.ts";

/** A part of an AzureCluster that no service of this build makes, under the condition that upstream has for it. */
interface Part {
  readonly condition: string;
  readonly field: string;
  readonly isAsked: (spec: AzureClusterSpec) => boolean;
}

const parts: readonly Part[] = [
  {
    condition: "BastionHostReady",
    field: "spec.bastionSpec.azureBastion",
    isAsked: ({ bastionSpec }) => bastionSpec?.azureBastion !== undefined,
  },
  {
    condition: "VnetPeeringReady",
    field: "spec.networkSpec.vnet.peerings",
    isAsked: ({ networkSpec }) => (networkSpec?.vnet?.peerings ?? []).length > 0,
  },
  {
    condition: "PrivateEndpointsReady",
    field: "spec.networkSpec.subnets[].privateEndpoints",
    isAsked: ({ networkSpec }) => (networkSpec?.subnets ?? []).some((it) => (it.privateEndpoints ?? []).length > 0),
  },
  {
    condition: "PrivateDNSZoneReady",
    field: "spec.networkSpec.privateDNSZone",
    isAsked: ({ networkSpec, controlPlaneEnabled }) =>
      controlPlaneEnabled !== false &&
      networkSpec?.apiServerLB?.type === "Internal" &&
      networkSpec.privateDNSZone !== "None",
  },
];

/** What is said of the parts that the spec asks for and this build does not make: no cluster is ready without them. */
export const partsToCome = (spec: AzureClusterSpec): readonly Claim[] =>
  parts
    .filter(({ isAsked }) => isAsked(spec))
    .map(({ condition, field }) => ({
      type: condition,
      status: "False",
      severity: "Warning",
      reason: "NotInThisBuild",
      message: `${field}: this build does not make it yet`,
    }));

/** Conditions of such parts that the spec does not, or no longer, ask for. */
export const partsNotAsked = (spec: AzureClusterSpec): readonly string[] =>
  parts.filter(({ isAsked }) => !isAsked(spec)).map(({ condition }) => condition);
