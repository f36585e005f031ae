import { again } from "../core/chain/messages.ts";
import { hashOf } from "../core/hash.ts";
import type { Failure, Json, Result } from "../core/types.ts";
import { parseWorkItem, type WorkItem } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { futurePauseMs } from "./fromTheFuture.ts";
import { sendOutgoing, sendPatiently } from "./send.ts";
import { turn } from "./turn.ts";

/** A message as the host hands it over. */
export interface Incoming {
  readonly body: unknown;
  readonly messageId: string;
}

/** The longest copy of an unreadable body that is kept, in characters. */
const keptCharacters = 32_768;

/**
 * One message of queue `reconcile`, whatever it is. Returning completes it; throwing makes the broker deliver it again,
 * which is only done when nothing else is left to do.
 */
export const handle = async ({ body, messageId }: Incoming, deps: Deps): Promise<void> => {
  const item = parseWorkItem(body);
  if (!item.ok) return must(await park(bodyText(body), messageId, item.error, deps));
  const result = await turn(item.value, deps);
  switch (result.kind) {
    case "completed":
      return;
    case "parked":
      return must(await park({ ...item.value } as unknown as Json, messageId, result.failure, deps));
    case "postponed":
      return must(await postpone(item.value, result.failure, deps));
  }
};

const must = (result: Result<void>): void => {
  if (!result.ok) throw new Error(`${result.error.code}: message is delivered again`);
};

const bodyText = (body: unknown): Json => {
  const text = typeof body === "string" ? body : (JSON.stringify(body) ?? "");
  return text.slice(0, keptCharacters);
};

/** A copy with the reason goes to the queue of failed messages; `replay` reads it. */
const park = async (item: Json, messageId: string, failure: Failure, deps: Deps): Promise<Result<void>> => {
  deps.log("error", "message parked", { messageId, code: failure.code, message: failure.message });
  const body = { item, reason: failure.code, message: failure.message };
  return sendPatiently("reconcile-failed", () => [{ messageId: hashOf([messageId, failure.code]), body }], deps);
};

/** A later copy; a resync is dropped, since the timer makes the next one. */
const postpone = async (item: WorkItem, failure: Failure, deps: Deps): Promise<Result<void>> => {
  deps.log("warn", "turn postponed", {
    object: `${item.namespace}/${item.name}`,
    kind: item.kind,
    code: failure.code,
    message: failure.message,
  });
  if (item.cause === "resync") return { ok: true, value: undefined };
  // Without a time of the table service the message is sent on as late after its last sending as it would be after now.
  const nowMs = deps.tables.nowMs() ?? (Date.parse(item.sentAt) || 0);
  return sendOutgoing([again(item, nowMs + futurePauseMs(item, failure), nowMs)], deps);
};
