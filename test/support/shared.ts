import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";

/** The folder of contract files and fact sheets beside the repository. A stranger's clone has none. */
export const sharedDir = process.env["CAPSTAN_SHARED"] ?? join(import.meta.dirname, "..", "..", "..", "shared");

/**
 * `describe` for tests that read the shared folder. Without it they are skipped under their own name, so that the count
 * tells; in CI its absence is a failure. The body is not even called then: it may read the folder to list its tests.
 */
export const describeWithShared = (name: string, body: () => void): void => {
  if (existsSync(join(sharedDir, "contract"))) {
    describe(name, body);
    return;
  }
  if (process.env["CI"] !== "true") {
    it.skip(`${name} (needs the shared folder)`);
    return;
  }
  it(`${name}: needs the shared folder`, () => {
    throw new Error(`${sharedDir} is missing; with CI=true the tests that need it must run`);
  });
};
