import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const folder = join(import.meta.dirname, "..", "..", "functions");
const withHttp = readdirSync(folder)
  .map((file) => ({ file, text: readFileSync(join(folder, file), "utf8") }))
  .filter(({ text }) => text.includes("app.http("));

describe("functions over HTTP", () => {
  it("are looked at here", () =>
    expect(withHttp.map(({ file }) => file).toSorted()).toEqual(["health.ts", "replay.ts"]));

  // The programming model's default is anonymous: a level that is not stated lets everybody in.
  it.each(withHttp)(
    "$file states a level for each of its functions, and only health is anonymous",
    ({ file, text }) => {
      const levels = [...text.matchAll(/authLevel: "(\w+)"/g)].map((match) => match[1]);
      expect(levels).toHaveLength(text.split("app.http(").length - 1);
      expect(levels).toEqual(levels.map(() => (file === "health.ts" ? "anonymous" : "admin")));
    },
  );
});
