import { readFileSync } from "node:fs";
import {
  type Expression,
  type Function as FunctionNode,
  type Node,
  type ObjectExpression,
  type PropertyKey,
  parseSync,
  type Statement,
  visitorKeys,
} from "oxc-parser";

/** The top-level declarations of a file, freed from their `export`. Throws when the file does not parse. */
export const declarationsOf = (file: string): readonly Statement[] => {
  const { program, errors } = parseSync(file, readFileSync(file, "utf8"));
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  return program.body.flatMap((statement) => {
    if (statement.type === "ExportNamedDeclaration") return statement.declaration ?? [];
    return "declaration" in statement ? [] : (statement as Statement);
  });
};

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

const childrenOf = (node: Node): readonly Node[] =>
  (visitorKeys[node.type] ?? []).flatMap((key) => [Reflect.get(node, key)].flat().filter(isNode));

/** A node and everything below it, parents first. */
export const descendants = (node: Node): readonly Node[] => [node, ...childrenOf(node).flatMap(descendants)];

/** The name behind a property key or a string literal; undefined for a computed one. */
export const keyName = (key: PropertyKey | Expression): string | undefined => {
  if (key.type === "Identifier") return key.name;
  return key.type === "Literal" && typeof key.value === "string" ? key.value : undefined;
};

/** The object literal that a function returns; undefined when it returns something else. */
export const returnedObject = (fn: FunctionNode): ObjectExpression | undefined => {
  if (fn.body === null) return undefined;
  for (const node of descendants(fn.body))
    if (node.type === "ReturnStatement" && node.argument?.type === "ObjectExpression") return node.argument;
  return undefined;
};

/** `x` of the first `item["x"]` in an expression. */
export const itemKey = (expression: Node): string | undefined => {
  for (const node of descendants(expression))
    if (
      node.type === "MemberExpression" &&
      node.computed &&
      node.object.type === "Identifier" &&
      node.object.name === "item"
    )
      return keyName(node.property);
  return undefined;
};

/** Names of the functions called in an expression, outermost first. */
export const calledNames = (expression: Node): readonly string[] =>
  descendants(expression).flatMap((node) =>
    node.type === "CallExpression" && node.callee.type === "Identifier" ? [node.callee.name] : [],
  );

/**
 * The serializer that an expression hands the whole `item`: the sign of a nested object whose properties the client
 * shows one level higher. Undefined for an ordinary property.
 */
export const flattenedBy = (expression: Node): string | undefined => {
  for (const node of descendants(expression)) {
    if (node.type !== "CallExpression" || node.callee.type !== "Identifier") continue;
    const [argument] = node.arguments;
    const whole = argument?.type === "Identifier" && argument.name === "item";
    if (whole && node.callee.name !== "areAllPropsUndefined") return node.callee.name;
  }
  return undefined;
};
