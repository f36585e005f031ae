import type { Decision } from "../core/decide.ts";
import { heldMessage } from "../core/guard/heldWrite.ts";
import type { ServiceState } from "../core/kind.ts";

/**
 * What a write that the loop guard holds back shows. What stands already keeps nothing else waiting; what does not stand
 * yet keeps those waiting that need it.
 */
export const heldState = ({ row, held, exists }: Extract<Decision, { kind: "held" }>): ServiceState => {
  const message = heldMessage(row.id, held);
  return exists
    ? { kind: "refused", reason: held.reason, message }
    : { kind: "failed", reason: held.reason, severity: "Warning", message };
};
