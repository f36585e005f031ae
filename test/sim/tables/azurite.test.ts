import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AzureNamedKeyCredential, TableClient } from "@azure/data-tables";
import { afterEach, describe, expect, it } from "vitest";
import { startTables, type Tables, type TablesOptions } from "../../../src/sim/tables/azurite.ts";

const running: Tables[] = [];
const folders: string[] = [];
const start = async (options?: TablesOptions): Promise<Tables> => {
  const tables = await startTables(options);
  running.push(tables);
  return tables;
};
const newFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "tables-"));
  folders.push(folder);
  return folder;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((tables) => tables.stop()));
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true })));
});
const stateOf = ({ connectionString }: Tables): TableClient =>
  TableClient.fromConnectionString(connectionString, "state", { allowInsecureConnection: true });
const row = { partitionKey: "p", rowKey: "object", turn: 7 };

describe("startTables", () => {
  it("serves tables by connection string and by key, and stops", async () => {
    const tables = await start();
    await stateOf(tables).createTable();
    await stateOf(tables).createEntity(row);
    const { url, accountName, accountKey } = tables;
    const byKey = new TableClient(url, "state", new AzureNamedKeyCredential(accountName, accountKey), {
      allowInsecureConnection: true,
    });
    expect(await byKey.getEntity("p", "object")).toMatchObject(row);
    expect(await tables.stop()).toEqual({ code: 0, signal: null });
  });

  it("keeps what is in its folder", async () => {
    const persistTo = join(await newFolder(), "new");
    const first = await start({ persistTo });
    await stateOf(first).createTable();
    await stateOf(first).createEntity(row);
    await first.stop();
    const second = await start({ persistTo, port: Number(new URL(first.url).port) });
    expect(second.url).toBe(first.url);
    expect(await stateOf(second).getEntity("p", "object")).toMatchObject(row);
    expect(await readdir(persistTo)).toEqual(["tables.json"]);
  });

  it("says why it cannot start", async () => {
    const { url } = await start();
    await expect(startTables({ port: Number(new URL(url).port) })).rejects.toThrow("EADDRINUSE");
  });
});
