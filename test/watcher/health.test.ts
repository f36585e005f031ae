import { describe, expect, it } from "vitest";
import { deadAfterMs, deadlyProblems, missingForReady } from "../../src/watcher/health.ts";
import { newKindStatus } from "../../src/watcher/kindStatus.ts";
import { aStatus, watching } from "./support/status.ts";

const late = deadAfterMs + 1;

describe("liveness", () => {
  it.each([
    {
      when: "bookmarks come",
      status: aStatus({ nowMs: late, kinds: [watching({ progressMs: late - 60_000 })] }),
      dead: 0,
    },
    { when: "a watch is blind", status: aStatus({ nowMs: late, kinds: [watching({ progressMs: 0 })] }), dead: 1 },
    {
      when: "the server is away and the watch keeps asking",
      status: aStatus({
        nowMs: late,
        kinds: [watching({ progressMs: 0, failureMs: late - 10_000, phase: "failing" })],
      }),
      dead: 0,
    },
    {
      when: "the watch stopped asking",
      status: aStatus({ nowMs: 2 * late, kinds: [watching({ progressMs: 0, failureMs: 5, phase: "failing" })] }),
      dead: 1,
    },
    { when: "no send ends", status: aStatus({ nowMs: late, outbox: { size: 1, answeredMs: 0 } }), dead: 1 },
    {
      when: "the broker refuses",
      status: aStatus({ nowMs: late, outbox: { size: 9, answeredMs: late - 5 } }),
      dead: 0,
    },
    { when: "there is nothing to send", status: aStatus({ nowMs: late, outbox: { answeredMs: 0 } }), dead: 0 },
  ])("has $dead problems when $when", ({ status, dead }) => {
    expect(deadlyProblems(status)).toHaveLength(dead);
  });
});

describe("readiness", () => {
  it("comes with the first complete list of every kind that there is", () => {
    const starting = { ...newKindStatus("Cluster", 0), objects: 0 };
    expect(missingForReady(aStatus({ kinds: [watching({}), starting] }))).toEqual(["watch of Cluster: starting"]);
    expect(missingForReady(aStatus({ kinds: [watching({}), { ...starting, phase: "missing" }] }))).toEqual([]);
    expect(missingForReady(aStatus({ opened: false }))).toEqual(["announcements have not begun"]);
  });
});
