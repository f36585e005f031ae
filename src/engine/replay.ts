import { replay as replayMessage } from "../core/chain/messages.ts";
import type { AskedReplay, ReplayRequest } from "../core/replayRequest.ts";
import type { Failure, Result } from "../core/types.ts";
import { type Address, addressOf } from "../core/workItem.ts";
import type { Deps } from "./deps.ts";
import { keepHistory } from "./history.ts";
import { partitionOf } from "./ledger.ts";
import { type HeldMessage, isAskedFor, itemIn, type Parked, type ParkedMessage, reasonOf } from "./parked.ts";
import { sendOutgoing } from "./send.ts";

export interface Replayed {
  /** `AzureCluster default/demo`; of an unreadable message its id. */
  readonly object: string;
  /** Why it was parked. */
  readonly reason: string;
  /** RFC 3339; of parked messages, when it is known. */
  readonly parkedAt?: string;
  /** What names no object that is served stays where it is. */
  readonly action: "enqueued" | "wouldEnqueue" | "unreadable" | "notServed";
}

/** Who wants it, and under which id; the same id enqueues once. */
export interface Asker {
  readonly requester: string;
  readonly requestId: string;
}

type Asked = AskedReplay & Asker;
type QueueRequest = Extract<ReplayRequest, { kind: "queue" }>;

/** Messages that are looked through for those that are asked for. */
const lookedThrough = 1_000;
/** Messages that are held at once: as many as are settled before their locks end. */
const heldAtMost = 250;

const nameOf = ({ kind, namespace, name }: Address): string => `${kind} ${namespace}/${name}`;

/** Why this object is none that can be looked at; undefined: it can. */
const notServed = ({ cluster, kind }: Address, { kinds, settings }: Deps): Failure | undefined => {
  const refused = (code: string, message: string): Failure => ({ kind: "badConfiguration", code, message });
  if (!settings.clusters.includes(cluster))
    return refused("UnknownCluster", `management cluster ${cluster} is not registered in the settings`);
  return kinds.has(kind)
    ? undefined
    : refused(
        "UnknownKind",
        `kind ${kind} is not reconciled by this release, which knows ${[...kinds.keys()].join(", ")}`,
      );
};

/**
 * Enqueues the object that a message names, never the stale body. A dry run only says what would be done. Failure class
 * `badConfiguration`: the request names a cluster or a kind that is not served.
 */
export const replay = async (asked: Asked, parked: Parked, deps: Deps): Promise<Result<readonly Replayed[]>> => {
  const { request, dryRun } = asked;
  if (request.kind === "object") return ofObject(request.item, asked, deps);
  const nowMs = await timeOf(deps);
  if (!nowMs.ok) return nowMs;
  const seen = await parked.peek(request.queue, lookedThrough);
  if (!seen.ok) return seen;
  const wanted = wantedOf(seen.value, request, nowMs.value);
  if (dryRun) return { ok: true, value: wanted.map((message) => described(message, verdictOf(message, deps))) };
  const upTo = seen.value.indexOf(wanted.at(-1)!) + 1;
  if (upTo === 0) return { ok: true, value: [] };
  return ofQueue({ ...asked, request }, Math.min(upTo, heldAtMost), nowMs.value, parked, deps);
};

/** The table service tells the time; a process that has not yet asked it anything asks now. */
const timeOf = async ({ tables, settings }: Deps): Promise<Result<number>> => {
  const known = tables.nowMs();
  if (known !== undefined) return { ok: true, value: known };
  const read = await tables.get("shared", settings.clusters[0] ?? "-", "listed");
  return read.ok ? { ok: true, value: tables.nowMs() ?? 0 } : read;
};

const wantedOf = <Message extends ParkedMessage>(
  messages: readonly Message[],
  { filter, most }: QueueRequest,
  nowMs: number,
): readonly Message[] => messages.filter((message) => isAskedFor(message, filter, nowMs)).slice(0, most);

const ofObject = async (item: Address, asked: Asked, deps: Deps): Promise<Result<readonly Replayed[]>> => {
  const refusal = notServed(item, deps);
  if (refusal !== undefined) return { ok: false, error: refusal };
  const answer = (action: Replayed["action"]): Result<readonly Replayed[]> => ({
    ok: true,
    value: [{ object: nameOf(item), reason: "asked for", action }],
  });
  if (asked.dryRun) return answer("wouldEnqueue");
  const sent = await enqueue(item, asked, deps);
  return sent.ok ? answer("enqueued") : sent;
};

const verdictOf = (message: ParkedMessage, deps: Deps): Replayed["action"] => {
  const item = itemIn(message);
  if (!item.ok) return "unreadable";
  return notServed(item.value, deps) === undefined ? "wouldEnqueue" : "notServed";
};

const described = (message: ParkedMessage, action: Replayed["action"]): Replayed => {
  const item = itemIn(message);
  const reason = reasonOf(message);
  const parkedAt = message.enqueuedAt === "" ? {} : { parkedAt: message.enqueuedAt };
  return item.ok
    ? { object: nameOf(item.value), reason, ...parkedAt, action }
    : { object: message.messageId, reason: `${reason}; ${item.error.message}`, ...parkedAt, action };
};

/** Takes the messages up to the last that is wanted, and puts back the others. */
const ofQueue = async (
  asked: Asked & { readonly request: QueueRequest },
  upTo: number,
  nowMs: number,
  parked: Parked,
  deps: Deps,
): Promise<Result<readonly Replayed[]>> => {
  const received = await parked.receive(asked.request.queue, upTo);
  if (!received.ok) return received;
  const wanted = new Set(wantedOf(received.value, asked.request, nowMs));
  const results: Replayed[] = [];
  let failure: Failure | undefined;
  // One after another: the client mixes up outcomes of neighbours that are settled at once.
  for (const message of received.value) {
    if (failure !== undefined || !wanted.has(message)) {
      await message.abandon();
      continue;
    }
    const result = await ofMessage(message, asked, deps);
    if (result.ok) results.push(result.value);
    else failure = result.error;
  }
  return failure === undefined ? { ok: true, value: results } : { ok: false, error: failure };
};

const ofMessage = async (message: HeldMessage, asked: Asked, deps: Deps): Promise<Result<Replayed>> => {
  const item = itemIn(message);
  const verdict = verdictOf(message, deps);
  if (!item.ok || verdict !== "wouldEnqueue") {
    await message.abandon();
    return { ok: true, value: described(message, verdict) };
  }
  const sent = await enqueue(item.value, asked, deps);
  await (sent.ok ? message.complete() : message.abandon());
  return sent.ok ? { ok: true, value: described(message, "enqueued") } : sent;
};

/** Sends the key, and says who wanted it and why: in the log and, best effort, in the object's history. */
const enqueue = async (item: Address, { requester, requestId, reason }: Asked, deps: Deps): Promise<Result<void>> => {
  const nowMs = await timeOf(deps);
  if (!nowMs.ok) return nowMs;
  const address = addressOf(item);
  const sent = await sendOutgoing([replayMessage({ address, uid: "", request: requestId, nowMs: nowMs.value })], deps);
  if (!sent.ok) return sent;
  const { kind, namespace, name } = item;
  deps.log("info", "replay asked for", { object: `${namespace}/${name}`, kind, requester, reason, request: requestId });
  const entry = {
    kind: "replay",
    atMs: nowMs.value,
    turn: 0,
    cause: requester,
    generation: 0,
    result: "enqueued",
    wrote: 0,
    polled: 0,
    code: "",
    message: reason,
    writes: [],
    troubles: [],
    holds: [],
  } as const;
  await keepHistory(partitionOf(item.cluster, item), entry, requestId, deps).catch((error: unknown) =>
    deps.log("warn", "history row not written", { message: String(error) }),
  );
  return sent;
};
