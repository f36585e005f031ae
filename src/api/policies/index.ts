import type { Policy } from "../definition/policy.ts";
import { aksPolicies } from "./aksPolicies.ts";
import { machineTemplatePolicy } from "./machineTemplatePolicy.ts";
import { templatePolicies } from "./templatePolicies.ts";

/** Every policy that is installed with the definitions. */
export const policies: readonly Policy[] = [...templatePolicies, machineTemplatePolicy, ...aksPolicies];
