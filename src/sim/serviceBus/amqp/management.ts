import type { Queue } from "../queue/queue.ts";
import type { NewMessage, SubQueueName } from "../queue/storedMessage.ts";
import { applyVerdict, textOf, type Verdict } from "./applyOutcome.ts";
import { encodeMessage, withoutBody } from "./encodeMessage.ts";
import { type Failure, failures } from "./failures.ts";
import { uuidText } from "./lockToken.ts";
import { parseMessage } from "./parseMessage.ts";
import { types } from "./rhea.ts";
import type { WireMessage } from "./wireMessage.ts";

type Fields = Readonly<Record<string, unknown>>;

export interface ManagementCall {
  readonly queue: Queue<WireMessage>;
  readonly place: SubQueueName;
  readonly nowMs: number;
  readonly maxMessageBytes: number;
  /** The body of the request: a map by its AMQP keys. */
  readonly body: Fields;
}

export type ManagementAnswer =
  | { readonly kind: "done"; readonly body?: Fields }
  /** Nothing there: status 204. */
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** A reply that would be larger is cut; the client asks again from where it ended. */
const maxPeekBytes = 1 << 20;
const maxPeekMessages = 1000;
/** Type codes of AMQP arrays: timestamps and longs. */
const timestampCode = 0x83;
const longCode = 0x81;

const done = (body?: Fields): ManagementAnswer => ({ kind: "done", ...(body && { body }) });
const failed = (failure: Failure): ManagementAnswer => ({ kind: "failed", failure });

/** AMQP longs beyond what a number holds arrive as eight bytes. */
const numberOf = (value: unknown): number => (Buffer.isBuffer(value) ? Number(value.readBigInt64BE()) : Number(value));
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const tokensOf = (body: Fields): readonly string[] =>
  listOf(body["lock-tokens"])
    .filter((token) => Buffer.isBuffer(token))
    .map(uuidText);

const peek = ({ queue, place, nowMs, body }: ManagementCall): ManagementAnswer => {
  const max = Math.min(numberOf(body["message-count"]), maxPeekMessages);
  const messages: { readonly message: Buffer }[] = [];
  let bytes = 0;
  for (const stored of queue.peek(nowMs, numberOf(body["from-sequence-number"]), max, place)) {
    const shown = body["omit-message-body"]
      ? { ...stored, body: { ...stored.body, rest: withoutBody(stored.body.rest) } }
      : stored;
    const message = encodeMessage(shown);
    bytes += message.length;
    if (messages.length > 0 && bytes > maxPeekBytes) break;
    messages.push({ message });
  }
  return messages.length > 0 ? done({ messages }) : { kind: "empty" };
};

const renewLock = ({ queue, nowMs, body }: ManagementCall): ManagementAnswer => {
  const ends: number[] = [];
  for (const token of tokensOf(body)) {
    const end = queue.renew(nowMs, token);
    if (end === undefined) return failed(failures.lockLost());
    ends.push(end);
  }
  return done({ expirations: types.wrap_array(ends, timestampCode, undefined) });
};

const schedule = ({ queue, place, nowMs, maxMessageBytes, body }: ManagementCall): ManagementAnswer => {
  if (place === "deadLetter") return failed(failures.notAllowed("Nothing can be sent to a dead-letter queue."));
  const encoded = listOf(body["messages"]).map((entry) => (entry as Fields | undefined)?.["message"]);
  if (!encoded.every((bytes) => Buffer.isBuffer(bytes))) return failed(failures.badRequest("A message is missing."));
  const tooLarge = encoded.find((bytes) => bytes.length > maxMessageBytes);
  if (tooLarge) return failed(failures.messageTooLarge(tooLarge.length, maxMessageBytes));
  const messages: readonly NewMessage<WireMessage>[] = encoded.map(parseMessage);
  return done({ "sequence-numbers": types.wrap_array(queue.send(nowMs, messages), longCode, undefined) });
};

const cancelScheduled = ({ queue, nowMs, body }: ManagementCall): ManagementAnswer => {
  const { missing } = queue.cancel(nowMs, listOf(body["sequence-numbers"]).map(numberOf));
  return missing === undefined ? done() : failed(failures.messageNotFound(missing));
};

const verdictOfRequest = (body: Fields): Verdict | undefined => {
  const properties = (body["properties-to-modify"] ?? {}) as Fields;
  switch (body["disposition-status"]) {
    case "completed":
      return { kind: "complete" };
    case "abandoned":
      return { kind: "abandon", properties };
    case "suspended": {
      const reason = textOf(body["deadletter-reason"]);
      return { kind: "deadLetter", reason, description: textOf(body["deadletter-description"]), properties };
    }
    case "defered": // Spelled like this on the wire.
      return { kind: "defer" };
    default:
      return undefined;
  }
};

const updateDisposition = ({ queue, nowMs, body }: ManagementCall): ManagementAnswer => {
  const verdict = verdictOfRequest(body);
  if (!verdict) return failed(failures.badRequest("The disposition status is unknown."));
  for (const token of tokensOf(body)) {
    const failure = applyVerdict(queue, nowMs, token, verdict);
    if (failure) return failed(failure);
  }
  return done();
};

const operations: ReadonlyMap<string, (call: ManagementCall) => ManagementAnswer> = new Map([
  ["com.microsoft:peek-message", peek],
  ["com.microsoft:renew-lock", renewLock],
  ["com.microsoft:schedule-message", schedule],
  ["com.microsoft:cancel-scheduled-message", cancelScheduled],
  ["com.microsoft:update-disposition", updateDisposition],
]);

/** Carries out one request to a `$management` node. Throws a RangeError when a message in it is malformed. */
export const manage = (operation: string, call: ManagementCall): ManagementAnswer =>
  operations.get(operation)?.(call) ??
  failed(failures.notImplemented(`This broker does not know the operation ${operation}.`));
