import type { Json, Result } from "../core/types.ts";
import type { Outgoing } from "../core/workItem.ts";
import type { QueueMessage, WorkQueue } from "../ports.ts";
import type { Deps } from "./deps.ts";

const patienceMs = 30_000;
const pauseMs = 1_000;

/**
 * Sends, and tries for 30 s when the broker does not answer. Equal message ids make a repetition harmless. `messages` is
 * asked before each try, since delays shrink meanwhile.
 */
export const sendPatiently = async (
  queue: Parameters<WorkQueue["send"]>[0],
  messages: () => readonly QueueMessage[],
  deps: Pick<Deps, "queue" | "clock">,
): Promise<Result<void>> => {
  const startedMs = deps.clock.monotonicMs();
  for (;;) {
    const sent = await deps.queue.send(queue, messages());
    if (sent.ok || deps.clock.monotonicMs() - startedMs >= patienceMs) return sent;
    await deps.clock.sleep(pauseMs);
  }
};

/** The same for work items, each to arrive when it is due. */
export const sendOutgoing = (outgoing: readonly Outgoing[], deps: Deps): Promise<Result<void>> =>
  sendPatiently(
    "reconcile",
    () =>
      outgoing.map(({ item, messageId, dueMs }) => ({
        messageId,
        // The one cast: a work item is plain data without an index signature.
        body: { ...item } as unknown as Json,
        // A table service that has not answered since the start of the process has told no time: then what counts is
        // how long after its sending a message is due.
        delayMs: Math.max(0, dueMs - (deps.tables.nowMs() ?? Date.parse(item.sentAt))),
      })),
    deps,
  );
