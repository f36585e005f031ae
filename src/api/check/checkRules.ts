import type { Json } from "../../core/types.ts";
import { isObject } from "../json.ts";
import { celMessage } from "./cel/celMessage.ts";
import { type CelRule, optionalOldSelf } from "./cel/celRule.ts";
import { celValue } from "./cel/celValue.ts";
import { type Finding, finding, pathOf, type Step } from "./finding.ts";
import { lazy } from "./lazy.ts";
import { isUnchanged, replacedField, replacedItem } from "./replaced.ts";
import { nodeOfField, type SchemaNode } from "./schemaNode.ts";

/** One value on the way down. */
interface Place {
  readonly node: SchemaNode;
  readonly value: Json;
  readonly old: Json | undefined;
  readonly steps: readonly Step[];
  /** Whether the value, or the nearest one around it that can be compared, is as it was. */
  readonly unchanged: () => boolean;
}

const place = (
  node: SchemaNode,
  value: Json,
  old: Json | undefined,
  steps: readonly Step[],
  around: () => boolean,
): Place => ({
  node,
  value,
  old,
  steps,
  unchanged: old === undefined ? around : lazy(() => isUnchanged(node, value, old)),
});

const refusal = (
  rule: CelRule,
  { value, steps, unchanged }: Place,
  variables: Readonly<Record<string, unknown>>,
): readonly Finding[] => {
  const answer = rule.holds(variables);
  if (answer.ok && answer.value === true) return [];
  if (!answer.ok) return [finding("rule", steps, `${answer.error} evaluating rule: ${rule.message}`)];
  // A mistake that was there before may stay.
  if (!rule.aboutChange && unchanged()) return [];
  return [finding("rule", [...steps, ...rule.below], celMessage(rule.words, variables) ?? rule.message, value)];
};

const ownRules = (at: Place): readonly Finding[] => {
  const { node, value, old } = at;
  const self = lazy(() => celValue(node, value));
  const oldSelf = lazy(() => (old === undefined || old === null ? undefined : celValue(node, old)));
  return node.rules.flatMap((rule) => {
    if (!rule.aboutChange) return refusal(rule, at, { self: self() });
    if (rule.optionalOldSelf) return refusal(rule, at, { self: self(), oldSelf: optionalOldSelf(oldSelf()) });
    return oldSelf() === undefined ? [] : refusal(rule, at, { self: self(), oldSelf: oldSelf() });
  });
};

const below = ({ node, value, old, steps, unchanged }: Place): readonly Place[] => {
  if (Array.isArray(value)) {
    const { items } = node;
    const formerOf = replacedItem(node, old);
    return items === undefined
      ? []
      : value.map((item: Json, i) => place(items, item, formerOf(item), [...steps, i], unchanged));
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const schema = nodeOfField(node, name);
    const step = node.properties.has(name) ? name : { key: name };
    return schema === undefined ? [] : [place(schema, inner, replacedField(old, name), [...steps, step], unchanged)];
  });
};

const rulesAt = (at: Place, misshapen: ReadonlySet<string>): readonly Finding[] => {
  if (!at.node.ruled || at.value === null) return [];
  const own = misshapen.has(pathOf(at.steps)) ? [] : ownRules(at);
  return [...own, ...below(at).flatMap((inner) => rulesAt(inner, misshapen))];
};

/** Findings after which a rule could not be asked in the types, or at the cost, that it was written for. */
const isAboutShape = ({ rule }: Finding): boolean => ["type", "required", "enum", "size"].includes(rule);

const pathsAround = ({ path }: Finding): readonly string[] => [
  "",
  ...[...path.matchAll(/[.[]/g)].map(({ index }) => path.slice(0, index)),
  path,
];

/**
 * All rules of a definition that an object breaks. Those about a value whose shape is wrong, here or below, are not
 * asked: the API server asks none at all of such an object.
 */
export const checkRules = (
  root: SchemaNode,
  value: Json,
  old: Json | undefined,
  shape: readonly Finding[],
): readonly Finding[] => {
  const misshapen = new Set(shape.filter(isAboutShape).flatMap(pathsAround));
  return rulesAt(
    place(root, value, old, [], () => false),
    misshapen,
  );
};
