import { describe, expect, it } from "vitest";
import { openScreen } from "../../src/cli/screen.ts";
import { treeRows } from "../../src/cli/treeRows.ts";
import { anObject, conditions, shown } from "./aTree.ts";

const reconciled: ReadonlySet<string> = new Set(["AzureCluster"]);
const rows = (ready: string) =>
  treeRows([shown(anObject("AzureCluster", "demo", { status: conditions({ Ready: ready }) }))], reconciled);

const sequence = "\u001b[";

/** What stands on a terminal after all that was written to it: "so many lines up" and "clear below" are understood. */
const terminal = (written: readonly string[]): readonly string[] => {
  let lines: readonly string[] = [];
  for (const text of written) {
    const [plain = "", up, cleared] = text.split(sequence);
    if (up !== undefined) lines = lines.slice(0, lines.length - Number(up.replace("A", "")));
    lines = [...lines, ...(cleared?.replace("0J", "") ?? plain).split("\n").slice(0, -1)];
  }
  return lines;
};

const open = (isTTY: boolean, env: Readonly<Record<string, string>> = {}) => {
  const written: string[] = [];
  let nowMs = Date.parse("2030-01-01T00:00:10Z");
  const output = { isTTY, columns: 60, rows: 10, write: (text: string) => written.push(text) };
  const screen = openScreen(output, env, () => nowMs);
  return {
    screen,
    written,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
};

describe("the screen", () => {
  it("draws the tree over itself in a terminal, below what was said", () => {
    const { screen, written, wait } = open(true);
    screen.say("one");
    screen.show(rows("False"), "0 of 1 ready");
    wait(5_000);
    screen.say("two");
    screen.show(rows("True"), "1 of 1 ready");
    expect(terminal(written)).toEqual([
      "one",
      "two",
      "OBJECT                     READY  REASON  STEPS  AGE",
      "AzureCluster default/demo  True                  15s",
      "",
      "1 of 1 ready",
    ]);
  });

  it.each([
    { where: "in a pipe", isTTY: false, env: {} },
    { where: "where no colour is wanted", isTTY: true, env: { NO_COLOR: "1" } },
  ])("prints each change once $where", ({ isTTY, env }) => {
    const { screen, written, wait } = open(isTTY, env);
    screen.show(rows("False"), "0 of 1 ready");
    wait(5_000);
    screen.show(rows("False"), "0 of 1 ready");
    wait(7_000);
    screen.show(rows("True"), "1 of 1 ready");
    expect(written.join("")).toBe(
      [
        "   0s  AzureCluster default/demo  False",
        "   0s  0 of 1 ready",
        "  12s  AzureCluster default/demo  True",
        "  12s  1 of 1 ready",
        "",
      ].join("\n"),
    );
  });
});
