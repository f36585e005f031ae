import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillVariables } from "../../../src/cli/fillVariables.ts";
import { fillTemplate, isUnset, unfilled } from "../../../src/cli/validate/fillTemplate.ts";

const variable = (inside: string): string => ["$", "{", inside, "}"].join("");
const values = { NAME: "demo", LONG: "a value that is longer than its name" };

describe("fillTemplate", () => {
  it.each([
    {
      what: "a variable",
      template: `a: ${variable("NAME")} b`,
      text: "a: demo b",
      pairs: [
        [3, 3],
        [5, 3],
        [7, 10],
      ],
    },
    {
      what: "a longer value",
      template: `${variable("LONG")}!`,
      text: `${values.LONG}!`,
      pairs: [
        [20, 0],
        [36, 7],
      ],
    },
    {
      what: "a default",
      template: `a ${variable("X:=yz")}.`,
      text: "a yz.",
      pairs: [
        [2, 7],
        [3, 8],
        [4, 10],
      ],
    },
    {
      what: "two dollar signs",
      template: "a $$b",
      text: "a $b",
      pairs: [
        [2, 2],
        [3, 4],
      ],
    },
    {
      what: "no variable",
      template: "abc",
      text: "abc",
      pairs: [
        [0, 0],
        [3, 3],
      ],
    },
    { what: "nothing", template: "", text: "", pairs: [[0, 0]] },
  ])("knows where $what comes from", ({ template, text, pairs }) => {
    const filled = fillTemplate(template, values);
    expect(filled.text).toBe(text);
    expect(pairs.map(([offset]) => [offset, filled.origin(offset!)])).toEqual(pairs);
  });

  it("says each variable without a value once, and all that cannot be read", () => {
    const template = `${variable("A")} ${variable("B/x")} ${variable("B:=")} ${variable("A")} ${variable("C:=")}`;
    const { text, problems } = fillTemplate(template, {});
    expect(problems).toEqual([
      { offset: 5, message: `cannot read ${template.slice(5)}` },
      { offset: 0, message: expect.stringContaining("no value for the variable A:") },
      { offset: 12, message: expect.stringContaining("no value for the variable B:") },
      { offset: 24, message: expect.stringContaining("no value for the variable C:") },
    ]);
    expect(isUnset(text)).toBe(true);
    expect(isUnset(fillTemplate(variable("NAME"), values).text)).toBe(false);
  });

  it("leaves a text without variables as it is", () => {
    expect(unfilled(variable("A"))).toMatchObject({ text: variable("A"), problems: [] });
    expect(unfilled("abc").origin(2)).toBe(2);
  });

  const anyTemplate = fc
    .array(fc.constantFrom("$", "{", "}", "${", ":=", ":-", "=", "NAME", "LONG", "UNSET", " ", "\n", "a"))
    .map((parts) => parts.join(""));

  it("fills as the demo does, with every offset within the template", () =>
    fc.assert(
      fc.property(anyTemplate, (template) => {
        const { text, origin, problems } = fillTemplate(template, values);
        const filled = fillVariables(template, values);
        expect(filled.ok).toBe(problems.length === 0);
        if (filled.ok) expect(text).toBe(filled.value);
        for (let offset = 0; offset < text.length; offset += 1) {
          expect(origin(offset)).toBeLessThan(template.length);
          expect(origin(offset)).toBeGreaterThanOrEqual(offset === 0 ? 0 : origin(offset - 1));
        }
      }),
    ));

  it("takes no time to fail", () => {
    const { problems } = fillTemplate("${A:=".repeat(20_000), {});
    expect(problems).toHaveLength(1);
  });
});
