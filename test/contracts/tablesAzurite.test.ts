import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TableClient } from "@azure/data-tables";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { tables as openTables } from "../../src/adapters/tables.ts";
import type { Tables } from "../../src/ports.ts";
import { type Tables as Azurite, startTables } from "../../src/sim/tables/azurite.ts";
import { must } from "../support/contracts/must.ts";
import { tablesContract } from "../support/contracts/tablesContract.ts";

let azurite: Azurite;
let serial = 0;
beforeAll(async () => {
  azurite = await startTables();
});
afterAll(() => azurite.stop());

/** Tables under names of their own. */
const make = (monotonicMs?: () => number): Tables => {
  serial += 1;
  return openTables({
    source: { kind: "connectionString", connectionString: azurite.connectionString },
    prefix: `t${serial}`,
    ...(monotonicMs !== undefined && { monotonicMs }),
  });
};

tablesContract(() => Promise.resolve(make()));

describe("the tables adapter", () => {
  it("knows no time before the first answer, then the service's", async () => {
    let elapsed = 5_000;
    const tables = make(() => elapsed);
    expect(tables.nowMs()).toBeUndefined();
    must(await tables.get("state", "p", "r"));
    const first = tables.nowMs() ?? 0;
    expect(first % 1_000).toBe(0);
    expect(Math.abs(first - Date.now())).toBeLessThan(60_000);
    elapsed += 1_234;
    expect(tables.nowMs()).toBe(first + 1_234);
  });

  it("gives back a damaged row without its packed values", async () => {
    const tables = make();
    const packed = { row: { a: 1 }, other: [2] };
    must(await tables.commit("state", "p", [{ kind: "insert", row: "r", values: { v: 1 }, packed }]));
    const client = TableClient.fromConnectionString(azurite.connectionString, `t${serial}state`, {
      allowInsecureConnection: true,
    });
    const damage = { partitionKey: "p", rowKey: "r", packed_row_0: new Uint8Array([1, 2, 3]) };
    await client.updateEntity(damage, "Merge");
    expect(must(await tables.get("state", "p", "r"))).toMatchObject({ values: { v: 1 }, packed: {} });
    expect(must(await tables.list("state", "p"))).toMatchObject([{ values: { v: 1 }, packed: {} }]);
  });

  it("refuses strings and rows that the service would refuse, before sending", async () => {
    const tables = make();
    const values = (length: number) => ({ text: "x".repeat(length) });
    const commit = (row: string, length: number) =>
      tables.commit("state", "p", [{ kind: "insert", row, values: values(length) }]);
    must(await commit("fits", 32_768));
    expect(await commit("long", 32_769)).toMatchObject({ ok: false, error: { code: "RowTooLarge" } });
    const many = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`v${index}`, "x".repeat(32_000)]));
    expect(await tables.commit("state", "p", [{ kind: "insert", row: "wide", values: many }])).toMatchObject({
      ok: false,
      error: { code: "RowTooLarge" },
    });
    expect(must(await tables.list("state", "p")).map(({ row }) => row)).toEqual(["fits"]);
  });

  it("throws for a name that only a defect can bring", async () => {
    const tables = make();
    for (const name of ["etag", "PartitionKey", "Timestamp", "packed_row_0"])
      await expect(
        tables.commit("state", "p", [{ kind: "upsert", row: "r", values: { [name]: "x" } }]),
      ).rejects.toThrow("no name");
  });
});

describe("tables that do not answer", () => {
  /** A table service that gives this status, or cuts the connection. */
  const broken = async (status: number | "cut"): Promise<{ readonly tables: Tables; readonly stop: () => void }> => {
    const server = createServer((request, response) => {
      if (status === "cut") request.socket.destroy();
      else response.writeHead(status, { "content-type": "application/json" }).end("{}");
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/devstoreaccount1`;
    const connectionString = azurite.connectionString.replace(/TableEndpoint=[^;]*/, `TableEndpoint=${url}`);
    return {
      tables: openTables({ source: { kind: "connectionString", connectionString } }),
      stop: () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };
  const one = [{ kind: "insert", row: "r", values: {} }] as const;
  const two = [...one, { kind: "upsert", row: "s", values: {} }] as const;

  it.each([
    { status: "cut", read: { kind: "transient", code: "NoAnswer" }, write: { code: "OutcomeUnknown" } },
    { status: 500, read: { kind: "transient", status: 500 }, write: { code: "OutcomeUnknown" } },
    { status: 503, read: { kind: "transient", status: 503 }, write: { code: "OutcomeUnknown" } },
    { status: 403, read: { kind: "auth", status: 403 }, write: { kind: "auth", status: 403 } },
    { status: 400, read: { kind: "badConfiguration" }, write: { kind: "badConfiguration" } },
  ] as const)("because of $status", async ({ status, read, write }) => {
    const { tables, stop } = await broken(status);
    try {
      expect(await tables.get("state", "p", "r")).toMatchObject({ ok: false, error: read });
      expect(await tables.list("state", "p")).toMatchObject({ ok: false, error: read });
      expect(await tables.commit("state", "p", one)).toMatchObject({ ok: false, error: write });
      expect(await tables.commit("state", "p", two)).toMatchObject({ ok: false, error: write });
    } finally {
      stop();
    }
  });

  it("were not reached when nothing listens", async () => {
    const { tables, stop } = await broken("cut");
    stop();
    expect(await tables.commit("state", "p", one)).toMatchObject({ ok: false, error: { code: "NoAnswer" } });
  });
});
