import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { fillVariables } from "../../src/cli/fillVariables.ts";
import { describeWithShared, sharedDir } from "../support/shared.ts";

const env = { NAME: "demo", EMPTY: "", SIZE: "Standard_D2s_v3" };
const cases: {
  readonly filled: readonly { readonly template: string; readonly as: string }[];
  readonly refused: readonly { readonly template: string; readonly says: string }[];
} = parse(readFileSync(join(import.meta.dirname, "variables.yaml"), "utf8"));

describe("fillVariables", () => {
  it.each(cases.filled)("makes $as of $template", ({ template, as }) =>
    expect(fillVariables(template, env)).toEqual({ ok: true, value: as }),
  );
  it.each(cases.refused)("says of $template: $says", ({ template, says }) =>
    expect(fillVariables(template, env)).toEqual({ ok: false, error: says }),
  );

  it("leaves every text without a dollar sign as it is", () =>
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }).filter((text) => !text.includes("$")),
        (text) => {
          expect(fillVariables(text, {})).toEqual({ ok: true, value: text });
        },
      ),
    ));

  it("never throws", () =>
    fc.assert(
      fc.property(fc.array(fc.constantFrom("${", "}", "$", ":=", "NAME", "UNSET", " ", "\n")), (parts) => {
        expect(fillVariables(parts.join(""), env)).toHaveProperty("ok");
      }),
    ));
});

describeWithShared("the contract's templates", () => {
  const folder = join(sharedDir, "contract", "templates");
  const everything = new Proxy<Record<string, string>>({}, { get: (_, name) => `v-${String(name).toLowerCase()}` });
  it.each(readdirSync(folder))("%s is YAML once its variables are filled", (file) => {
    const template = readFileSync(join(folder, file), "utf8");
    const filled = fillVariables(template, everything);
    if (!filled.ok) throw new Error(filled.error);
    expect(filled.value).not.toContain("${");
    for (const document of parseAllDocuments(filled.value)) expect(document.errors).toEqual([]);
  });
});
