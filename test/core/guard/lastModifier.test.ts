import { describe, expect, it } from "vitest";
import { lastModifier } from "../../../src/core/guard/lastModifier.ts";

const systemData = (more: Readonly<Record<string, string>>) => ({
  systemData: {
    lastModifiedBy: "ops@example.com",
    lastModifiedByType: "User",
    lastModifiedAt: "2026-01-01T10:00:00Z",
    ...more,
  },
});
const before = Date.parse("2026-01-01T09:00:00Z");
const after = Date.parse("2026-01-01T11:00:00Z");

describe("who changed a resource last, by its own word", () => {
  it.each([
    {
      when: "somebody did after our last write",
      body: systemData({}),
      wroteAtMs: before,
      expected: ["ops@example.com (User)"],
    },
    {
      when: "the type is missing",
      body: systemData({ lastModifiedByType: "" }),
      wroteAtMs: before,
      expected: ["ops@example.com"],
    },
    { when: "it was our own write", body: systemData({}), wroteAtMs: after, expected: [] },
    { when: "it does not say when", body: systemData({ lastModifiedAt: "" }), wroteAtMs: before, expected: [] },
    { when: "it does not say who", body: systemData({ lastModifiedBy: "" }), wroteAtMs: before, expected: [] },
    { when: "it tells nothing", body: {}, wroteAtMs: before, expected: [] },
  ])("$when -> $expected", ({ body, wroteAtMs, expected }) => expect(lastModifier(body, wroteAtMs)).toEqual(expected));
});
