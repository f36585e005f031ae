import { describeCarried } from "./edits/describeCarried.ts";
import { securityRuleEdits } from "./edits/securityRuleEdits.ts";
import { subnetEdits } from "./edits/subnetEdits.ts";
import { vnetEdits } from "./edits/vnetEdits.ts";

describeCarried("edits of the virtual network", vnetEdits);
describeCarried("edits of subnets", subnetEdits);
describeCarried("edits of security rules", securityRuleEdits);
