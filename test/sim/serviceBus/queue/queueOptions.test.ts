import { describe, expect, it } from "vitest";
import { queueSettings } from "../../../../src/sim/serviceBus/queue/queueOptions.ts";

describe("queueSettings", () => {
  it("fills in what Azure would", () =>
    expect(queueSettings({ name: "team/a.b" })).toEqual({
      name: "team/a.b",
      lockMs: 60_000,
      maxDeliveryCount: 10,
      duplicateDetectionMs: 0,
      deadLetterExpired: false,
    }));

  it.each([
    { when: "the name is empty", options: { name: "" }, says: /queue "": not a valid queue name/ },
    { when: "the name would be an address", options: { name: "$cbs" }, says: /not a valid queue name/ },
    { when: "the name ends in a slash", options: { name: "a/" }, says: /not a valid queue name/ },
    { when: "a lock lasts no time", options: { name: "q", lockSeconds: 0 }, says: /lockSeconds/ },
    { when: "there is no first delivery", options: { name: "q", maxDeliveryCount: 0 }, says: /maxDeliveryCount/ },
    { when: "deliveries are not whole", options: { name: "q", maxDeliveryCount: 1.5 }, says: /maxDeliveryCount/ },
    {
      when: "the window is negative",
      options: { name: "q", duplicateDetectionSeconds: -1 },
      says: /duplicateDetection/,
    },
  ])("refuses options when $when", ({ options, says }) => expect(() => queueSettings(options)).toThrow(says));
});
