import type { Json, JsonObject } from "../../core/types.ts";
import { isObject, textAt, valueAt } from "../json.ts";
import { policies } from "../policies/index.ts";
import { kindEntry } from "../registry.ts";
import { crd } from "./crd.ts";
import { limitsOf } from "./limits.ts";
import type { Policy } from "./policy.ts";
import { type SchemaNode, schemaNodes } from "./schemaNodes.ts";

/** One thing that an object of a kind is held to, in words, and by whom. */
export type RuleEntry = LimitEntry | WordedEntry;

interface Common {
  readonly kind: string;
  /** The field at fault, such as `spec.networkSpec.subnets[].name`; `.*` stands for keys of a map, empty for the object. */
  readonly path: string;
  /** What would be right: `must be from 4 to 30`. Markdown. */
  readonly says: string;
  /** Whether it is asked of every object, or only when one is made, changed or deleted. */
  readonly about: "state" | "creation" | "change" | "deletion";
}

/** A limit that the schema says. */
interface LimitEntry extends Common {
  readonly form: "limit";
  readonly enforcedBy: "apiServer";
  readonly keywords: readonly string[];
}

/** A rule with a message of its own. */
interface WordedEntry extends Common {
  readonly form: "rule";
  /** `turn`: at the start of a turn, by Capstan itself. */
  readonly enforcedBy: "apiServer" | "policy" | "turn";
  /** In CEL; absent for a rule of a turn. */
  readonly expression?: string;
  /** What makes the message when it names values of other fields. */
  readonly messageExpression?: string;
  /** Why it is not enforced by the definition. */
  readonly why?: string;
}

/**
 * A rule with an optional `oldSelf` is asked of new objects too: it judges the state, but not one that was there before.
 * Where it holds of whatever was there before, it judges new objects only.
 */
const aboutRule = (expression: string, optionalOldSelf: boolean): Common["about"] => {
  if (!/\boldSelf\b/.test(expression)) return "state";
  if (!optionalOldSelf) return "change";
  return expression.startsWith("oldSelf.hasValue() ||") ? "creation" : "state";
};

const ruleOf = (kind: string, path: string, rule: Json): readonly WordedEntry[] => {
  const [expression, says] = [textAt(rule, "rule"), textAt(rule, "message")];
  if (expression === undefined || says === undefined) return [];
  const messageExpression = textAt(rule, "messageExpression");
  return [
    {
      kind,
      path: `${path}${textAt(rule, "fieldPath") ?? ""}`.replace(/^\./, ""),
      says,
      about: aboutRule(expression, valueAt(rule, "optionalOldSelf") === true),
      form: "rule",
      enforcedBy: "apiServer",
      expression,
      ...(messageExpression !== undefined && { messageExpression }),
    },
  ];
};

const entriesAt = (kind: string, { path, schema }: SchemaNode): readonly RuleEntry[] => {
  const rules = schema["x-kubernetes-validations"];
  return [
    ...limitsOf(schema).map(
      ({ keywords, says }): LimitEntry => ({
        kind,
        path,
        says: `must be ${says}`,
        about: "state",
        form: "limit",
        enforcedBy: "apiServer",
        keywords,
      }),
    ),
    ...(Array.isArray(rules) ? rules : []).flatMap((rule: Json) => ruleOf(kind, path, rule)),
  ];
};

const aboutPolicy = ({ operations }: Policy): Common["about"] => {
  if (operations.includes("UPDATE")) return operations.includes("CREATE") ? "state" : "change";
  return operations.includes("CREATE") ? "creation" : "deletion";
};

/** An expression with those of all variables that it names. */
const whole = (variables: NonNullable<Policy["variables"]>, expression: string): string => {
  const named = variables.filter(({ name }) => new RegExp(`\\bvariables\\.${name}\\b`).test(expression));
  const others = variables.filter((variable) => !named.includes(variable));
  return [expression, ...named.map((variable) => whole(others, variable.expression))].join("\n");
};

/** A rule of a definition sees only the object's name and what stands in spec and status, within a budget. */
const whyPolicy = (policy: Policy, expression: string): string => {
  const { params, when = [], variables = [] } = policy;
  const all = [whole(variables, expression), ...when.map((it) => it.expression)].join("\n");
  if (params !== undefined) return `It takes other objects of kind ${params.kind}.`;
  if (/\brequest\b/.test(all)) return "It takes the request: who asks, or whether it is a dry run.";
  if (/\bmetadata\.(labels|annotations)\b/.test(all)) return "It takes labels or annotations of the object.";
  return aboutPolicy(policy) === "creation"
    ? "It is asked when an object is made, and never again."
    : "It takes more comparisons than a rule of the definition may cost.";
};

const policyEntries = (kind: string): readonly WordedEntry[] =>
  policies
    .filter(({ kinds }) => kinds.includes(kind))
    .flatMap((policy) =>
      policy.rules.map(({ field, message, expression, messageExpression }) => ({
        kind,
        path: field,
        says: message,
        about: aboutPolicy(policy),
        form: "rule",
        enforcedBy: "policy",
        expression,
        ...(messageExpression !== undefined && { messageExpression }),
        why: whyPolicy(policy, expression),
      })),
    );

/** The schema of the version of a kind that is stored. Throws for a kind that is none of ours. */
export const objectSchemaOf = (kind: string): JsonObject => {
  const entry = kindEntry(kind);
  const versions = entry === undefined ? undefined : crd(entry).spec["versions"];
  const stored = (Array.isArray(versions) ? versions : []).find((it: Json) => valueAt(it, "storage") === true);
  const schema = valueAt(stored, "schema", "openAPIV3Schema");
  if (!isObject(schema)) throw new Error(`${kind} has no definition`);
  return schema;
};

/**
 * Everything that the API server holds objects of a kind to: limits and rules of the definition, then rules of policies.
 * That a field is required, and of which type, is not among them. Throws for a kind that is none of ours.
 */
export const rulesOf = (kind: string): readonly RuleEntry[] => [
  ...schemaNodes({ path: "", schema: objectSchemaOf(kind), required: true }).flatMap((node) => entriesAt(kind, node)),
  ...policyEntries(kind),
];
