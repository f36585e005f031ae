import { replay as replayMessage } from "../core/chain/messages.ts";
import type { ParkedQueue, ReplayRequest } from "../core/replayRequest.ts";
import type { Json, Result } from "../core/types.ts";
import { addressOf, parseWorkItem, type WorkItem } from "../core/workItem.ts";
import { isJsonObject } from "../wire/json.ts";
import type { Deps } from "./deps.ts";
import { sendOutgoing } from "./send.ts";

/** A message that waits for somebody to decide. */
export interface ParkedMessage {
  readonly messageId: string;
  readonly body: Json;
  /** Why it was parked, as far as known. */
  readonly reason: string;
  complete(): Promise<void>;
  abandon(): Promise<void>;
}

export interface Parked {
  receive(queue: ParkedQueue, most: number): Promise<Result<readonly ParkedMessage[]>>;
}

export interface Replayed {
  readonly object: string;
  readonly reason: string;
  /** `unreadable` messages name no object: they stay where they are. */
  readonly action: "enqueued" | "wouldEnqueue" | "unreadable";
}

const nameOf = ({ kind, namespace, name }: Pick<WorkItem, "kind" | "namespace" | "name">): string =>
  `${kind} ${namespace}/${name}`;

/** Enqueues the object that a message names, never the stale body. A dry run only says what would be done. */
export const replay = async (
  request: ReplayRequest,
  how: { readonly requestId: string; readonly dryRun: boolean },
  parked: Parked,
  deps: Deps,
): Promise<Result<readonly Replayed[]>> => {
  if (request.kind === "object") return ofObject(request.item, how, deps);
  const received = await parked.receive(request.queue, request.most);
  if (!received.ok) return received;
  const results: Replayed[] = [];
  for (const message of received.value) {
    const result = await ofMessage(message, how, deps);
    if (!result.ok) return result;
    results.push(result.value);
  }
  return { ok: true, value: results };
};

const ofObject = async (
  item: Pick<WorkItem, "cluster" | "kind" | "namespace" | "name">,
  how: { readonly requestId: string; readonly dryRun: boolean },
  deps: Deps,
): Promise<Result<readonly Replayed[]>> => {
  const object = nameOf(item);
  if (how.dryRun) return { ok: true, value: [{ object, reason: "asked for", action: "wouldEnqueue" }] };
  const sent = await enqueue(item, how.requestId, deps);
  return sent.ok ? { ok: true, value: [{ object, reason: "asked for", action: "enqueued" }] } : sent;
};

/** The copies in the failed queue wrap the message that they stand for. */
const itemIn = (body: Json): Json => (isJsonObject(body) && body["item"] !== undefined ? body["item"] : body);

const ofMessage = async (
  message: ParkedMessage,
  how: { readonly requestId: string; readonly dryRun: boolean },
  deps: Deps,
): Promise<Result<Replayed>> => {
  const { reason } = message;
  const item = parseWorkItem(itemIn(message.body));
  if (!item.ok) {
    await message.abandon();
    return {
      ok: true,
      value: { object: message.messageId, reason: `${reason}; ${item.error.message}`, action: "unreadable" },
    };
  }
  const object = nameOf(item.value);
  if (how.dryRun) {
    await message.abandon();
    return { ok: true, value: { object, reason, action: "wouldEnqueue" } };
  }
  const sent = await enqueue(item.value, how.requestId, deps);
  if (!sent.ok) {
    await message.abandon();
    return sent;
  }
  await message.complete();
  return { ok: true, value: { object, reason, action: "enqueued" } };
};

const enqueue = (
  item: Pick<WorkItem, "cluster" | "kind" | "namespace" | "name">,
  request: string,
  deps: Deps,
): Promise<Result<void>> =>
  sendOutgoing([replayMessage({ address: addressOf(item), uid: "", request, nowMs: deps.tables.nowMs() ?? 0 })], deps);
