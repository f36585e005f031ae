import { clusterEdits } from "./edits/clusterEdits.ts";
import { describeCarried } from "./edits/describeCarried.ts";

describeCarried("edits of the cluster, its bastion host and private endpoints", clusterEdits);
