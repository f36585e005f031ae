import type { TreeRow } from "./treeRows.ts";

const secondMs = 1_000;

/** A span as `kubectl` writes it: `45s`, `3m`, `2h`, `4d`. */
const age = (created: string | undefined, nowMs: number): string => {
  if (created === undefined) return "";
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(created)) / secondMs));
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 172_800) return `${Math.floor(seconds / 3_600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
};

const header = ["OBJECT", "READY", "REASON", "STEPS", "AGE"] as const;

const cut = (line: string, width: number): string => (line.length <= width ? line : `${line.slice(0, width - 1)}…`);

/** The tree as a table, one line an object, cut at `width`. */
export const renderTree = (rows: readonly TreeRow[], nowMs: number, width: number): readonly string[] => {
  const cells = [
    header,
    ...rows.map(({ branch, object, ready, reason, progress, created }) => [
      `${branch}${object}`,
      ready,
      reason,
      progress,
      age(created, nowMs),
    ]),
  ];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => (row[column] ?? "").length)));
  return cells.map((row) =>
    cut(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
      width,
    ),
  );
};

/** One line for each object that is new, gone or shows something else than before: what is printed where nothing can be redrawn. */
export const renderChanges = (before: readonly TreeRow[], after: readonly TreeRow[]): readonly string[] => {
  const said = ({ ready, reason, progress }: TreeRow): string =>
    [ready, reason, progress].filter((part) => part !== "").join("  ");
  const known = new Map(before.map((row) => [row.object, said(row)]));
  const now = new Set(after.map(({ object }) => object));
  return [
    ...after.filter((row) => known.get(row.object) !== said(row)).map((row) => `${row.object}  ${said(row)}`),
    ...before.filter(({ object }) => !now.has(object)).map(({ object }) => `${object}  gone`),
  ];
};
