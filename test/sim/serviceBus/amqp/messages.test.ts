import fc from "fast-check";
import rhea from "rhea";
import { describe, expect, it } from "vitest";
import { encodeMessage, withApplicationProperties } from "../../../../src/sim/serviceBus/amqp/encodeMessage.ts";
import { batchFormat, parseMessage, parseTransfer } from "../../../../src/sim/serviceBus/amqp/parseMessage.ts";
import type { WireMessage } from "../../../../src/sim/serviceBus/amqp/wireMessage.ts";
import type { NewMessage, StoredMessage } from "../../../../src/sim/serviceBus/queue/storedMessage.ts";

const encode = (message: Readonly<Record<string, unknown>>): Buffer => rhea.message.encode(message);
const decode = (bytes: Buffer) => rhea.message.decode(bytes);
const stored = (parsed: NewMessage<WireMessage>, more: Partial<StoredMessage<WireMessage>> = {}) => ({
  sequenceNumber: 2 ** 33,
  enqueuedSequenceNumber: 7,
  id: parsed.id,
  enqueuedAtMs: 1_700_000_000_000,
  deliveryCount: 3,
  body: parsed.body,
  ...more,
});

describe("parseMessage", () => {
  it.each([
    { what: "a text", id: "abc", read: "abc" },
    { what: "a number", id: 300, read: "300" },
    {
      what: "a uuid",
      id: Buffer.from("00112233445566778899aabbccddeeff", "hex"),
      read: "00112233-4455-6677-8899-aabbccddeeff",
    },
  ])("reads $what as message id", ({ id, read }) =>
    expect(parseMessage(encode({ message_id: id, body: 1 })).id).toBe(read),
  );

  it("invents an id where there is none, and keeps the other properties", () => {
    for (const message of [{ body: 1 }, { body: 1, subject: "s" }]) {
      const parsed = parseMessage(encode(message));
      expect(parsed.id).toMatch(/^[0-9a-f]{32}$/);
      expect(decode(encodeMessage(stored(parsed)))).toMatchObject({ ...message, message_id: parsed.id });
    }
  });

  it("reads the time to live and the scheduled time", () => {
    const time = new Date(1_800_000_000_000);
    const parsed = parseMessage(
      encode({ message_id: "a", ttl: 5000, message_annotations: { "x-opt-scheduled-enqueue-time": time }, body: 1 }),
    );
    expect(parsed).toMatchObject({ timeToLiveMs: 5000, scheduledForMs: time.getTime() });
  });

  it("never fails otherwise than by an error, on any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        try {
          parseTransfer(Buffer.from(bytes), batchFormat);
          parseMessage(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(Error);
        }
      }),
    );
  });

  it.each(["", "005370c0"])("takes a truncated message for malformed, or for empty (%j)", (hex) => {
    const bytes = Buffer.from(hex, "hex");
    if (hex === "") expect(parseMessage(bytes).id).toMatch(/^[0-9a-f]{32}$/);
    else expect(() => parseMessage(bytes)).toThrow(RangeError);
  });
});

describe("parseTransfer", () => {
  it("takes a batch apart", () => {
    const parts = ["a", "b"].map((id) => encode({ message_id: id, body: id }));
    const batch = encode({ message_id: "a", body: rhea.message.data_sections(parts) });
    expect(parseTransfer(batch, batchFormat).map(({ id }) => id)).toEqual(["a", "b"]);
  });
});

describe("encodeMessage", () => {
  const full = {
    durable: false,
    priority: 9,
    ttl: 1000,
    message_id: "id",
    correlation_id: "c",
    content_type: "application/json",
    group_id: "g",
    message_annotations: { "x-opt-partition-key": "p", "x-opt-sequence-number": 1 },
    application_properties: { text: "t", number: 5, yes: true, long: 2 ** 40 },
    body: { deep: [1, "two", null] },
  };

  it("says what the sender said, and what the broker has to say", () => {
    const message = decode(encodeMessage(stored(parseMessage(encode(full))), 1_700_000_060_000));
    const { message_annotations: annotations, ...others } = message;
    const { message_annotations: _, ...sent } = full;
    expect(others).toEqual({ ...sent, delivery_count: 3 });
    expect(annotations).toEqual({
      "x-opt-partition-key": "p",
      "x-opt-sequence-number": 2 ** 33,
      "x-opt-enqueue-sequence-number": 7,
      "x-opt-enqueued-time": new Date(1_700_000_000_000),
      "x-opt-locked-until": new Date(1_700_000_060_000),
      "x-opt-message-state": 0,
    });
  });

  it("marks a scheduled message", () => {
    const message = decode(encodeMessage(stored(parseMessage(encode(full)), { scheduledForMs: 5 })));
    expect(message["message_annotations"]["x-opt-message-state"]).toBe(2);
  });

  it("states why a message is in the dead-letter queue", () => {
    const deadLetter = { reason: "R", description: "D" };
    for (const message of [full, { message_id: "id", body: 1 }])
      expect(
        decode(encodeMessage(stored(parseMessage(encode(message)), { deadLetter })))["application_properties"],
      ).toMatchObject({ DeadLetterReason: "R", DeadLetterErrorDescription: "D" });
  });
});

describe("withApplicationProperties", () => {
  it("adds, replaces and takes away, and leaves the rest alone", () => {
    const { body } = parseMessage(
      encode({ message_id: "id", application_properties: { a: 1, b: 2, c: 3 }, body: "x" }),
    );
    const changed = withApplicationProperties(body.rest, { a: "new", b: null, d: true });
    expect(decode(changed)).toEqual({
      message_id: "id",
      application_properties: { c: 3, a: "new", d: true },
      body: "x",
    });
    expect(withApplicationProperties(body.rest, {})).toBe(body.rest);
  });
});
