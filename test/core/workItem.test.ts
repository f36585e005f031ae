import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { doorbell, drift, followUp, replay, resync } from "../../src/core/chain/messages.ts";
import { messageIdOf } from "../../src/core/messageId.ts";
import { causes, keyOf, parseWorkItem } from "../../src/core/workItem.ts";
import { address, anItem, aRow, now } from "./chain/support/build.ts";

const codeOf = (value: unknown): string => {
  const result = parseWorkItem(value);
  return result.ok ? "ok" : result.error.code;
};
const news = { uid: "u1", generation: 3, inputs: "i", paused: false, deleting: false };

describe("parseWorkItem", () => {
  it.each(causes)("reads a %s", (cause) => {
    const item = anItem({ cause, turn: 4, listed: true });
    expect(parseWorkItem(JSON.parse(JSON.stringify(item)))).toEqual({ ok: true, value: item });
  });
  it("reads that the object was moved, and messages of a release that did not say so", () => {
    expect(parseWorkItem({ ...anItem(), moved: true })).toEqual({ ok: true, value: { ...anItem(), moved: true } });
    expect(parseWorkItem({ ...anItem(), moved: false }).ok).toBe(false);
    expect(parseWorkItem(anItem())).not.toHaveProperty("value.moved");
  });
  it("leaves out what it does not know", () =>
    expect(parseWorkItem({ ...anItem(), spec: { secret: "x" } })).toEqual({ ok: true, value: anItem() }));
  it("answers anything", () =>
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true }), (value) => {
        expect(parseWorkItem(value).ok).toBe(false);
      }),
    ));
  it.each([
    { when: "a newer format", value: { ...anItem(), v: 2 }, code: "MessageFromTheFuture" },
    { when: "no format", value: { ...anItem(), v: undefined }, code: "UnreadableMessage" },
    { when: "no name", value: { ...anItem(), name: "" }, code: "UnreadableMessage" },
    { when: "an unknown cause", value: { ...anItem(), cause: "whim" }, code: "UnreadableMessage" },
    { when: "a generation that is no count", value: { ...anItem(), generation: 1.5 }, code: "UnreadableMessage" },
    { when: "a follow-up of no turn", value: anItem({ cause: "followUp" }), code: "UnreadableMessage" },
    { when: "a list", value: [anItem()], code: "UnreadableMessage" },
    { when: "nothing", value: undefined, code: "UnreadableMessage" },
  ])("$when -> $code", ({ value, code }) => expect(codeOf(value)).toBe(code));
  it("names the property that is wrong, never its value", () => {
    const result = parseWorkItem({ ...anItem(), paused: "s3cret" });
    expect(result).toMatchObject({ ok: false, error: { message: expect.stringContaining("/paused") } });
    expect(JSON.stringify(result)).not.toContain("s3cret");
  });
});

describe("message ids", () => {
  const all = [
    doorbell({ cause: "change", address, news, versions: ["1", "2"], nowMs: now }),
    doorbell({ cause: "dependency", address, news, versions: ["1", "2"], nowMs: now }),
    doorbell({ cause: "change", address, news, versions: ["1", "3"], nowMs: now }),
    doorbell({ cause: "change", address: { ...address, name: "other" }, news, versions: ["1", "2"], nowMs: now }),
    doorbell({ cause: "change", address: { ...address, cluster: "other" }, news, versions: ["1", "2"], nowMs: now }),
    followUp({ address, row: aRow(), nowMs: now }),
    followUp({ address, row: aRow({ turn: 6 }), nowMs: now }),
    followUp({ address, row: aRow({ incarnation: "other" }), nowMs: now }),
    resync({ address, uid: "u1", scheduledMs: now, dueMs: now, nowMs: now, listed: false }),
    resync({ address, uid: "u1", scheduledMs: now, dueMs: now, nowMs: now, listed: true }),
    resync({ address, uid: "u1", scheduledMs: now + 300_000, dueMs: now, nowMs: now, listed: false }),
    drift({ address, uid: "u1", scheduledMs: now, dueMs: now, nowMs: now }),
    replay({ address, uid: "", request: "r1", nowMs: now }),
    replay({ address: { ...address, name: "other" }, uid: "", request: "r1", nowMs: now }),
    replay({ address, uid: "", request: "r2", nowMs: now }),
  ];
  it("differ for different messages", () =>
    expect(new Set(all.map(({ messageId }) => messageId)).size).toBe(all.length));
  it("are those of the items", () =>
    expect(all.map(({ item }) => messageIdOf(item))).toEqual(all.map(({ messageId }) => messageId)));
  it("all parse", () => {
    for (const { item } of all)
      expect(parseWorkItem(JSON.parse(JSON.stringify(item)))).toEqual({ ok: true, value: item });
  });
  it("are equal in both watcher replicas, whenever they send and in whatever order they saw", () =>
    expect(doorbell({ cause: "change", address, news, versions: ["2", "1"], nowMs: now + 5 }).messageId).toBe(
      all[0]?.messageId,
    ));
  it("tell attempts apart", () => expect(messageIdOf(anItem({ attempt: 1 }))).not.toBe(messageIdOf(anItem())));
});

describe("keyOf", () => {
  it("leaves the cluster out", () =>
    expect(keyOf(address)).toEqual({ kind: "AzureCluster", namespace: "default", name: "demo" }));
});
