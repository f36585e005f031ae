import type { StoredMessage } from "../queue/storedMessage.ts";
import {
  encodeBoolean,
  encodeLong,
  encodeNull,
  encodeSmallInt,
  encodeSymbol,
  encodeTimestamp,
  encodeUbyte,
  encodeUint,
  encodeValue,
  listSection,
  mapSection,
  readItems,
  readSections,
  readValue,
  section,
} from "./amqpValues.ts";
import type { WireMessage } from "./wireMessage.ts";

const annotation = {
  enqueuedTime: encodeSymbol("x-opt-enqueued-time"),
  sequenceNumber: encodeSymbol("x-opt-sequence-number"),
  enqueuedSequenceNumber: encodeSymbol("x-opt-enqueue-sequence-number"),
  messageState: encodeSymbol("x-opt-message-state"),
  lockedUntil: encodeSymbol("x-opt-locked-until"),
} as const;
/** Azure's `MessageState`. */
const state = { active: encodeSmallInt(0), scheduled: encodeSmallInt(2) } as const;

/** The message as a receiver gets it; without a lock (peeked, or received and deleted) there is no `locked-until`. */
export const encodeMessage = (message: StoredMessage<WireMessage>, lockedUntilMs?: number): Buffer => {
  const { deadLetter, body } = message;
  const rest = deadLetter
    ? withApplicationProperties(body.rest, {
        ...(deadLetter.reason !== undefined && { DeadLetterReason: deadLetter.reason }),
        ...(deadLetter.description !== undefined && { DeadLetterErrorDescription: deadLetter.description }),
      })
    : body.rest;
  return Buffer.concat([encodeHeader(message), encodeAnnotations(message, lockedUntilMs), rest]);
};

const encodeHeader = ({ body, deliveryCount }: StoredMessage<WireMessage>): Buffer =>
  listSection(section.header, [
    encodeBoolean(body.durable ?? true),
    body.priority === undefined ? encodeNull() : encodeUbyte(body.priority),
    body.timeToLiveMs === undefined ? encodeNull() : encodeUint(body.timeToLiveMs),
    encodeNull(),
    encodeUint(deliveryCount),
  ]);

const encodeAnnotations = (message: StoredMessage<WireMessage>, lockedUntilMs: number | undefined): Buffer =>
  mapSection(section.messageAnnotations, [
    annotation.enqueuedTime,
    encodeTimestamp(message.enqueuedAtMs),
    annotation.sequenceNumber,
    encodeLong(message.sequenceNumber),
    annotation.enqueuedSequenceNumber,
    encodeLong(message.enqueuedSequenceNumber),
    annotation.messageState,
    message.scheduledForMs === undefined ? state.active : state.scheduled,
    ...(lockedUntilMs === undefined ? [] : [annotation.lockedUntil, encodeTimestamp(lockedUntilMs)]),
    ...message.body.annotations,
  ]);

/** Sets application properties (null takes one away) and leaves all other bytes as they are. */
export const withApplicationProperties = (rest: Buffer, properties: Readonly<Record<string, unknown>>): Buffer => {
  const names = Object.keys(properties);
  if (names.length === 0) return rest;
  const sections = readSections(rest);
  const present = sections.find(({ code }) => code === section.applicationProperties);
  const items = present ? readItems(rest, present.value) : [];
  const kept = items.filter((_, index) => !names.includes(String(readValue(items[index - (index % 2)]!, 0))));
  const added = names
    .filter((name) => properties[name] !== null && properties[name] !== undefined)
    .flatMap((name) => [encodeValue(name), encodeValue(properties[name])]);
  const before = sections.filter(({ code }) => code < section.applicationProperties).at(-1)?.end ?? 0;
  return Buffer.concat([
    rest.subarray(0, before),
    mapSection(section.applicationProperties, [...kept, ...added]),
    rest.subarray(present?.end ?? before),
  ]);
};

/** The message without its body and footer. */
export const withoutBody = (rest: Buffer): Buffer =>
  rest.subarray(
    0,
    readSections(rest)
      .filter(({ code }) => code < section.data)
      .at(-1)?.end ?? 0,
  );
