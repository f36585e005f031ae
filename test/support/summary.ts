import { existsSync, readFileSync } from "node:fs";

/** The counts of a vitest JSON report that matter here; anything else in the file is ignored. */
interface Report {
  readonly success: boolean;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numTodoTests: number;
}

/**
 * One line for the gate: `N passed, N failed, N skipped`. A run whose exit status is not 0 counts as failed even when
 * its report says otherwise: vitest reports success after an unhandled rejection, and no failure for a file that did
 * not load.
 */
export const summarize = (
  report: Report | undefined,
  status: number,
): { readonly line: string; readonly ok: boolean } => {
  const passed = report?.numPassedTests ?? 0;
  const broken = status !== 0 || report === undefined || !report.success || passed === 0;
  const failed = Math.max(report?.numFailedTests ?? 0, broken ? 1 : 0);
  const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  return { line: `${passed} passed, ${failed} failed, ${skipped} skipped`, ok: failed === 0 };
};

if (import.meta.main) {
  const path = ".vitest/results.json";
  const report = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Report) : undefined;
  const { line, ok } = summarize(report, Number(process.argv[2] ?? "1"));
  console.log(line);
  process.exitCode = ok ? 0 : 1;
}
