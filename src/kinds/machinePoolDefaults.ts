import type { AzureMachinePoolSpec } from "../api/machine/azureMachinePool.ts";
import { type CompleteCompute, completeCompute, osTypeOf } from "./machine/computeDefaults.ts";
import { type AttachedDisk, withLuns } from "./machine/dataDiskDefaults.ts";
import type { ComputeFacts } from "./machine/facts.ts";
import { type CompleteRole, completeRole } from "./machine/identityDefaults.ts";
import { scaleSetName } from "./machine/machineNames.ts";

type Template = AzureMachinePoolSpec["template"];
type RollingUpdate = NonNullable<NonNullable<AzureMachinePoolSpec["strategy"]>["rollingUpdate"]>;

/** What an instance of a pool says once it is complete. */
export type CompleteInstance = Omit<
  Template,
  keyof CompleteCompute | "subnetName" | "acceleratedNetworking" | "dataDisks"
> &
  CompleteCompute & { readonly dataDisks?: readonly AttachedDisk[] };

/** An AzureMachinePool that says everything, as a spec; what stood in deprecated fields stands where it belongs. */
export type CompletePool = Omit<
  AzureMachinePoolSpec,
  "template" | "strategy" | "identity" | "systemAssignedIdentityRole" | "roleAssignmentName" | "orchestrationMode"
> & {
  readonly template: CompleteInstance;
  readonly strategy: { readonly type: "RollingUpdate"; readonly rollingUpdate: Required<RollingUpdate> };
  readonly identity: NonNullable<AzureMachinePoolSpec["identity"]>;
  readonly systemAssignedIdentityRole?: CompleteRole;
  readonly orchestrationMode: NonNullable<AzureMachinePoolSpec["orchestrationMode"]>;
};

/** How disks of instances are cached, and what an eviction does, is left to Azure where the spec does not say. */
const completeInstance = (facts: ComputeFacts, template: Template): CompleteInstance => {
  const { subnetName: _subnet, acceleratedNetworking: _fast, dataDisks, ...others } = template;
  return {
    ...others,
    ...completeCompute(facts, template),
    ...(dataDisks !== undefined && { dataDisks: withLuns(dataDisks) }),
  };
};

const completeStrategy = ({ strategy }: AzureMachinePoolSpec): CompletePool["strategy"] => ({
  type: strategy?.type ?? "RollingUpdate",
  rollingUpdate: {
    maxSurge: strategy?.rollingUpdate?.maxSurge ?? 1,
    maxUnavailable: strategy?.rollingUpdate?.maxUnavailable ?? 0,
    deletePolicy: strategy?.rollingUpdate?.deletePolicy ?? "Oldest",
  },
});

/**
 * What the spec of a pool means, with everything that it leaves unsaid (fact sheet, machines, 3 and 5.6). Fields that are
 * set stay as they are; a role without the identity that it is for is left out. Computed each turn and never written back.
 */
export const completePool = (facts: ComputeFacts, spec: AzureMachinePoolSpec): CompletePool => {
  const { systemAssignedIdentityRole: _role, roleAssignmentName: _name, platformFaultDomainCount, ...rest } = spec;
  const orchestrationMode = spec.orchestrationMode ?? "Uniform";
  const faultDomains = platformFaultDomainCount ?? (orchestrationMode === "Flexible" ? 1 : undefined);
  const scaleSet = scaleSetName(facts.name, osTypeOf(spec.template));
  const holder = `/subscriptions/${facts.subscription}/resourceGroups/${facts.resourceGroup}/providers/Microsoft.Compute/virtualMachineScaleSets/${scaleSet}`;
  const role = completeRole(facts, spec, holder);
  return {
    ...rest,
    template: completeInstance(facts, spec.template),
    strategy: completeStrategy(spec),
    identity: spec.identity ?? "None",
    ...(role !== undefined && { systemAssignedIdentityRole: role }),
    orchestrationMode,
    ...(faultDomains !== undefined && { platformFaultDomainCount: faultDomains }),
  };
};
