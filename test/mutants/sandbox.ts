import { execFile, execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { sharedDir } from "../support/shared.ts";

const repo = join(import.meta.dirname, "..", "..");

/** Lines of context that a patch still needs: a change nearby shall not make it useless. */
export const leastContext = "-C1";

/** How far the tests are run. */
type Extent = "all" | "untilOneFails";

/** A copy of the working tree in which patches are tried, so that a run cut off leaves nothing behind in the original. */
export interface Sandbox extends Disposable {
  /** Whether the patch fits; it is applied then. */
  apply(patch: string): boolean;
  revert(patch: string): void;
  /** Runs these test files. `failed` counts tests that failed; a file that did not load, or did not end, counts as one. */
  test(files: readonly string[], extent: Extent): Promise<{ readonly passed: number; readonly failed: number }>;
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
  const git = (...args: readonly string[]): boolean =>
    spawnSync("git", ["apply", leastContext, ...args], { cwd: folder, stdio: "ignore" }).status === 0;
  return {
    apply: (patch) => git(patch),
    revert: (patch) => {
      if (!git("--reverse", patch)) throw new Error(`${patch} cannot be taken back`);
    },
    test: async (files, extent) => {
      const report = join(folder, ".vitest", "results.json");
      rmSync(report, { force: true });
      await runVitest(folder, ["run", ...flags[extent], ...files]);
      const found = existsSync(report) ? (JSON.parse(readFileSync(report, "utf8")) as Report) : undefined;
      const failed = found === undefined ? 1 : Math.max(found.numFailedTests, found.numFailedTestSuites);
      return { passed: found?.numPassedTests ?? 0, failed };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
};

const flags: Readonly<Record<Extent, readonly string[]>> = {
  all: [],
  untilOneFails: ["--bail", "1", "--maxWorkers", "1"],
};

/** Of one run: a mutant may make a test endless. */
const mostMs = 10 * 60_000;
/** What vitest prints; it is thrown away. */
const mostBytes = 1 << 28;

/** A failing run is what is hoped for: the report tells, not the exit status. */
const runVitest = async (folder: string, args: readonly string[]): Promise<void> => {
  const vitest = join(repo, "node_modules", "vitest", "vitest.mjs");
  const env = {
    ...process.env,
    CAPSTAN_SHARED: sharedDir,
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
  };
  const options = { cwd: folder, env, timeout: mostMs, maxBuffer: mostBytes };
  try {
    await promisify(execFile)(process.execPath, [vitest, ...args], options);
  } catch {
    // Tests failed, or it took too long; either way the report says what there is to say.
  }
};
