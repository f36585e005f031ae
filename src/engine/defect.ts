import { hashOf } from "../core/hash.ts";
import type { Claim, Json } from "../core/types.ts";
import { keyOf } from "../core/workItem.ts";
import type { TableAction } from "../ports.ts";
import { tellStatus } from "./tell.ts";
import { type Ending, nothingWritten, type Turning } from "./turning.ts";

/** The places of a stack without message and line numbers, so that one defect has one hash over objects and releases. */
const stackHash = ({ stack = "", name }: Error): string =>
  hashOf(
    [name, ...stack.split("\n").filter((line) => /^\s+at /.test(line))].map((line) => line.replace(/:\d+:\d+/, "")),
  );

/** Row that says: a copy of the message went to the failed ones for this defect. */
const copiedRow = (hash: string): string => `defect~${hash}`;

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

/** Answers the row that keeps it from being copied again; none when it was, or could not be. */
const copy = async ({ deps, item, held, rowNames, blank }: Turning, error: Error): Promise<readonly TableAction[]> => {
  const hash = stackHash(error);
  if (rowNames.includes(copiedRow(hash))) return [];
  const body = {
    item: { ...item } as unknown as Json,
    reason: "ReconcileDefect",
    message: blank(error.message),
    stackHash: hash,
  };
  const messageId = hashOf([held.partition, hash]);
  const sent = await deps.queue.send("reconcile-failed", [{ messageId, body }]);
  if (sent.ok) return [{ kind: "upsert", row: copiedRow(hash), values: { atMs: deps.tables.nowMs() ?? 0 } }];
  deps.log("warn", "defect not copied", { code: sent.error.code });
  return [];
};

/**
 * An exception is a defect of ours: the object says so and is tried again, slowly, and a copy of the message with reason
 * and stack hash goes to the queue of failed messages, once per object and stack hash.
 */
export const defectEnding = async (turning: Turning, thrown: unknown): Promise<Ending> => {
  const { deps, item, held, blank } = turning;
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  deps.log("error", "defect", {
    object: `${item.namespace}/${item.name}`,
    kind: item.kind,
    message: error.message,
    stack: error.stack,
  });
  const message = blank(error.message);
  const failure = { kind: "transient", code: "ReconcileDefect", message } as const;
  const rows = await copy(turning, error);
  await show(turning, message);
  return { kind: "commit", held, outcome: { kind: "defect" }, ...nothingWritten, rows, result: "defect", failure };
};
