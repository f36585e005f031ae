/** Rows under headings, as kubectl prints them: three spaces between columns, none at the end of a line. */
export const columns = (headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const all = [headings, ...rows];
  const widths = headings.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((text, at) => text.padEnd((widths[at] ?? 0) + 3))
      .join("")
      .trimEnd(),
  );
};
