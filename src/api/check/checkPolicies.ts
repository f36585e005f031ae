import type { Json, JsonObject } from "../../core/types.ts";
import type { Policy } from "../definition/policy.ts";
import { valueAt } from "../json.ts";
import { type CelEnvironment, celEnvironment, type Expression } from "./cel/celEnvironment.ts";
import { celMessage } from "./cel/celMessage.ts";
import { type CelValue, untypedCelValue } from "./cel/celValue.ts";
import { type Finding, finding } from "./finding.ts";
import { lazy } from "./lazy.ts";

/** A policy, ready to be asked. */
export interface CelPolicy {
  readonly policy: Policy;
  readonly when: readonly Expression[];
  readonly rules: readonly {
    readonly field: string;
    readonly message: string;
    readonly holds: Expression;
    readonly words?: Expression;
  }[];
}

/** The request in which an object comes to the API server. */
export interface PolicyRequest {
  readonly object: JsonObject;
  readonly before: JsonObject | undefined;
  readonly others: readonly JsonObject[];
  readonly dryRun: boolean;
}

const environment = lazy(
  (): CelEnvironment => celEnvironment(["object", "oldObject", "request", "params", "variables", "namespaceObject"]),
);

/** Variables may use those before them. */
const inlinedOf = ({ variables = [] }: Policy): ReadonlyMap<string, string> => {
  const inlined = new Map<string, string>();
  for (const { name, expression } of variables) inlined.set(name, environment().dialect(expression, inlined));
  return inlined;
};

export const celPolicy = (policy: Policy): CelPolicy => {
  const inlined = inlinedOf(policy);
  const expression = (source: string): Expression => environment().expression(source, inlined);
  return {
    policy,
    when: (policy.when ?? []).map((condition) => expression(condition.expression)),
    rules: policy.rules.map((rule) => ({
      field: rule.field,
      message: rule.message,
      holds: expression(rule.expression),
      ...(rule.messageExpression !== undefined && { words: expression(rule.messageExpression) }),
    })),
  };
};

const operationOf = ({ before }: PolicyRequest): "CREATE" | "UPDATE" => (before === undefined ? "CREATE" : "UPDATE");

const requestValue = (asked: PolicyRequest): CelValue => {
  const { object, before, dryRun } = asked;
  const named = before ?? object;
  return untypedCelValue({
    operation: operationOf(asked),
    name: valueAt(named, "metadata", "name") ?? "",
    namespace: valueAt(named, "metadata", "namespace") ?? "",
    dryRun,
  });
};

/** A condition that is false keeps the policy out, whatever the others say; one that cannot be asked refuses. */
const applies = (when: readonly Expression[], variables: Readonly<Record<string, unknown>>): boolean =>
  when.every((condition) => {
    const answer = condition(variables);
    return !answer.ok || answer.value === true;
  });

const isParam = (policy: Policy, other: JsonObject, object: JsonObject): boolean =>
  other["kind"] === policy.params?.kind &&
  other["apiVersion"] === policy.params?.apiVersion &&
  (valueAt(other, "metadata", "namespace") ?? "") === (valueAt(object, "metadata", "namespace") ?? "");

const stepsOf = (field: string): readonly (string | number)[] =>
  [...field.matchAll(/([^.[\]]+)/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));

// A policy names its field itself, also where no single item of a list is meant.
const about = (field: string, message: string): Finding => ({
  ...finding("policy", stepsOf(field), message),
  path: field,
});
const fieldFirst = /^([\w.[\]]+): (.*)$/s;

const broken = ({ rules }: CelPolicy, variables: Readonly<Record<string, unknown>>): readonly Finding[] =>
  rules.flatMap(({ field, message, holds, words }) => {
    const answer = holds(variables);
    if (answer.ok && answer.value === true) return [];
    if (!answer.ok) return [about(field, `${answer.error} evaluating rule: ${message}`)];
    const [, at = field, said = message] = fieldFirst.exec(celMessage(words, variables) ?? "") ?? [];
    return [about(at, said)];
  });

/** All rules of policies that a creation or an update breaks. A policy about other objects is asked with each of them. */
export const checkPolicies = (policies: readonly CelPolicy[], asked: PolicyRequest): readonly Finding[] => {
  const variables = {
    object: untypedCelValue(asked.object),
    oldObject: untypedCelValue((asked.before ?? null) as Json),
    request: requestValue(asked),
    namespaceObject: null,
  };
  return policies
    .filter(({ policy }) => policy.operations.includes(operationOf(asked)))
    .flatMap((ready) => {
      const params =
        ready.policy.params === undefined
          ? [null]
          : asked.others.filter((other) => isParam(ready.policy, other, asked.object)).map(untypedCelValue);
      return params
        .map((param) => ({ ...variables, params: param }))
        .filter((all) => applies(ready.when, all))
        .flatMap((all) => broken(ready, all));
    });
};
