import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readJournal } from "../../../../src/sim/serviceBus/journal/readJournal.ts";
import { tempFolder } from "./tempFolder.ts";

const read = async (content: string): Promise<readonly unknown[]> => {
  const path = join(await tempFolder(), "journal");
  await writeFile(path, content);
  return Array.fromAsync(readJournal(path));
};

describe("readJournal", () => {
  it("is empty when there is no file", async () =>
    expect(await Array.fromAsync(readJournal(join(await tempFolder(), "none")))).toEqual([]));

  it.each([
    { when: "all lines are whole", content: '{"a":1}\n{"a":2}\n', values: [{ a: 1 }, { a: 2 }] },
    { when: "the last line lacks its end", content: '{"a":1}\n{"a":2}', values: [{ a: 1 }, { a: 2 }] },
    { when: "the last line was cut off", content: '{"a":1}\n{"a":', values: [{ a: 1 }] },
    { when: "nothing was written", content: "", values: [] },
  ])("reads what is whole when $when", async ({ content, values }) => expect(await read(content)).toEqual(values));

  it("refuses damage in the middle", async () =>
    expect(read('{"a":1}\n{"a":\n{"a":3}\n')).rejects.toThrow("damaged in line 2"));
});
