import { apiServerEdits } from "./edits/apiServerEdits.ts";
import { describeCarried } from "./edits/describeCarried.ts";
import { outboundEdits } from "./edits/outboundEdits.ts";

describeCarried("edits of the API server's load balancer", apiServerEdits);
describeCarried("edits of load balancers that lead out", outboundEdits);
