import { existsSync } from "node:fs";
import { mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, describe, expect, it } from "vitest";
import { withFileLock } from "../../../src/sim/controlPlane/fileLock.ts";

const folder = await mkdtemp(join(tmpdir(), "capstan-lock-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const silent = (): void => undefined;

describe("the file lock", () => {
  it("lets one in after the other and says so to the one that waits", async () => {
    const path = join(folder, "shared");
    const seen: string[] = [];
    const entered = Promise.withResolvers<void>();
    const waiting = Promise.withResolvers<void>();
    const first = withFileLock(path, silent, async () => {
      seen.push("first in");
      entered.resolve();
      await waiting.promise;
      seen.push("first out");
    });
    await entered.promise;
    const tellWaiting = (): void => {
      seen.push("second waits");
      waiting.resolve();
    };
    const second = withFileLock(path, tellWaiting, () => Promise.resolve(seen.push("second in")));
    await Promise.all([first, second]);
    expect(seen).toEqual(["first in", "second waits", "first out", "second in"]);
    expect(existsSync(path)).toBe(false);
  });

  it("is given up when the work fails", async () => {
    const path = join(folder, "failing");
    await expect(withFileLock(path, silent, () => Promise.reject(new Error("no compiler")))).rejects.toThrow(
      "no compiler",
    );
    expect(await withFileLock(path, silent, () => Promise.resolve("free"))).toBe("free");
  });

  it.each([
    // No system gives out a process id this high.
    { whose: "a process that is gone", text: `4194999 ${hostname()}\n`, ageSeconds: 0 },
    { whose: "another machine, untouched for two minutes", text: "1 elsewhere\n", ageSeconds: 120 },
  ])("is taken from $whose", async ({ text, ageSeconds }) => {
    const path = join(folder, `stale-${ageSeconds}`);
    await writeFile(path, text);
    const then = new Date(Date.now() - ageSeconds * 1000);
    await utimes(path, then, then);
    expect(await withFileLock(path, silent, () => Promise.resolve("taken"))).toBe("taken");
  });

  it("is not taken from a fresh holder elsewhere", async () => {
    const path = join(folder, "fresh");
    await writeFile(path, "1 elsewhere\n");
    let taken = false;
    const later = withFileLock(path, silent, () => {
      taken = true;
      return Promise.resolve();
    });
    await sleep(600);
    expect(taken).toBe(false);
    await rm(path);
    await later;
    expect(taken).toBe(true);
  });
});
