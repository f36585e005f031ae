import { describeCarried } from "./edits/describeCarried.ts";
import { networkEdits } from "./edits/networkEdits.ts";

describeCarried("edits of the network", networkEdits);
