import type { Problem } from "../core/kind.ts";
import type { Reason } from "../core/reasons.ts";
import type { Json } from "../core/types.ts";

/** Condition of an AzureCluster in which problems show. */
export const networkCondition = "NetworkInfrastructureReady";

/** Something that keeps the whole object from being reconciled. */
export const problem = (reason: Reason, message: string, severity: Problem["severity"] = "Error"): Problem => ({
  condition: networkCondition,
  severity,
  reason,
  message,
});

/** A field whose value cannot work: where, what stands there, what would be right. */
export const invalid = (path: string, value: Json | undefined, right: string): Problem =>
  problem("InvalidConfiguration", `${path}: ${value === undefined ? "nothing" : JSON.stringify(value)} ${right}`);
