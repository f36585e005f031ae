import { uncounted } from "../core/guard/countedWrite.ts";
import { inProgress } from "../core/opening.ts";
import { polledLater } from "../core/polling.ts";
import type { Failure, Operation } from "../core/types.ts";
import { failed } from "./failed.ts";
import { apiVersionOf, nowOf, type Session } from "./session.ts";
import { type Item, isOurs } from "./work.ts";

/**
 * One poll. When the poll itself fails the operation stays, and is asked for more slowly each time; a failed operation
 * ends, and the resource is read anew after its back-off.
 */
export const pollOne = async (item: Item, operation: Operation, session: Session): Promise<Item> => {
  const target = { path: item.desired.id, apiVersion: await apiVersionOf(item, session) };
  const answer = await session.arm.poll(operation, target);
  if (!answer.ok) return unanswered(item, operation, answer.error, session);
  const { operation: _, backoff, ...row } = item.row;
  // How often it has failed is forgotten only when it went well.
  const attempts = backoff === undefined ? {} : { backoff };
  switch (answer.value.kind) {
    case "running":
      return later(item, polledLater(answer.value, operation, nowOf(session), session.deps.random()));
    case "succeeded":
      return { ...item, row: { ...row, observedAtMs: nowOf(session), wroteAtMs: nowOf(session) } };
    case "failed": {
      const { desiredHash: _hash, ...bare } = row;
      // It changed nothing that lasts, so it does not count.
      const writes = uncounted(row.writes, row.writes.at(-1)?.planHash ?? "");
      return failed({ ...item, row: { ...bare, ...attempts, writes } }, answer.value.failure, session);
    }
    case "unknown":
      return { ...item, row: { ...row, observedAtMs: 0 } };
  }
};

const unanswered = (item: Item, operation: Operation, failure: Failure, session: Session): Item => {
  const waiting = failed(item, failure, session);
  const notBeforeMs = waiting.untilMs ?? nowOf(session);
  const row = { ...waiting.row, operation: { ...operation, notBeforeMs } };
  return { ...waiting, row, ours: isOurs(row) };
};

const later = (item: Item, still: Operation): Item => ({
  ...item,
  row: { ...item.row, operation: still },
  state: inProgress(still),
  untilMs: still.notBeforeMs,
  ours: isOurs(item.row),
});
