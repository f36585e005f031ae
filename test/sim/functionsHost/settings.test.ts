import { describe, expect, it } from "vitest";
import { parseSettings, resolveSettings } from "../../../src/sim/functionsHost/settings.ts";

describe("parseSettings", () => {
  it.each([
    {
      when: "local.settings.json",
      json: { IsEncrypted: false, Values: { A: "x", B: 1, C: true } },
      value: { A: "x", B: "1", C: "true" },
    },
    { when: "a plain record", json: { A: "x" }, value: { A: "x" } },
  ])("reads $when", ({ json, value }) => expect(parseSettings(json)).toEqual({ kind: "ok", value }));

  it.each([
    { json: [], problems: ["settings are not a JSON object"] },
    { json: "text", problems: ["settings are not a JSON object"] },
    { json: { A: {}, B: null, C: "" }, problems: ["setting A is not text", "setting B is not text"] },
  ])("refuses $json", ({ json, problems }) => expect(parseSettings(json)).toEqual({ kind: "problems", problems }));
});

describe("resolveSettings", () => {
  const settings = { QUEUE: "reconcile", N: "5", EMPTY: "" };
  it.each([
    ["plain", "plain"],
    ["%QUEUE%", "reconcile"],
    ["0 */%N% * * * *", "0 */5 * * * *"],
    ["%QUEUE%-%N%", "reconcile-5"],
    ["100%", "100%"],
  ])("%s becomes %s", (text, value) => expect(resolveSettings(text, settings)).toEqual({ kind: "ok", value }));

  it("names each missing one", () =>
    expect(resolveSettings("%A%-%EMPTY%", settings)).toEqual({
      kind: "problems",
      problems: ['setting A, named in "%A%-%EMPTY%", is missing', 'setting EMPTY, named in "%A%-%EMPTY%", is missing'],
    }));
});
