import { hashOf } from "./hash.ts";
import type { WorkItem } from "./workItem.ts";

/**
 * Id under which the broker drops a producer's repeated send (10 min): 32 hex digits over what makes the message that
 * one. For `followUp` these are turn and incarnation, for `wake` the lease's nonce, for all others the nonce that the
 * producer chose; `attempt` tells a rescheduled message from the one it follows. The names stand in it beside the uid,
 * which is only a hint and may be empty.
 */
export const messageIdOf = (item: WorkItem): string =>
  hashOf([
    [item.cluster, item.kind, item.namespace, item.name, item.uid],
    item.cause,
    item.turn ?? null,
    item.nonce,
    item.listed ?? false,
    item.attempt,
  ]);
