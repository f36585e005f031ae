/** Words for writing GitHub Markdown. */

const width = 120;

/** Text with the signs taken out of force that mean something outside of code. */
export const inline = (text: string): string =>
  text
    .split(/(``.+?``|`[^`]*`)/)
    .map((part) => (part.startsWith("`") ? part : part.replaceAll(/[*<[\]]|\b_\B|\B_\b/g, String.raw`\$&`)))
    .join("")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The value as code. */
export const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``);

/** The text in lines of at most 120 characters, as far as its words allow. */
export const prose = (text: string, indent = ""): string => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((it) => it !== "")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${lines.length === 0 ? "" : indent}${word}`);
  }
  return lines.join("\n");
};

export const bullet = (text: string): string => prose(`- ${text}`, "  ");

// A pipe ends a cell even within code; a line of a table is never broken.
const cell = (text: string): string => text.replaceAll("|", String.raw`\|`);
const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;

/** A table; columns that are empty in every row are left out. Cells are Markdown. */
export const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const used = heads.map((_, column) => rows.some((row) => (row[column] ?? "") !== ""));
  const kept = (cells: readonly string[]): readonly string[] => cells.filter((_, column) => used[column]);
  return [line(kept(heads)), line(kept(heads).map(() => "---")), ...rows.map((row) => line(kept(row)))].join("\n");
};

/** Where GitHub puts the anchor of a heading. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-")}`;

/** Parts with an empty line between them; missing ones are left out. */
export const page = (...parts: readonly (string | undefined)[]): string =>
  `${parts.filter((part) => part !== undefined && part !== "").join("\n\n")}\n`;

/** What the first line of every written page says. */
export const note = "<!-- Written by `npm run reference`: change the code, not this page. -->";
