import { replay as replayMessage } from "../core/chain/messages.ts";
import type { ParkedQueue, ReplayRequest } from "../core/replayRequest.ts";
import type { Result } from "../core/types.ts";
import { type Address, addressOf, parseWorkItem } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { sendOutgoing } from "./send.ts";

/** A message that was given up and waits for somebody to decide. */
export interface ParkedMessage {
  readonly messageId: string;
  readonly body: unknown;
  /** Why the broker gave it up, if it said so; copies in our own queue carry the reason in the body. */
  readonly reason?: string;
}

/** A parked message that is held until it is settled. */
export interface HeldMessage extends ParkedMessage {
  complete(): Promise<Result<void>>;
  abandon(): Promise<Result<void>>;
}

/** Where parked messages are looked at (`peek`) and taken (`receive`). */
export interface Parked {
  peek(queue: ParkedPlace, max: number): Promise<Result<readonly ParkedMessage[]>>;
  receive(
    queue: ParkedPlace,
    max: number,
  ): Promise<Result<{ readonly messages: readonly HeldMessage[]; close(): Promise<void> }>>;
}
type ParkedPlace = (typeof places)[ParkedQueue];

const places = { failed: "reconcile-failed", deadLetter: "reconcile/deadLetter" } as const satisfies Readonly<
  Record<ParkedQueue, string>
>;

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
  const received = await parked.receive(places[request.queue], request.most);
  if (!received.ok) return received;
  try {
    const results: Replayed[] = [];
    for (const message of received.value.messages) {
      const result = await ofMessage(message, how, deps);
      if (!result.ok) return result;
      results.push(result.value);
    }
    return { ok: true, value: results };
  } finally {
    await received.value.close();
  }
};

const preview = async (
  request: Extract<ReplayRequest, { kind: "queue" }>,
  parked: Parked,
): Promise<Result<readonly Replayed[]>> => {
  const seen = await parked.peek(places[request.queue], request.most);
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

const textAt = (body: unknown, field: string): string | undefined => {
  const value = typeof body === "object" && body !== null ? Reflect.get(body, field) : undefined;
  return typeof value === "string" ? value : undefined;
};

/** The copies in our own queue wrap the message that they stand for. */
const itemIn = (body: unknown): ReturnType<typeof parseWorkItem> => {
  const wrapped: unknown = typeof body === "object" && body !== null ? Reflect.get(body, "item") : undefined;
  return parseWorkItem(wrapped ?? body);
};

const described = (message: ParkedMessage, action: Replayed["action"]): Replayed => {
  const item = itemIn(message.body);
  const reason = message.reason ?? textAt(message.body, "reason") ?? "unknown";
  return item.ok
    ? { object: nameOf(item.value), reason, action }
    : { object: message.messageId, reason: `${reason}; ${item.error.message}`, action: "unreadable" };
};

const ofMessage = async (message: HeldMessage, how: How, deps: Deps): Promise<Result<Replayed>> => {
  const item = itemIn(message.body);
  if (!item.ok) {
    const kept = await message.abandon();
    return kept.ok ? { ok: true, value: described(message, "unreadable") } : kept;
  }
  const sent = await enqueue(item.value, how.requestId, deps);
  const settled = await (sent.ok ? message.complete() : message.abandon());
  if (!sent.ok) return sent;
  return settled.ok ? { ok: true, value: described(message, "enqueued") } : settled;
};

const enqueue = (item: Address, request: string, deps: Deps): Promise<Result<void>> =>
  sendOutgoing([replayMessage({ address: addressOf(item), uid: "", request, nowMs: deps.tables.nowMs() ?? 0 })], deps);
