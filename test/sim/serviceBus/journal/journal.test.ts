import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Journal, type JournalOptions } from "../../../../src/sim/serviceBus/journal/journal.ts";
import { tempFolder } from "./tempFolder.ts";

/** A journal of the last value of each key: most of what is written becomes stale. */
const aJournal = async (more: Partial<JournalOptions> = {}) => {
  const path = join(await tempFolder(), "journal");
  const live = new Map<string, number>();
  const failures: Error[] = [];
  const lines = () => [...live].map(([key, value]) => JSON.stringify({ key, value }));
  const journal = await Journal.open({
    path,
    snapshot: lines,
    liveBytes: () => lines().join("\n").length,
    onFailure: (error) => failures.push(error),
    ...more,
  });
  const put = (key: string, value: number) => {
    live.set(key, value);
    journal.append(JSON.stringify({ key, value }));
  };
  const onDisk = async () => {
    const text = await readFile(path, "utf8");
    const records = text
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { key: string; value: number });
    return new Map(records.map(({ key, value }) => [key, value]));
  };
  return { path, journal, live, failures, put, onDisk };
};

describe("commit", () => {
  it("resolves when all that was appended is in the file", async () => {
    const { journal, live, put, onDisk } = await aJournal();
    for (let round = 0; round < 20; round += 1) {
      put(`key ${round % 7}`, round);
      const first = journal.commit();
      put("other", round);
      await Promise.all([first, journal.commit()]);
      expect(await onDisk()).toEqual(live);
    }
    await journal.close();
  });

  it("waits for a write that is under way even when nothing new was appended", async () => {
    const { journal, live, put, onDisk } = await aJournal();
    put("a", 1);
    void journal.commit();
    await new Promise(setImmediate);
    await journal.commit();
    expect(await onDisk()).toEqual(live);
    await journal.close();
  });

  it("rejects once the disk has failed, and says so once", async () => {
    const { journal, failures, put } = await aJournal();
    await journal.close();
    put("a", 1);
    await expect(journal.commit()).rejects.toThrow();
    await expect(journal.commit()).rejects.toThrow();
    expect(failures).toHaveLength(1);
  });
});

describe("close", () => {
  it("writes what nobody waited for", async () => {
    const { journal, live, put, onDisk } = await aJournal();
    put("a", 1);
    await journal.close();
    expect(await onDisk()).toEqual(live);
  });
});

describe("compaction", () => {
  it("happens beside normal operation, keeps the file small and loses nothing", async () => {
    const compactFromBytes = 2000;
    const { path, journal, live, put, onDisk } = await aJournal({ compactFromBytes });
    let written = 0;
    for (let round = 0; round < 1000; round += 1) {
      put(`key ${round % 10}`, round);
      written += JSON.stringify({ key: `key ${round % 10}`, value: round }).length + 1;
      if (round % 3 === 0) await journal.commit();
      if (round % 50 === 0) {
        await journal.commit();
        expect(await onDisk()).toEqual(live);
      }
    }
    await journal.close();
    expect(await onDisk()).toEqual(live);
    expect((await stat(path)).size).toBeLessThan(written / 2);
  });

  it("does not happen while most of the file is alive", async () => {
    const { path, journal, put } = await aJournal({ compactFromBytes: 100 });
    const first = (await stat(path)).ino;
    for (let round = 0; round < 200; round += 1) {
      put(`key ${round}`, round);
      await journal.commit();
    }
    await journal.close();
    expect((await stat(path)).ino).toBe(first);
  });

  it("that fails stops the journal instead of losing lines", async () => {
    const { path, journal, failures, put } = await aJournal({ compactFromBytes: 100 });
    await rm(join(path, ".."), { recursive: true });
    const rounds = async () => {
      for (let round = 0; round < 1000; round += 1) {
        put("key", round);
        await journal.commit();
      }
    };
    await expect(rounds()).rejects.toThrow();
    expect(failures).toHaveLength(1);
  });
});
