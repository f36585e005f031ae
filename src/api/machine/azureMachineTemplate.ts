import { Type } from "typebox";
import type { Problem } from "../../core/kind.ts";
import type { KubeObject, Result } from "../../core/types.ts";
import { valueOr } from "../cel/parts.ts";
import { parseSpec } from "../parse.ts";
import { map, oneOf, type Parsed, quantity, type Rule, ruled } from "../schema.ts";
import { templateMeta } from "../templateMeta.ts";
import { templateMachineSpec } from "./azureMachine.ts";

/** Each machine has an assignment of its own: Azure takes a name once. */
const noAssignmentName = (field: string): Rule => ({
  rule: `${valueOr(field, "''")("self")} == ''`,
  message: "must be absent in a template: each machine has an assignment of its own",
  fieldPath: `.${field}`,
});

/** What Cluster API makes AzureMachines from. */
export const azureMachineTemplateSpec = Type.Object({
  template: Type.Object(
    {
      metadata: Type.Optional(templateMeta),
      spec: ruled(
        templateMachineSpec,
        noAssignmentName("systemAssignedIdentityRole.name"),
        noAssignmentName("roleAssignmentName"),
      ),
    },
    { description: "The machine to make." },
  ),
});
export type AzureMachineTemplateSpec = Parsed<typeof azureMachineTemplateSpec>;

/** What a Node of such a machine would offer, for an autoscaler that must start from none. */
export const azureMachineTemplateStatus = Type.Object({
  capacity: Type.Optional(map("Resources of the VM size: `cpu` and `memory`.", quantity("Amount."))),
  nodeInfo: Type.Optional(
    Type.Object(
      {
        architecture: Type.Optional(oneOf("Architecture of the VM size.", ["amd64", "arm64"])),
        operatingSystem: Type.Optional(oneOf("Operating system of the image.", ["linux", "windows"])),
      },
      { description: "What kind of Node it would be." },
    ),
  ),
});

/** Everything that is wrong with the shape of the spec, at once. */
export const parseAzureMachineTemplate = (object: KubeObject): Result<AzureMachineTemplateSpec, readonly Problem[]> =>
  parseSpec(azureMachineTemplateSpec, object, "Ready");
