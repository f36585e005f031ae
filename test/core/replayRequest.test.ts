import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReplayRequest } from "../../src/core/replayRequest.ts";

const object = { cluster: "c", kind: "AzureCluster", namespace: "default", name: "demo" };

describe("a replay request", () => {
  const reason = "the quota was raised";
  const queue = { kind: "queue", queue: "failed", most: 100, filter: {} };
  it.each([
    { body: { object }, value: { request: { kind: "object", item: object }, dryRun: true, reason: "" } },
    {
      body: { object, dryRun: false, reason },
      value: { request: { kind: "object", item: object }, dryRun: false, reason },
    },
    { body: { queue: "failed" }, value: { request: queue, dryRun: true, reason: "" } },
    {
      body: { queue: "deadLetter", most: 5, dryRun: false, reason, requestId: "12345678-abc" },
      value: { request: { ...queue, queue: "deadLetter", most: 5 }, dryRun: false, reason, requestId: "12345678-abc" },
    },
    {
      body: { queue: "failed", because: "UnknownCluster", olderThan: "90m", newerThan: "2d", kind: "AzureCluster" },
      value: {
        request: {
          ...queue,
          filter: { because: "UnknownCluster", olderThanMs: 5_400_000, newerThanMs: 172_800_000, kind: "AzureCluster" },
        },
        dryRun: true,
        reason: "",
      },
    },
  ])("$body", ({ body, value }) => expect(parseReplayRequest(JSON.stringify(body))).toEqual({ ok: true, value }));

  it.each([
    { body: "{", says: "no JSON" },
    { body: "{}", says: "neither object nor queue" },
    { body: JSON.stringify({ object, queue: "failed" }), says: "both" },
    { body: JSON.stringify({ queue: "other" }), says: "another form" },
    { body: JSON.stringify({ queue: "failed", most: 1000 }), says: "another form" },
    { body: JSON.stringify({ object: { ...object, name: "" } }), says: "another form" },
    { body: JSON.stringify({ queue: "failed", dryRun: "no" }), says: "another form" },
    { body: JSON.stringify({ queue: "failed", dryRun: false }), says: "no reason" },
    { body: JSON.stringify({ object, dryRun: false, reason: " " }), says: "another form" },
    { body: JSON.stringify({ object, dryRun: false, reason: "x".repeat(257) }), says: "another form" },
    { body: JSON.stringify({ queue: "failed", olderThan: "soon" }), says: "another form" },
    { body: JSON.stringify({ object, olderThan: "1h" }), says: "nothing to choose" },
  ])("refuses $body", ({ body, says }) => {
    const result = parseReplayRequest(body);
    expect(result).toMatchObject({
      ok: false,
      error: { code: "InvalidReplayRequest", message: expect.stringContaining(says) },
    });
  });

  it("never throws", () =>
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void parseReplayRequest(text))));
});
