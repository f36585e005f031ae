import { hashOf } from "../core/hash.ts";
import type { Json } from "../core/types.ts";
import type { Ending, Turning } from "./turning.ts";

/** The places of a stack without line numbers, so that one defect has one hash over releases. */
const stackHash = (error: Error): string => hashOf((error.stack ?? error.message).replaceAll(/:\d+:\d+/g, ""));

/**
 * An exception is a defect of ours: the object is tried again, slowly, and a copy of the message with reason and stack
 * goes to the queue of failed messages, the first time in a row.
 */
export const defectEnding = async ({ deps, item, held }: Turning, thrown: unknown): Promise<Ending> => {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  deps.log("error", "defect", {
    object: `${item.namespace}/${item.name}`,
    kind: item.kind,
    message: error.message,
    stack: error.stack,
  });
  const failure = { kind: "transient", code: "ReconcileDefect", message: error.message } as const;
  if (held.row.defects === 0) {
    const hash = stackHash(error);
    const body = {
      item: { ...item } as unknown as Json,
      reason: "ReconcileDefect",
      message: error.message,
      stackHash: hash,
    };
    const sent = await deps.queue.send("reconcile-failed", [{ messageId: hashOf([held.partition, hash]), body }]);
    if (!sent.ok) deps.log("warn", "defect not copied", { code: sent.error.code });
  }
  return {
    kind: "commit",
    held,
    outcome: { kind: "defect" },
    rows: [],
    wrote: 0,
    polled: 0,
    result: "defect",
    failure,
  };
};
