import { replay as replayMessage } from "../core/chain/messages.ts";
import type { ParkedQueue, ReplayRequest } from "../core/replayRequest.ts";
import type { Json, Result } from "../core/types.ts";
import { type Address, addressOf, parseWorkItem } from "../core/workItem.ts";
import { isJsonObject } from "../wire/json.ts";
import type { Deps } from "./deps.ts";
import { sendOutgoing } from "./send.ts";

/** A message that was given up and waits for somebody to decide. */
export interface ParkedMessage {
  readonly messageId: string;
  readonly body: Json;
  /** Why it was given up, as far as the broker or the sender said; empty when neither did. */
  readonly reason: string;
}

/** A parked message that is held: nobody else gets it until it is settled or its lock ends. */
export interface HeldMessage extends ParkedMessage {
  complete(): Promise<void>;
  abandon(): Promise<void>;
}

/** Where parked messages are looked at (`peek`) and taken (`receive`). */
export interface Parked {
  peek(queue: ParkedQueue, most: number): Promise<Result<readonly ParkedMessage[]>>;
  receive(queue: ParkedQueue, most: number): Promise<Result<readonly HeldMessage[]>>;
}

export interface Replayed {
  /** `AzureCluster default/demo`; of an unreadable message its id. */
  readonly object: string;
  readonly reason: string;
  /** Unreadable messages name no object: they stay where they are. */
  readonly action: "enqueued" | "wouldEnqueue" | "unreadable";
}

interface How {
  /** Makes the ids of what is enqueued; the same request enqueues once. */
  readonly requestId: string;
  readonly dryRun: boolean;
}

const nameOf = ({ kind, namespace, name }: Address): string => `${kind} ${namespace}/${name}`;

/** Enqueues the object that a message names, never the stale body. A dry run only says what would be done. */
export const replay = async (
  request: ReplayRequest,
  how: How,
  parked: Parked,
  deps: Deps,
): Promise<Result<readonly Replayed[]>> => {
  if (request.kind === "object") return ofObject(request.item, how, deps);
  if (how.dryRun) return preview(request, parked);
  const received = await parked.receive(request.queue, request.most);
  if (!received.ok) return received;
  const results: Replayed[] = [];
  // One after another: the client mixes up outcomes of neighbours that are settled at once.
  for (const message of received.value) {
    const result = await ofMessage(message, how, deps);
    if (!result.ok) return result;
    results.push(result.value);
  }
  return { ok: true, value: results };
};

const preview = async (
  request: Extract<ReplayRequest, { kind: "queue" }>,
  parked: Parked,
): Promise<Result<readonly Replayed[]>> => {
  const seen = await parked.peek(request.queue, request.most);
  return seen.ok ? { ok: true, value: seen.value.map((message) => described(message, "wouldEnqueue")) } : seen;
};

const ofObject = async (item: Address, how: How, deps: Deps): Promise<Result<readonly Replayed[]>> => {
  const answer = (action: Replayed["action"]): Result<readonly Replayed[]> => ({
    ok: true,
    value: [{ object: nameOf(item), reason: "asked for", action }],
  });
  if (how.dryRun) return answer("wouldEnqueue");
  const sent = await enqueue(item, how.requestId, deps);
  return sent.ok ? answer("enqueued") : sent;
};

const textAt = (body: Json, field: string): string => {
  const value = isJsonObject(body) ? body[field] : undefined;
  return typeof value === "string" ? value : "";
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** The copies in our own queue wrap the message that they stand for; one that could not be read then stands there as text. */
const itemIn = (body: Json): ReturnType<typeof parseWorkItem> => {
  const wrapped = (isJsonObject(body) ? body["item"] : undefined) ?? body;
  return parseWorkItem(typeof wrapped === "string" ? parseText(wrapped) : wrapped);
};

const described = (message: ParkedMessage, action: Replayed["action"]): Replayed => {
  const item = itemIn(message.body);
  const reason = message.reason || textAt(message.body, "reason") || "unknown";
  return item.ok
    ? { object: nameOf(item.value), reason, action }
    : { object: message.messageId, reason: `${reason}; ${item.error.message}`, action: "unreadable" };
};

const ofMessage = async (message: HeldMessage, how: How, deps: Deps): Promise<Result<Replayed>> => {
  const item = itemIn(message.body);
  if (!item.ok) {
    await message.abandon();
    return { ok: true, value: described(message, "unreadable") };
  }
  const sent = await enqueue(item.value, how.requestId, deps);
  await (sent.ok ? message.complete() : message.abandon());
  return sent.ok ? { ok: true, value: described(message, "enqueued") } : sent;
};

const enqueue = (item: Address, request: string, deps: Deps): Promise<Result<void>> =>
  sendOutgoing([replayMessage({ address: addressOf(item), uid: "", request, nowMs: deps.tables.nowMs() ?? 0 })], deps);
