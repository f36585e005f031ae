import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lockDirectory } from "../../../../src/sim/serviceBus/journal/directoryLock.ts";
import { tempFolder } from "./tempFolder.ts";

describe("lockDirectory", () => {
  it("makes the folder, takes it and gives it back", async () => {
    const folder = join(await tempFolder(), "new", "folder");
    const unlock = await lockDirectory(folder);
    expect(await readFile(join(folder, "lock"), "utf8")).toBe(String(process.pid));
    await unlock();
    expect(existsSync(join(folder, "lock"))).toBe(false);
  });

  it("refuses a folder that another living process has", async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, "lock"), String(process.ppid));
    await expect(lockDirectory(folder)).rejects.toThrow(`is in use by process ${process.ppid}`);
  });

  it.each(["", "no number", String(2 ** 30)])("takes over a lock whose holder is gone (%j)", async (content) => {
    const folder = await tempFolder();
    await writeFile(join(folder, "lock"), content);
    await expect(lockDirectory(folder)).resolves.toBeTypeOf("function");
  });
});
