import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/types.ts";
import type { TableAction, TableRow, Tables } from "../../../src/ports.ts";
import { must } from "./must.ts";

const partition = "cluster~team~AzureCluster~demo";
const insert = (row: string, values: TableRow["values"] = {}): TableAction => ({ kind: "insert", row, values });
const lostRace = { ok: false, error: { kind: "conflict", code: "PreconditionFailed" } };

/**
 * What every form of the tables has to do.
 * @param make tables without any row; the time of their service goes on by itself or stands still
 */
export const tablesContract = (make: () => Promise<Tables>): void => {
  const withRow = async (): Promise<{ readonly tables: Tables; readonly etag: string }> => {
    const tables = await make();
    const etags = must(await tables.commit("state", partition, [insert("object", { turn: 1 })]));
    return { tables, etag: etags.get("object") ?? "" };
  };
  const read = async (tables: Tables, row: string): Promise<TableRow | undefined> =>
    must(await tables.get("state", partition, row));

  describe("tables contract", () => {
    it("has nothing at first", async () => {
      const tables = await make();
      expect(await tables.get("state", partition, "object")).toEqual({ ok: true, value: undefined });
      expect(await tables.list("state", partition)).toEqual({ ok: true, value: [] });
    });

    it("gives back what was stored, to the bit", async () => {
      const tables = await make();
      const values = {
        text: "ä€😀'\n",
        empty: "",
        zero: 0,
        int: -7,
        big: 1_790_000_000_123,
        part: 0.1,
        yes: true,
        no: false,
      };
      const packed: Readonly<Record<string, Json>> = {
        row: { a: [null, 1.5, "😀", { b: [] }], "": "x" },
        list: [],
        none: null,
      };
      const etags = must(await tables.commit("state", partition, [{ kind: "insert", row: "object", values, packed }]));
      expect(await read(tables, "object")).toEqual({
        partition,
        row: "object",
        etag: etags.get("object"),
        values,
        packed,
      });
    });

    it("stores large values in pieces", async () => {
      const tables = await make();
      const packed = { row: randomBytes(300_000).toString("hex"), other: [1] };
      must(await tables.commit("state", partition, [{ kind: "insert", row: "object", values: {}, packed }]));
      expect((await read(tables, "object"))?.packed).toEqual(packed);
    });

    it("refuses what is too large before it is sent", async () => {
      const tables = await make();
      const packed = { row: randomBytes(4_500_000).toString("hex") };
      const large: TableAction = { kind: "insert", row: "large", values: {}, packed };
      const answer = await tables.commit("state", partition, [insert("object"), large]);
      expect(answer).toMatchObject({ ok: false, error: { code: "RowTooLarge" } });
      expect(await tables.list("state", partition)).toEqual({ ok: true, value: [] });
    });

    it("inserts only what is not there", async () => {
      const { tables } = await withRow();
      expect(await tables.commit("state", partition, [insert("object", { turn: 2 })])).toMatchObject(lostRace);
      expect((await read(tables, "object"))?.values).toEqual({ turn: 1 });
    });

    it("replaces only under the etag as read, and wholly", async () => {
      const { tables, etag } = await withRow();
      const replace = { kind: "replace", row: "object", values: { next: 2 }, packed: { row: [2] }, etag } as const;
      const etags = must(await tables.commit("state", partition, [replace]));
      expect(await read(tables, "object")).toMatchObject({ values: { next: 2 }, packed: { row: [2] } });
      expect(etags.get("object")).not.toBe(etag);
      expect(await tables.commit("state", partition, [replace])).toMatchObject(lostRace);
      const again = { kind: "replace", row: "object", values: {}, etag: etags.get("object") ?? "" } as const;
      must(await tables.commit("state", partition, [again]));
      expect(await read(tables, "object")).toMatchObject({ values: {}, packed: {} });
    });

    it("does not replace what is gone", async () => {
      const { tables, etag } = await withRow();
      must(await tables.commit("state", partition, [{ kind: "delete", row: "object" }]));
      const replace: TableAction = { kind: "replace", row: "object", values: {}, etag };
      expect(await tables.commit("state", partition, [replace])).toMatchObject(lostRace);
      expect(await tables.commit("state", partition, [replace, insert("other")])).toMatchObject(lostRace);
      expect(await tables.list("state", partition)).toEqual({ ok: true, value: [] });
    });

    it("upserts whatever is there", async () => {
      const { tables } = await withRow();
      const upserts = [
        { kind: "upsert", row: "object", values: { turn: 9 } },
        { kind: "upsert", row: "fresh", values: { turn: 1 } },
      ] as const;
      const etags = must(await tables.commit("state", partition, upserts));
      expect(await read(tables, "object")).toMatchObject({ values: { turn: 9 }, etag: etags.get("object") });
      expect(await read(tables, "fresh")).toMatchObject({ values: { turn: 1 }, etag: etags.get("fresh") });
    });

    it("writes all of a transaction or nothing", async () => {
      const { tables, etag } = await withRow();
      const replace = (under: string): TableAction => ({
        kind: "replace",
        row: "object",
        values: { turn: 2 },
        etag: under,
      });
      const others = [insert("a"), { kind: "upsert", row: "b", values: {} }, insert("c")] as const;
      expect(await tables.commit("state", partition, [...others, replace('W/"stale"')])).toMatchObject(lostRace);
      expect(must(await tables.list("state", partition)).map(({ row }) => row)).toEqual(["object"]);
      const etags = must(await tables.commit("state", partition, [replace(etag), ...others]));
      const rows = must(await tables.list("state", partition));
      expect(new Map(rows.map((row) => [row.row, row.etag]))).toEqual(etags);
      expect(rows.map(({ row }) => row)).toEqual(["a", "b", "c", "object"]);
    });

    it("deletes what is there and is content with what is not", async () => {
      const { tables, etag } = await withRow();
      must(await tables.commit("state", partition, [{ kind: "delete", row: "missing" }]));
      const replace: TableAction = { kind: "replace", row: "object", values: { turn: 2 }, etag };
      const gone = ["x", "y"].map((row): TableAction => ({ kind: "delete", row }));
      must(await tables.commit("state", partition, [...gone, replace, insert("kept")]));
      expect((await read(tables, "object"))?.values).toEqual({ turn: 2 });
      must(await tables.commit("state", partition, [{ kind: "delete", row: "object" }, ...gone]));
      expect(must(await tables.list("state", partition)).map(({ row }) => row)).toEqual(["kept"]);
    });

    it("deletes a lone row only under the etag it is given", async () => {
      const { tables, etag } = await withRow();
      const remove = (under: string): TableAction => ({ kind: "delete", row: "object", etag: under });
      expect(await tables.commit("state", partition, [remove('W/"stale"')])).toMatchObject(lostRace);
      must(await tables.commit("state", partition, [remove(etag)]));
      expect(await read(tables, "object")).toBeUndefined();
      expect(await tables.commit("state", partition, [remove(etag)])).toMatchObject(lostRace);
    });

    it("lets one of many racing writers win", async () => {
      const { tables, etag } = await withRow();
      const race = async (turn: number) =>
        tables.commit("state", partition, [
          { kind: "replace", row: "object", values: { turn }, etag },
          insert(`by${turn}`),
        ]);
      const answers = await Promise.all(Array.from({ length: 8 }, (_, index) => race(index + 10)));
      expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
      for (const answer of answers.filter(({ ok }) => !ok)) expect(answer).toMatchObject(lostRace);
      expect(must(await tables.list("state", partition))).toHaveLength(2);
    });

    it("lists more than a page, sorted, of one partition of one table", async () => {
      const tables = await make();
      const rows = Array.from({ length: 1_080 }, (_, index) => `row${String(index).padStart(4, "0")}`);
      for (let from = 0; from < rows.length; from += 90)
        must(
          await tables.commit(
            "index",
            "shard",
            rows.slice(from, from + 90).map((row) => insert(row)),
          ),
        );
      must(await tables.commit("index", "shard2", [insert("foreign")]));
      must(await tables.commit("history", "shard", [insert("foreign")]));
      expect(must(await tables.list("index", "shard")).map(({ row }) => row)).toEqual(rows);
    });

    it("does nothing when asked for nothing", async () => {
      const tables = await make();
      expect(await tables.commit("shared", "p", [])).toEqual({ ok: true, value: new Map() });
    });

    it("tells its time, which never goes back", async () => {
      const { tables } = await withRow();
      const times = [tables.nowMs()];
      for (let reads = 0; reads < 5; reads += 1) {
        await read(tables, "object");
        times.push(tables.nowMs());
      }
      expect(times).not.toContain(undefined);
      expect(times.toSorted((one, other) => Number(one) - Number(other))).toEqual(times);
    });
  });
};
