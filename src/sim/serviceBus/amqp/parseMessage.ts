import { randomUUID } from "node:crypto";
import type { NewMessage } from "../queue/storedMessage.ts";
import { encodeValue, listSection, readItems, readSections, readValue, section } from "./amqpValues.ts";
import { uuidText } from "./lockToken.ts";
import type { WireMessage } from "./wireMessage.ts";

const scheduledTime = "x-opt-scheduled-enqueue-time";
/** Written by the broker on delivery; a message that is sent on carries those of its first journey. */
const brokerAnnotations: ReadonlySet<unknown> = new Set([
  "x-opt-sequence-number",
  "x-opt-enqueued-time",
  "x-opt-locked-until",
  "x-opt-enqueue-sequence-number",
  "x-opt-message-state",
  "x-opt-deadletter-source",
]);

/** The message format of a batch: each data section is a whole encoded message. */
export const batchFormat = 0x80013700;

/** The messages of one transfer. Throws a RangeError when the bytes are no AMQP message. */
export const parseTransfer = (encoded: Buffer, format: number): readonly NewMessage<WireMessage>[] => {
  if (format !== batchFormat) return [parseMessage(encoded)];
  return readSections(encoded)
    .filter(({ code }) => code === section.data)
    .map(({ value }) => readValue(encoded, value))
    .filter((data) => Buffer.isBuffer(data))
    .map(parseMessage);
};

/** Takes one encoded message apart. Throws a RangeError when it is malformed. */
export const parseMessage = (encoded: Buffer): NewMessage<WireMessage> => {
  const sections = readSections(encoded);
  const at = (code: number) => sections.find((one) => one.code === code)?.value;
  const header = readHeader(encoded, at(section.header));
  const { annotations, scheduledForMs } = readAnnotations(encoded, at(section.messageAnnotations));
  const { id, properties } = withMessageId(encoded, at(section.properties));
  const others = sections
    .filter(({ code }) => code >= section.applicationProperties)
    .map(({ start, end }) => encoded.subarray(start, end));
  // Copied, so that the stored message does not keep the much larger network buffer alive.
  const rest = Buffer.concat([properties, ...others]);
  return {
    id,
    ...(scheduledForMs !== undefined && { scheduledForMs }),
    ...(header.timeToLiveMs !== undefined && { timeToLiveMs: header.timeToLiveMs }),
    body: { ...header, annotations, rest },
  };
};

const readHeader = (
  encoded: Buffer,
  at: number | undefined,
): Pick<WireMessage, "durable" | "priority" | "timeToLiveMs"> => {
  if (at === undefined) return {};
  const [durable, priority, timeToLiveMs] = readItems(encoded, at).map((item) => readValue(item, 0));
  return {
    ...(typeof durable === "boolean" && { durable }),
    ...(typeof priority === "number" && { priority }),
    ...(typeof timeToLiveMs === "number" && { timeToLiveMs }),
  };
};

const readAnnotations = (encoded: Buffer, at: number | undefined) => {
  const items = at === undefined ? [] : readItems(encoded, at);
  const annotations: Buffer[] = [];
  let scheduledForMs: number | undefined;
  for (let index = 0; index + 1 < items.length; index += 2) {
    const key = readValue(items[index]!, 0);
    if (brokerAnnotations.has(key)) continue;
    annotations.push(Buffer.from(items[index]!), Buffer.from(items[index + 1]!));
    const value = key === scheduledTime ? readValue(items[index + 1]!, 0) : undefined;
    if (value instanceof Date) scheduledForMs = value.getTime();
  }
  return { annotations, scheduledForMs };
};

/** The properties section, with a message id in any case: without one the client's lock renewal fails. */
const withMessageId = (encoded: Buffer, at: number | undefined): { id: string; properties: Buffer } => {
  const items = at === undefined ? [] : readItems(encoded, at);
  const given = items[0] && readValue(items[0], 0);
  if (given !== undefined && given !== null)
    return { id: idText(given), properties: listSection(section.properties, items) };
  const id = randomUUID().replaceAll("-", "");
  return { id, properties: listSection(section.properties, [encodeValue(id), ...items.slice(1)]) };
};

const idText = (id: unknown): string => {
  if (!Buffer.isBuffer(id)) return String(id);
  return id.length === 16 ? uuidText(id) : id.toString("hex");
};
