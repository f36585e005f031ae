import { describe, expect, it } from "vitest";
import { celEnvironment } from "../../../src/api/check/cel/celEnvironment.ts";
import { checkedKind } from "../../../src/api/check/checkedKind.ts";
import { celPolicy } from "../../../src/api/check/checkPolicies.ts";
import { goRegExp } from "../../../src/api/check/goRegExp.ts";
import { crd } from "../../../src/api/definition/crd.ts";
import { isObject } from "../../../src/api/json.ts";
import { policies } from "../../../src/api/policies/index.ts";
import { infrastructureKinds } from "../../../src/api/registry.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";

/** Every schema node of a definition, the whole of it included. */
const nodesIn = (value: Json): readonly JsonObject[] => {
  if (Array.isArray(value)) return value.flatMap(nodesIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(nodesIn)] : [];
};
const textsAt = (nodes: readonly JsonObject[], name: string): readonly string[] =>
  nodes.map((node) => node[name]).filter((text) => typeof text === "string");

describe.each(infrastructureKinds.map((entry) => entry.kind))("the definition of %s", (kind) => {
  const nodes = nodesIn(crd(checkedKind(kind)!.entry).spec);
  it("has no rule that cannot be asked offline", () => {
    const environment = celEnvironment(["self", "oldSelf"]);
    for (const source of [...textsAt(nodes, "rule"), ...textsAt(nodes, "messageExpression")])
      expect(environment.expression(source), source).toBeTypeOf("function");
  });
  it("has no pattern and no format that cannot be asked offline", () => {
    for (const pattern of textsAt(nodes, "pattern")) expect(goRegExp(pattern), pattern).toBeInstanceOf(RegExp);
    for (const format of textsAt(nodes, "format")) expect(["int32", "int64", "date-time"]).toContain(format);
  });
  it("says nothing that is not asked offline", () => {
    const unknown = ["allOf", "oneOf", "not", "multipleOf", "uniqueItems", "exclusiveMinimum", "exclusiveMaximum"];
    for (const node of nodes)
      for (const keyword of [...unknown, "x-kubernetes-embedded-resource"]) expect(node).not.toHaveProperty(keyword);
  });
});

describe.each(policies)("the policy $name", (policy) => {
  it("can be asked offline", () => expect(celPolicy(policy).rules).toHaveLength(policy.rules.length));
});
