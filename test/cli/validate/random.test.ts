import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import type { Json } from "../../../src/core/types.ts";
import { azureCluster, type Said, validated } from "./validating.ts";

const quickstart = readFileSync(join(import.meta.dirname, "..", "..", "..", "examples", "quickstart.yaml"), "utf8");

/** It always ends with a status, a summary, and problems exactly when the status says so. */
const endsWell = ({ status, lines, notes }: Said): void => {
  const errors = lines.filter((line) => !line.includes(": warning: ")).length;
  expect(status).toBe(errors > 0 ? 1 : 0);
  expect(notes.at(-1)).toMatch(
    /^1 file, \d+ objects? of ours checked, \d+ of others not checked, \d+ problems?(, \d+ warnings?)?$/,
  );
  for (const line of lines) expect(line).toMatch(/^-:[1-9]\d*:[1-9]\d*: ./);
};

const withoutPlaces = ({ lines }: Said): readonly string[] =>
  lines.map((line) => line.replace(/^-:\d+:\d+: /, "").replaceAll(/-:\d+/g, "")).toSorted();

const kinds = [
  "AzureCluster",
  "AzureMachine",
  "AzureManagedControlPlane",
  "AzureMachinePool",
  "List",
  "AzureClusterList",
];
const anObject = fc.record(
  {
    apiVersion: fc.oneof(fc.constant("infrastructure.cluster.x-k8s.io/v1beta1"), fc.jsonValue()),
    kind: fc.oneof(fc.constantFrom(...kinds), fc.jsonValue()),
    metadata: fc.oneof(fc.record({ name: fc.constant("a") }), fc.jsonValue()),
    spec: fc.oneof(
      fc.dictionary(fc.constantFrom("location", "networkSpec", "osDisk", "template"), fc.jsonValue()),
      fc.jsonValue(),
    ),
    items: fc.jsonValue(),
  },
  { requiredKeys: [] },
);

describe("whatever the text is", () => {
  it("it ends well: any text", () =>
    fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => endsWell(await validated(text)))));

  it("it ends well: what looks like YAML", () => {
    const words = [
      "a",
      ":",
      " ",
      "\n",
      "-",
      "[",
      "]",
      "{",
      "}",
      "&a",
      "*a",
      "<<",
      "'",
      '"',
      "|",
      ">",
      "#",
      "---",
      "!",
      "$",
      "${",
      "?",
      ",",
      "\t",
      "%",
      "\\",
    ];
    return fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...words)), async (parts) => endsWell(await validated(parts.join("")))),
      { numRuns: 300 },
    );
  });

  it("it ends well: any object, with the same problems as JSON and as YAML", () =>
    fc.assert(
      // Zero has no sign in JSON.
      fc.asyncProperty(
        anObject.map((value): Json => JSON.parse(JSON.stringify(value))),
        async (value) => {
          const quoted = { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "QUOTE_DOUBLE" } as const;
          const json = await validated(JSON.stringify(value), { fill: false });
          const yaml = await validated(stringify(value, quoted), { fill: false });
          endsWell(json);
          endsWell(yaml);
          expect(withoutPlaces(yaml)).toEqual(withoutPlaces(json));
        },
      ),
    ));

  it("it ends well: a manifest that breaks off anywhere", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(quickstart.length), async (end) => endsWell(await validated(quickstart.slice(0, end)))),
      { numRuns: 60 },
    ));

  it("it ends well: a manifest with a part cut out or put in", () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(quickstart.length),
        fc.nat(30),
        fc.oneof(fc.constantFrom("", "\n", "  ", "- ", ": ", "{", "---\n", "null", "1", '"'), fc.string()),
        async (at, length, more) =>
          endsWell(await validated(quickstart.slice(0, at) + more + quickstart.slice(at + length))),
      ),
      { numRuns: 60 },
    ));

  it("it ends well: nests deeply, or multiplies", async () => {
    endsWell(await validated("[".repeat(50_000)));
    endsWell(await validated(`a: ${"{a: ".repeat(20_000)}`));
    endsWell(await validated("- ".repeat(20_000)));
    endsWell(await validated(azureCluster(`  additionalTags: ${"{a: ".repeat(500)}1${"}".repeat(500)}`)));
    const bomb = [
      "a: &a [x]",
      ..."bcdefgh".split("").map((it, n) => `${it}: &${it} [${Array(9).fill(`*${"abcdefg"[n]}`).join()}]`),
    ];
    endsWell(await validated(bomb.join("\n")));
  });
});
