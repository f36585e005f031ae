import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { sharedDir } from "../support/shared.ts";

const repo = join(import.meta.dirname, "..", "..");

/** A copy of the working tree in which patches are tried, so that a run cut off leaves nothing behind in the original. */
export interface Sandbox extends Disposable {
  /** Applies a patch; throws with what `git apply` says when it no longer fits. */
  apply(patch: string): void;
  revert(patch: string): void;
  /** Runs these test files. `failed` counts tests that failed; a file that did not load counts as one. */
  test(files: readonly string[]): { readonly passed: number; readonly failed: number };
}

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
}

const listed = (): readonly string[] =>
  execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: repo, encoding: "utf8" })
    .split("\0")
    .filter((file) => file !== "" && existsSync(join(repo, file)));

const copyTo = (folder: string): void => {
  for (const file of listed()) cpSync(join(repo, file), join(folder, file), { recursive: true });
  symlinkSync(join(repo, "node_modules"), join(folder, "node_modules"));
};

/** Room for a whole copy below the system's folder for temporary files; gone when it is disposed of. */
export const openSandbox = (): Sandbox => {
  const folder = mkdtempSync(join(tmpdir(), "capstan-mutants-"));
  copyTo(folder);
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["apply", ...args], { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  return {
    apply: (patch) => git(patch),
    revert: (patch) => git("--reverse", patch),
    test: (files) => {
      const report = join(folder, ".vitest", "results.json");
      rmSync(report, { force: true });
      runVitest(folder, ["run", ...files]);
      const found = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
      const failed = found === undefined ? 1 : Math.max(found.numFailedTests, found.numFailedTestSuites);
      return { passed: found?.numPassedTests ?? 0, failed };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

/** A failing run is what is hoped for: the report tells, not the exit status. */
const runVitest = (folder: string, args: readonly string[]): void => {
  const vitest = join(repo, "node_modules", "vitest", "vitest.mjs");
  const env = {
    ...process.env,
    CAPSTAN_SHARED: sharedDir,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
  };
  try {
    execFileSync(process.execPath, [vitest, ...args], { cwd: folder, env, stdio: "ignore", timeout: 15 * 60_000 });
  } catch {
    // Tests failed, or it took too long; either way the report says what there is to say.
  }
};
