import type { AzureMachineSpec } from "../../api/machine/azureMachine.ts";
import type { AzureMachinePoolSpec } from "../../api/machine/azureMachinePool.ts";
import { type Broken, broken, type TurnRule } from "../validation/turnRule.ts";
import { osTypeOf } from "./computeDefaults.ts";
import type { NoImage } from "./defaultImage.ts";
import type { ComputeFacts } from "./facts.ts";
import { interfacesOf } from "./interfaceDefaults.ts";
import { isAtLeast, parseKubernetesVersion } from "./kubernetesVersion.ts";
import { machineNames, scaleSetName, vmName } from "./machineNames.ts";
import { machinePoolRules, machineRules } from "./machineRules.ts";
import { isPublicKey } from "./publicKey.ts";
import { subnetOf } from "./subnetOf.ts";

/** Where the cluster has no subnets to choose from, as of AKS, a subnet is Azure's or the user's business. */
type Around = Pick<ComputeFacts, "name" | "role" | "subnets"> & {
  /** Why no image follows, where the spec has none. */
  readonly noImage?: NoImage;
};
type Compute = Pick<
  AzureMachineSpec,
  "sshPublicKey" | "dataDisks" | "image" | "networkInterfaces" | "subnetName" | "acceleratedNetworking"
>;

const checkKey = (rule: TurnRule, { sshPublicKey = "" }: Compute): readonly Broken[] =>
  // A wrong paste may hold a private key: nothing of it is shown.
  sshPublicKey === "" || isPublicKey(sshPublicKey) ? [] : [broken(rule, rule.field, undefined)];

const checkSubnet = (rule: TurnRule, around: Around, spec: Compute): readonly Broken[] => {
  const named = interfacesOf(spec)[0]?.subnetName ?? "";
  if (named !== "" || around.subnets.length === 0 || subnetOf(around) !== undefined) return [];
  const names = around.subnets.map(({ name, role }) => `${name} (${role})`).join(", ");
  return [broken(rule, rule.field, undefined, `role ${around.role}, subnets ${names}`)];
};

const checkImage = (rule: TurnRule, { noImage }: Around, { image }: Compute): readonly Broken[] =>
  image !== undefined || noImage === undefined
    ? []
    : [broken(rule, rule.field, undefined, `${noImage.about} ${noImage.value} ${noImage.right}`)];

const checkDisks = (rule: TurnRule, owner: string, { dataDisks = [] }: Compute): readonly Broken[] =>
  dataDisks.flatMap(({ nameSuffix }, index) =>
    machineNames.dataDisk(owner, nameSuffix).length <= 80
      ? []
      : [broken(rule, rule.field.replace("[]", `[${index}]`), nameSuffix)],
  );

const checkName = (rule: TurnRule, name: string, most: number): readonly Broken[] =>
  name.length <= most ? [] : [broken(rule, rule.field, name)];

/** All that is wrong with a machine but its definition cannot say. */
export const checkMachine = (around: Around, spec: AzureMachineSpec): readonly Broken[] => {
  const { name } = around;
  const vm = vmName({
    name,
    osType: osTypeOf(spec),
    ...(spec.providerID !== undefined && { providerID: spec.providerID }),
  });
  return [
    ...checkKey(machineRules.key, spec),
    ...checkSubnet(machineRules.subnet, around, spec),
    ...checkImage(machineRules.image, around, spec),
    ...checkName(machineRules.name, vm, 64),
    ...checkDisks(machineRules.disks, vm, spec),
  ];
};

const checkMode = (orchestrationMode: string | undefined, kubernetesVersion: string | undefined): readonly Broken[] => {
  const version = parseKubernetesVersion(kubernetesVersion ?? "");
  return orchestrationMode !== "Flexible" || version === undefined || isAtLeast(version, 1, 26)
    ? []
    : [broken(machinePoolRules.flexible, machinePoolRules.flexible.field, orchestrationMode)];
};

/** All that is wrong with a pool but its definition cannot say. `kubernetesVersion` is that of the MachinePool. */
export const checkMachinePool = (
  around: Around & { readonly kubernetesVersion?: string },
  { template, orchestrationMode }: AzureMachinePoolSpec,
): readonly Broken[] => {
  const scaleSet = scaleSetName(around.name, osTypeOf(template));
  return [
    ...checkKey(machinePoolRules.key, template),
    ...checkSubnet(machinePoolRules.subnet, around, template),
    ...checkImage(machinePoolRules.image, around, template),
    ...checkName(machinePoolRules.name, scaleSet, 58),
    ...checkDisks(machinePoolRules.disks, scaleSet, template),
    ...checkMode(orchestrationMode, around.kubernetesVersion),
  ];
};
