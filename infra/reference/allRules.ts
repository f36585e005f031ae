import { objectSchemaOf, type RuleEntry, rulesOf } from "../../src/api/definition/rules.ts";
import { schemaNodes } from "../../src/api/definition/schemaNodes.ts";
import { infrastructureKinds } from "../../src/api/registry.ts";
import { turnRules } from "../../src/kinds/validation/turnRules.ts";

const ofTurn = (kind: string): readonly RuleEntry[] =>
  turnRules
    .filter((rule) => rule.kind === kind)
    .map(({ field, says, why }) => ({
      kind,
      path: field,
      says,
      about: "state",
      form: "rule",
      enforcedBy: "turn",
      why,
    }));

/** Where a path stands in the definition; one that is not there, where the nearest of its parents stands. */
const placeIn = (paths: readonly string[], path: string): number => {
  const at = paths.indexOf(path);
  return at >= 0 || path === "" ? at : placeIn(paths, path.replace(/(^|\.)[^.]*$/, ""));
};

/** Everything that objects of a kind are held to, whoever enforces it, in the order of the fields. */
export const allRulesOf = (kind: string): readonly RuleEntry[] => {
  const paths = schemaNodes({ path: "", schema: objectSchemaOf(kind), required: true }).map(({ path }) => path);
  return [...rulesOf(kind), ...ofTurn(kind)]
    .map((entry) => ({ entry, place: placeIn(paths, entry.path.replaceAll(/\[\d+\]/g, "[]")) }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ entry }) => entry);
};

/** The rules of all kinds, in the order of the registry. */
export const allRules = (): readonly RuleEntry[] => infrastructureKinds.flatMap(({ kind }) => allRulesOf(kind));
