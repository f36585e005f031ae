import { expect, it } from "vitest";
import { parseAddress } from "../../../../src/sim/serviceBus/amqp/address.ts";

it.each([
  { address: "$cbs", means: { kind: "tokens" } },
  { address: "q", means: { kind: "entity", queue: "q", place: "main" } },
  { address: "/team/a.b", means: { kind: "entity", queue: "team/a.b", place: "main" } },
  { address: "q/$management", means: { kind: "management", queue: "q", place: "main" } },
  { address: "q/$DeadLetterQueue", means: { kind: "entity", queue: "q", place: "deadLetter" } },
  { address: "Q/$deadletterqueue/$Management", means: { kind: "management", queue: "Q", place: "deadLetter" } },
  { address: "", means: { kind: "entity", queue: "", place: "main" } },
])("$address means $means.kind", ({ address, means }) => expect(parseAddress(address)).toEqual(means));
