import { isJsonList, isJsonObject } from "../wire/json.ts";
import { keysOfItem } from "./apply/itemKeys.ts";
import { hashOf } from "./hash.ts";
import type { Rules } from "./rules.ts";
import type { Desired, Json } from "./types.ts";

type KeyRules = Pick<Rules, "keys">;

/** The body with another value at a path, as far as there is one. */
const replaced = (rules: KeyRules, node: Json, path: readonly string[], pattern: string, by: Json): Json => {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (isJsonList(node)) {
    const isMeant = (item: Json): boolean => keysOfItem(rules, pattern, item)[0]?.toLowerCase() === step.toLowerCase();
    return node.map((item) => (isMeant(item) ? replaced(rules, item, rest, `${pattern}[]`, by) : item));
  }
  const child = isJsonObject(node) ? node[step] : undefined;
  if (!isJsonObject(node) || child === undefined) return node;
  return { ...node, [step]: replaced(rules, child, rest, pattern === "" ? step : `${pattern}.${step}`, by) };
};

/**
 * Hash of what is wanted of a resource. Values from Secrets count by their version, values for creation only not at all,
 * so that no stored text depends on a secret.
 */
export const desiredHash = (rules: KeyRules, desired: Desired): string => {
  const { body, defaults, versions = [], createOnly = [], yields = [] } = desired;
  const veils = [
    ...versions.map(({ path, version }) => ({ path, by: version })),
    ...createOnly.map((path) => ({ path, by: null })),
  ];
  const veiled = veils.reduce<Json>((whole, { path, by }) => replaced(rules, whole, path, "", by), body);
  return hashOf([veiled, defaults, ...(yields.length > 0 ? [yields] : [])]);
};
