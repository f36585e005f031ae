import { expect, it } from "vitest";
import { deliveryTag, uuidBytes, uuidText } from "../../../../src/sim/serviceBus/amqp/lockToken.ts";

const uuid = "00112233-4455-6677-8899-aabbccddeeff";

it("turns a token into AMQP bytes and back", () => expect(uuidText(uuidBytes(uuid))).toBe(uuid));

it("turns the first three groups round for the delivery tag", () =>
  expect(deliveryTag(uuid).toString("hex")).toBe("33221100554477668899aabbccddeeff"));
