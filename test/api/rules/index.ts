import type { RuleCases } from "../../support/admission/ruleCase.ts";
import { azureClusterCases } from "./azureCluster.ts";
import { azureClusterIdentityCases } from "./azureClusterIdentity.ts";
import { azureClusterTemplateCases } from "./azureClusterTemplate.ts";
import { azureMachineCases } from "./azureMachine.ts";
import { azureMachinePoolCases } from "./azureMachinePool.ts";
import { azureMachinePoolMachineCases } from "./azureMachinePoolMachine.ts";
import { azureMachineTemplateCases } from "./azureMachineTemplate.ts";
import { azureManagedControlPlaneCases } from "./azureManagedControlPlane.ts";
import { azureManagedMachinePoolCases } from "./azureManagedMachinePool.ts";
import {
  azureManagedControlPlaneTemplateCases,
  azureManagedMachinePoolTemplateCases,
} from "./azureManagedTemplates.ts";

/** The examples of every rule, by kind. */
export const ruleCases: readonly RuleCases[] = [
  azureClusterCases,
  azureClusterIdentityCases,
  azureClusterTemplateCases,
  azureMachineCases,
  azureMachinePoolCases,
  azureMachinePoolMachineCases,
  azureMachineTemplateCases,
  azureManagedControlPlaneCases,
  azureManagedMachinePoolCases,
  azureManagedControlPlaneTemplateCases,
  azureManagedMachinePoolTemplateCases,
];
