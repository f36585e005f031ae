import { describe, expect, it } from "vitest";
import { parseQueueFlag } from "../../../src/sim/serviceBus/parseQueueFlag.ts";

describe("parseQueueFlag", () => {
  it.each([
    { flag: "reconcile-failed", options: { name: "reconcile-failed" } },
    {
      flag: "reconcile:maxDeliveryCount=20,lockSeconds=60,duplicateDetectionSeconds=600",
      options: { name: "reconcile", maxDeliveryCount: 20, lockSeconds: 60, duplicateDetectionSeconds: 600 },
    },
    {
      flag: "q:deadLetterExpired=true,lockSeconds=0.5",
      options: { name: "q", deadLetterExpired: true, lockSeconds: 0.5 },
    },
  ])("reads $flag", ({ flag, options }) => expect(parseQueueFlag(flag)).toEqual(options));

  it.each(["q:sessions=true", "q:lockSeconds", "q:lockSeconds=soon", "q:deadLetterExpired=1"])("refuses %s", (flag) =>
    expect(() => parseQueueFlag(flag)).toThrow(`--queue ${flag}: cannot read`),
  );
});
