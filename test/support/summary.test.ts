import { expect, it } from "vitest";
import { summarize } from "./summary.ts";

const report = { success: true, numPassedTests: 3, numFailedTests: 0, numPendingTests: 1, numTodoTests: 1 };

it.each([
  { when: "all passed", report, status: 0, line: "3 passed, 0 failed, 2 skipped", ok: true },
  { when: "a rejection went unhandled", report, status: 1, line: "3 passed, 1 failed, 2 skipped", ok: false },
  {
    when: "a file did not load",
    report: { ...report, success: false },
    status: 1,
    line: "3 passed, 1 failed, 2 skipped",
    ok: false,
  },
  {
    when: "two tests failed",
    report: { ...report, success: false, numFailedTests: 2 },
    status: 1,
    line: "3 passed, 2 failed, 2 skipped",
    ok: false,
  },
  {
    when: "nothing ran",
    report: { ...report, numPassedTests: 0 },
    status: 0,
    line: "0 passed, 1 failed, 2 skipped",
    ok: false,
  },
  { when: "there is no report", report: undefined, status: 0, line: "0 passed, 1 failed, 0 skipped", ok: false },
])("$when: $line", ({ report, status, line, ok }) => expect(summarize(report, status)).toEqual({ line, ok }));
