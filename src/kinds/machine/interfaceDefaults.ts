import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import { given } from "../given.ts";
import type { ComputeFacts } from "./facts.ts";
import { subnetOf } from "./subnetOf.ts";

type NetworkFields = Pick<AzureMachineSpec, "networkInterfaces" | "subnetName" | "acceleratedNetworking">;
type NetworkInterface = NonNullable<AzureMachineSpec["networkInterfaces"]>[number];
export type CompleteInterface = NetworkInterface & { readonly privateIPConfigs: number };

/** The interfaces of a spec, also where they are described by the fields that came before them. */
export const interfacesOf = ({
  networkInterfaces = [],
  subnetName,
  acceleratedNetworking,
}: NetworkFields): readonly NetworkInterface[] => {
  if (networkInterfaces.length > 0) return networkInterfaces;
  const subnet = given(subnetName);
  return [
    {
      ...(subnet !== undefined && { subnetName: subnet }),
      ...(acceleratedNetworking !== undefined && { acceleratedNetworking }),
    },
  ];
};

/** The interfaces with their defaults; only of the first one a subnet may be left out. */
export const completeInterfaces = (facts: ComputeFacts, spec: NetworkFields): readonly CompleteInterface[] =>
  interfacesOf(spec).map(({ subnetName, privateIPConfigs = 0, ...rest }, index) => {
    const subnet = given(subnetName) ?? (index === 0 ? subnetOf(facts) : undefined);
    return {
      ...(facts.acceleratedNetworking !== undefined && { acceleratedNetworking: facts.acceleratedNetworking }),
      ...rest,
      ...(subnet !== undefined && { subnetName: subnet }),
      privateIPConfigs: privateIPConfigs > 0 ? privateIPConfigs : 1,
    };
  });
