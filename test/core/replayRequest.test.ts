import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReplayRequest } from "../../src/core/replayRequest.ts";

const object = { cluster: "c", kind: "AzureCluster", namespace: "default", name: "demo" };

describe("a replay request", () => {
  it.each([
    { body: { object }, value: { request: { kind: "object", item: object }, dryRun: true } },
    { body: { object, dryRun: false }, value: { request: { kind: "object", item: object }, dryRun: false } },
    { body: { queue: "failed" }, value: { request: { kind: "queue", queue: "failed", most: 100 }, dryRun: true } },
    {
      body: { queue: "deadLetter", most: 5, dryRun: false },
      value: { request: { kind: "queue", queue: "deadLetter", most: 5 }, dryRun: false },
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
