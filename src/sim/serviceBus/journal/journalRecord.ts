import type { WireMessage } from "../amqp/wireMessage.ts";
import type { Change } from "../queue/storedMessage.ts";

/** One change of one queue. */
export interface JournalRecord {
  readonly queue: string;
  readonly change: Change<WireMessage>;
}

interface TextMessage extends Omit<WireMessage, "annotations" | "rest"> {
  readonly annotations: readonly string[];
  readonly rest: string;
}

const toText = (body: WireMessage): TextMessage => ({
  ...body,
  annotations: body.annotations.map((item) => item.toString("base64")),
  rest: body.rest.toString("base64"),
});

const fromText = (body: TextMessage): WireMessage => ({
  ...body,
  annotations: body.annotations.map((item) => Buffer.from(item, "base64")),
  rest: Buffer.from(body.rest, "base64"),
});

/** A change whose message bodies are turned by `convert`; everything else stays. */
const converted = <From, To>(change: Change<From>, convert: (body: From) => To): Change<To> => {
  switch (change.kind) {
    case "added":
      return { ...change, message: { ...change.message, body: convert(change.message.body) } };
    case "attempted":
    case "deadLettered": {
      const { body, ...others } = change;
      return { ...others, ...(body !== undefined && { body: convert(body) }) };
    }
    case "activated":
    case "removed":
    case "remembered":
    case "numbered":
      return change;
  }
};

/** The record as one line of JSON. */
export const encodeRecord = ({ queue, change }: JournalRecord): string =>
  JSON.stringify({ queue, change: converted(change, toText) });

/** The record of a parsed line. Throws when it has not the shape that `encodeRecord` writes. */
export const decodeRecord = (line: unknown): JournalRecord => {
  // The one cast: the file is written by `encodeRecord` only, and a torn line does not parse as JSON.
  const { queue, change } = line as { readonly queue: string; readonly change: Change<TextMessage> };
  return { queue, change: converted(change, fromText) };
};
