import { hashOf } from "../core/hash.ts";
import type { Claim, Json } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import { tellStatus } from "./tell.ts";
import { type Ending, nothingWritten, type Turning } from "./turning.ts";

/** The places of a stack without line numbers, so that one defect has one hash over releases. */
const stackHash = (error: Error): string => hashOf((error.stack ?? error.message).replaceAll(/:\d+:\d+/g, ""));

const claimOf = (summary: string, message: string): Claim => ({
  type: summary,
  status: "False",
  severity: "Error",
  reason: "ReconcileDefect",
  message: `a defect of Capstan, please report it: ${message}`,
});

/** Best effort: whatever fails here must not hide the defect. */
const show = async ({ deps, item, held, kube, kind }: Turning, message: string): Promise<void> => {
  try {
    const read = await kube.get(keyOf(item));
    if (!read.ok) return;
    await tellStatus(read.value, {}, [claimOf(kind.summary, message)], { kube, deps, held });
  } catch (error) {
    deps.log("warn", "defect not shown", { message: String(error) });
  }
};

/**
 * An exception is a defect of ours: the object says so and is tried again, slowly, and a copy of the message with reason
 * and stack goes to the queue of failed messages, the first time in a row.
 */
export const defectEnding = async (turning: Turning, thrown: unknown): Promise<Ending> => {
  const { deps, item, held } = turning;
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
  await show(turning, error.message);
  return { kind: "commit", held, outcome: { kind: "defect" }, ...nothingWritten, result: "defect", failure };
};
