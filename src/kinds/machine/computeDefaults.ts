import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import type { AzureMachinePoolSpec } from "../../api/machine/azureMachinePool.ts";
import { given } from "../given.ts";
import type { ComputeFacts } from "./facts.ts";
import { type CompleteInterface, completeInterfaces } from "./interfaceDefaults.ts";

type ComputeSpec = AzureMachineSpec | AzureMachinePoolSpec["template"];
type OsDisk = ComputeSpec["osDisk"];
type Boot = NonNullable<NonNullable<ComputeSpec["diagnostics"]>["boot"]>;

/** What a machine and an instance of a pool say once they are complete. */
export interface CompleteCompute {
  readonly osDisk: OsDisk & { readonly osType: string; readonly cachingType: NonNullable<OsDisk["cachingType"]> };
  readonly diagnostics: { readonly boot: Boot };
  readonly networkInterfaces: readonly CompleteInterface[];
  readonly disableVMBootstrapExtension: boolean;
}

const usesUltraDisks = ({ dataDisks = [] }: ComputeSpec): boolean =>
  dataDisks.some(({ managedDisk }) => managedDisk?.storageAccountType === "UltraSSD_LRS");

/** Windows, or else Linux, however it is spelled. */
export const osTypeOf = ({ osDisk }: Pick<ComputeSpec, "osDisk">): "Linux" | "Windows" =>
  osDisk.osType === "Windows" ? "Windows" : "Linux";

/** The defaults that machines and instances of pools have alike (fact sheet, machines, 1.10, 5.2 and 5.6). */
export const completeCompute = (
  facts: ComputeFacts,
  spec: ComputeSpec,
): CompleteCompute & Pick<ComputeSpec, "image" | "additionalCapabilities"> => {
  const image = spec.image ?? facts.image;
  const capabilities = { ...(usesUltraDisks(spec) && { ultraSSDEnabled: true }), ...spec.additionalCapabilities };
  return {
    ...(image !== undefined && { image }),
    osDisk: {
      ...spec.osDisk,
      osType: given(spec.osDisk.osType) ?? "Linux",
      cachingType: spec.osDisk.cachingType ?? "None",
    },
    ...(Object.keys(capabilities).length > 0 && { additionalCapabilities: capabilities }),
    diagnostics: { boot: spec.diagnostics?.boot ?? { storageAccountType: "Managed" } },
    networkInterfaces: completeInterfaces(facts, spec),
    disableVMBootstrapExtension: spec.disableVMBootstrapExtension ?? true,
  };
};
