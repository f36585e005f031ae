import { renderChanges, renderTree } from "./renderTree.ts";
import type { TreeRow } from "./treeRows.ts";

/** Where the demo shows itself. */
export interface Screen {
  /** A line that stays. */
  say(line: string): void;
  /** The tree as it is now, with one line below it. */
  show(rows: readonly TreeRow[], below: string): void;
}

/** The part of a terminal or pipe that is written to. */
export interface Output {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  write(text: string): unknown;
}

const defaultColumns = 120;
const defaultRows = 40;

/** Draws the tree over itself. A tree that is taller than the terminal shows its first lines. */
const redrawing = (output: Output, nowMs: () => number): Screen => {
  let drawn = 0;
  let last = "";
  const draw = (text: string): void => {
    output.write(drawn === 0 ? text : `\u001b[${drawn}A\u001b[0J${text}`);
    drawn = text === "" ? 0 : text.split("\n").length - 1;
  };
  return {
    say: (line) => {
      draw("");
      output.write(`${line}\n`);
      draw(last);
    },
    show: (rows, below) => {
      const { columns = defaultColumns, rows: height = defaultRows } = output;
      const lines = [...renderTree(rows, nowMs(), columns).slice(0, height - 3), "", below.slice(0, columns - 1)];
      last = `${lines.join("\n")}\n`;
      draw(last);
    },
  };
};

const secondMs = 1_000;

/** Prints what changes, a line each, with the seconds since the beginning. */
const printing = (output: Output, nowMs: () => number): Screen => {
  const startedMs = nowMs();
  let before: readonly TreeRow[] = [];
  let lastBelow = "";
  const say = (line: string): void => {
    output.write(`${line}\n`);
  };
  return {
    say,
    show: (rows, below) => {
      const lines = [...renderChanges(before, rows), ...(below === lastBelow ? [] : [below])];
      const seconds = `${Math.floor((nowMs() - startedMs) / secondMs)}s`.padStart(5);
      for (const line of lines) say(`${seconds}  ${line}`);
      before = rows;
      lastBelow = below;
    },
  };
};

/** A screen that redraws in a terminal and prints lines elsewhere or where `NO_COLOR` asks for plain output. */
export const openScreen = (
  output: Output,
  env: Readonly<Record<string, string | undefined>>,
  nowMs: () => number,
): Screen => (output.isTTY === true && !env["NO_COLOR"] ? redrawing(output, nowMs) : printing(output, nowMs));
