import { describe, expect, it } from "vitest";
import { jsonLog, logLevels } from "../../src/adapters/log.ts";

const entries = (level: (typeof logLevels)[number], use: (log: ReturnType<typeof jsonLog>) => void): string[] => {
  const lines: string[] = [];
  use(
    jsonLog(
      level,
      (line) => lines.push(line),
      () => 0,
    ),
  );
  return lines;
};

describe("jsonLog", () => {
  it("writes one line, constant parts first", () => {
    const [line, ...others] = entries("info", (log) =>
      log("info", "turn finished", { object: "default/demo\nx", turn: 7, code: undefined, message: "no", level: "no" }),
    );
    expect(others).toEqual([]);
    expect(line).toBe(
      '{"time":"1970-01-01T00:00:00.000Z","level":"info","message":"turn finished","object":"default/demo\\nx","turn":7}\n',
    );
  });

  it.each(logLevels)("shows %s and what is more urgent", (level) => {
    const lines = entries(level, (log) => {
      for (const each of logLevels) log(each, each);
    });
    expect(lines).toHaveLength(logLevels.indexOf(level) + 1);
  });
});
