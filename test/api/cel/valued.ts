import { celEnvironment } from "../../../src/api/check/cel/celEnvironment.ts";
import { celValue } from "../../../src/api/check/cel/celValue.ts";
import { schemaNode } from "../../../src/api/check/schemaNode.ts";
import type { JsonObject } from "../../../src/core/types.ts";

const environment = celEnvironment(["self", "oldSelf"]);
const node = schemaNode({
  type: "object",
  properties: {
    text: { type: "string" },
    list: { type: "array", items: { type: "string" } },
    flag: { type: "boolean" },
    part: { type: "object", properties: { text: { type: "string" } } },
  },
});

/** What an expression makes of an object with a text, a list, a flag, and a part with a text, and of the one before it. */
export const valued = (expression: string, self: JsonObject, oldSelf: JsonObject = {}): unknown => {
  const answer = environment.expression(expression)({ self: celValue(node, self), oldSelf: celValue(node, oldSelf) });
  return answer.ok ? answer.value : answer.error;
};
