import { fieldMessage } from "../api/fieldMessage.ts";
import type { Problem } from "../core/kind.ts";
import type { Reason } from "../core/reasons.ts";
import { specCondition } from "../core/specProblems.ts";
import type { Json } from "../core/types.ts";

/** Condition of an AzureCluster in which shows what it waits for. */
export const networkCondition = "NetworkInfrastructureReady";

/** Something around an AzureCluster that keeps it from being reconciled. */
export const problem = (reason: Reason, message: string, severity: Problem["severity"] = "Error"): Problem => ({
  condition: networkCondition,
  severity,
  reason,
  message,
});

/** A field of the object's own spec whose value cannot work: where, what stands there, what would be right. */
export const invalid = (path: string, value: Json | undefined, right: string): Problem => ({
  condition: specCondition,
  severity: "Error",
  reason: "InvalidConfiguration",
  message: fieldMessage(path, value, right),
});
