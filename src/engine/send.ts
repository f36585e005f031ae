import type { Json, Result } from "../core/types.ts";
import type { Outgoing } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";

const patienceMs = 30_000;
const pauseMs = 1_000;

/** Sends, and tries for 30 s when the broker does not answer. Equal message ids make a repetition harmless. */
export const sendOutgoing = async (outgoing: readonly Outgoing[], deps: Deps): Promise<Result<void>> => {
  const startedMs = deps.clock.monotonicMs();
  for (;;) {
    const nowMs = deps.tables.nowMs() ?? 0;
    const messages = outgoing.map(({ item, messageId, dueMs }) => ({
      messageId,
      // The one cast: a work item is plain data without an index signature.
      body: { ...item } as unknown as Json,
      delayMs: Math.max(0, dueMs - nowMs),
    }));
    const sent = await deps.queue.send("reconcile", messages);
    if (sent.ok || deps.clock.monotonicMs() - startedMs >= patienceMs) return sent;
    await deps.clock.sleep(pauseMs);
  }
};
