import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { limitsOf } from "../../../src/api/definition/limits.ts";
import { objectSchemaOf, type RuleEntry, rulesOf } from "../../../src/api/definition/rules.ts";
import { type SchemaNode, schemaNodes } from "../../../src/api/definition/schemaNodes.ts";
import { isObject, valueAt } from "../../../src/api/json.ts";
import { infrastructureKinds, type KindEntry } from "../../../src/api/registry.ts";
import type { Json } from "../../../src/core/types.ts";
import { describeWithShared, sharedDir } from "../../support/shared.ts";
import { ruleCases } from "./index.ts";
import { examplesWithoutRule, rulesWithoutExample } from "./ruleGaps.ts";

const casesOf = (kind: string) => ruleCases.filter((it) => it.kind === kind).flatMap(({ cases }) => cases);

/** What users write: nobody but Capstan writes a status, and lengths of names are Kubernetes' own. */
const ofUsers = (kind: string): readonly RuleEntry[] =>
  rulesOf(kind).filter(
    ({ path, form }) => !path.startsWith("status") && !(form === "limit" && path.startsWith("metadata")),
  );

const nodesOf = (kind: string): readonly SchemaNode[] =>
  schemaNodes({ path: "", schema: objectSchemaOf(kind), required: true });

describe.each(infrastructureKinds)("the examples of $kind", ({ kind }) => {
  it("show every rule that has a message", () =>
    expect(
      rulesWithoutExample(
        ofUsers(kind).filter(({ form }) => form === "rule"),
        casesOf(kind),
        nodesOf(kind),
      ),
    ).toEqual([]));

  it("show nothing that is no rule", () => expect(examplesWithoutRule(rulesOf(kind), casesOf(kind))).toEqual([]));
});

/** Bounds that no real value comes near; they are there for the API server to know what a rule may cost. */
const sizes: ReadonlySet<string> = new Set(["maxLength", "maxItems", "maxProperties"]);
const isRule = (entry: RuleEntry): boolean => entry.form === "limit" && entry.keywords.some((it) => !sizes.has(it));

/** Limits of the contract's own definition: the API server has kept them for years. */
const contractLimits = ({ plural, group, version }: KindEntry): ReadonlySet<string> => {
  const file = join(sharedDir, "contract", "crds", `${plural}.${group}.yaml`);
  // The one cast: YAML of the contract is JSON.
  const definition = parse(readFileSync(file, "utf8")) as Json;
  const versions = valueAt(definition, "spec", "versions");
  const stored = (Array.isArray(versions) ? versions : []).find((it: Json) => valueAt(it, "name") === version);
  const schema = valueAt(stored, "schema", "openAPIV3Schema");
  if (!isObject(schema)) throw new Error(`${file} has no version ${version}`);
  return new Set(
    schemaNodes({ path: "", schema, required: true }).flatMap((node) =>
      limitsOf(node.schema).map(({ says }) => `${node.path}: must be ${says}`),
    ),
  );
};

describeWithShared("limits beyond the contract's", () => {
  it.each(infrastructureKinds)("of $kind are shown by an example", (entry) => {
    const known = contractLimits(entry);
    const ours = ofUsers(entry.kind).filter((it) => isRule(it) && !known.has(`${it.path}: ${it.says}`));
    expect(rulesWithoutExample(ours, casesOf(entry.kind), nodesOf(entry.kind))).toEqual([]);
  });
});
