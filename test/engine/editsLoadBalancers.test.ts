import { describeCarried } from "./edits/describeCarried.ts";
import { loadBalancerEdits } from "./edits/loadBalancerEdits.ts";

describeCarried("edits of load balancers", loadBalancerEdits);
