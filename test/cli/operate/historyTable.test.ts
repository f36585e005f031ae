import { describe, expect, it } from "vitest";
import { historyJson, historyTable } from "../../../src/cli/operate/historyTable.ts";
import type { HistoryEntry } from "../../../src/engine/historyRow.ts";

const id = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Network/routeTables/r";
const turn: HistoryEntry = {
  kind: "turn",
  atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
  turn: 12,
  cause: "change",
  generation: 3,
  result: "through",
  wrote: 1,
  polled: 0,
  code: "",
  message: "",
  writes: [
    {
      id,
      method: "PUT",
      cause: "change",
      creating: false,
      changes: [{ path: "tags.team", from: "blue", to: "red", effect: "inPlace" }],
      more: 3,
      requests: [
        { method: "PUT", status: 409, code: "Busy", message: "later", requestId: "r-1", correlationId: "c-1" },
      ],
    },
  ],
  troubles: [
    { id, method: "PUT", status: 409, code: "Busy", message: "later", requestId: "r-1", correlationId: "c-1" },
    { id, method: "POLL", code: "NoAnswer", message: "cut" },
  ],
  holds: [{ id, reason: "ReconcileLoop", message: "written 4 times" }],
};
const replay: HistoryEntry = {
  ...turn,
  kind: "replay",
  turn: 0,
  generation: 0,
  cause: "ada",
  result: "enqueued",
  message: "quota raised",
  writes: [],
  troubles: [],
  holds: [],
};

describe("history as a table", () => {
  it("has a line for each write with its outcome, for each change, each other failure and each hold", () => {
    expect(historyTable([turn, replay], false)).toEqual([
      "TIME                   TURN   CAUSE           GENERATION   RESULT     WHAT",
      "2026-01-02T03:04:05Z   12     change          3            through    PUT routeTables/r: 409 Busy: later",
      '                                                                        tags.team: "blue" -> "red"',
      "                                                                        and 3 more",
      "                                                                      POLL routeTables/r: no answer NoAnswer: cut",
      "                                                                      held routeTables/r: ReconcileLoop: written 4 times",
      "2026-01-02T03:04:05Z          replay by ada                enqueued   quota raised",
    ]);
  });

  it("wide has whole ids, and those under which Azure knows the requests", () => {
    const lines = historyTable([turn], true);
    expect(lines[1]).toContain(`PUT ${id}: 409 Busy: later request r-1 correlation c-1`);
  });

  it("as data has everything", () => {
    const { atMs: _, ...rest } = turn;
    expect(historyJson([turn])).toEqual([{ at: "2026-01-02T03:04:05.678Z", ...rest }]);
  });

  it("shows what a row of another release has, and no more", () => {
    expect(historyTable([{ ...turn, writes: [{}], troubles: [{}], holds: [{}], turn: 0 }], false)).toHaveLength(4);
  });
});
