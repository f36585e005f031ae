import type { ASTNode } from "@marcbachmann/cel-js";

/**
 * Kubernetes' CEL in that of the library: every function, and the operators whose meaning differs, become calls of
 * functions of our own, whose names begin with an underscore. Macros, optionals and all other operators are the
 * library's.
 */

const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);
const optionalMethods: ReadonlySet<string> = new Set(["or", "orValue"]);
/** Functions that are called on a word, not on a value. */
const namespaces: ReadonlySet<string> = new Set(["sets", "ip"]);
const ownOperators: Readonly<Record<string, string>> = {
  "==": "equals",
  "!=": "differs",
  in: "isIn",
  "+": "plus",
  "{}": "mapOf",
};

/** The name under which the library knows one of our functions. */
export const functionName = (name: string): string => {
  const [, operator] = /^operator (.+)$/.exec(name) ?? [];
  return `_${operator === undefined ? name.replace(".", "_") : (ownOperators[operator] ?? operator)}`;
};

/** Expressions that stand for the names of variables; a policy's `variables.x` is replaced by what it says. */
export type Inlined = ReadonlyMap<string, string>;

const call = (name: string, args: readonly string[]): string => `${functionName(name)}(${args.join(", ")})`;

const literal = (value: unknown): string => {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "number") return Number.isInteger(value) ? value.toFixed(1) : String(value);
  if (typeof value === "bigint" || typeof value === "boolean" || value === null) return String(value);
  throw new Error("a literal of this type is not known");
};

const nameOf = (node: ASTNode): string | undefined => (node.op === "id" ? node.args : undefined);

const writer = (inlined: Inlined) => {
  const all = (nodes: readonly ASTNode[]): readonly string[] => nodes.map(write);

  const variable = (receiver: ASTNode, name: string): string | undefined =>
    nameOf(receiver) === "variables" ? inlined.get(name) : undefined;

  const presence = (node: ASTNode | undefined): string => {
    if (node?.op !== ".") throw new Error("has() takes the name of a field");
    const [receiver, name] = node.args;
    return variable(receiver, name) === undefined
      ? call("operator has", [write(receiver), JSON.stringify(name)])
      : "true";
  };

  /** `x.optMap(v, e)`: the library does not know it, but what it is short for. */
  const optionalMap = (receiver: string, [variable, body]: readonly ASTNode[], wraps: boolean): string => {
    const name = variable === undefined ? undefined : nameOf(variable);
    if (name === undefined || body === undefined) throw new Error("optMap takes a name and an expression");
    const mapped = `cel.bind(${name}, ${functionName("value")}(optional_), ${write(body)})`;
    const some = wraps ? `optional.of(${mapped})` : mapped;
    return `cel.bind(optional_, ${receiver}, ${functionName("hasValue")}(optional_) ? ${some} : optional.none())`;
  };

  const method = (name: string, receiver: ASTNode, args: readonly ASTNode[]): string => {
    const word = nameOf(receiver) ?? "";
    if (word === "optional") return `optional.${name}(${all(args).join(", ")})`;
    if (namespaces.has(word)) return call(`${word}.${name}`, all(args));
    if (name === "optMap" || name === "optFlatMap") return optionalMap(write(receiver), args, name === "optMap");
    if (macros.has(name) || optionalMethods.has(name)) return `${write(receiver)}.${name}(${all(args).join(", ")})`;
    return call(name, all([receiver, ...args]));
  };

  const plainCall = (name: string, args: readonly ASTNode[]): string => {
    if (name === "has") return presence(args[0]);
    // Its results are compared with the library's names of types.
    return name === "type" ? `type(${all(args).join(", ")})` : call(name, all(args));
  };

  const field = ([receiver, name]: readonly [ASTNode, string]): string =>
    variable(receiver, name) ?? `${write(receiver)}.${name}`;

  const optionalField = ([receiver, name]: readonly [ASTNode, string]): string => {
    const expression = variable(receiver, name);
    return expression === undefined ? `${write(receiver)}.?${name}` : `optional.of(${expression})`;
  };

  const write = (node: ASTNode): string => {
    switch (node.op) {
      case "value":
        return literal(node.args);
      case "id":
        return node.args;
      case ".":
        return field(node.args);
      case ".?":
        return optionalField(node.args);
      case "[]":
        return `${write(node.args[0])}[${write(node.args[1])}]`;
      case "[?]":
        return `${write(node.args[0])}[?${write(node.args[1])}]`;
      case "call":
        return plainCall(...node.args);
      case "rcall":
        return method(...node.args);
      case "list":
        return `[${all(node.args).join(", ")}]`;
      case "map":
        return call("operator {}", [
          `[${node.args.map(([key, value]) => `[${write(key)}, ${write(value)}]`).join(", ")}]`,
        ]);
      case "?:":
        return `(${write(node.args[0])} ? ${write(node.args[1])} : ${write(node.args[2])})`;
      case "!_":
        return `(!${write(node.args)})`;
      case "-_":
        return `(-${write(node.args)})`;
      case "==":
      case "!=":
      case "in":
      case "+":
        return call(`operator ${node.op}`, all(node.args));
      default:
        return `(${write(node.args[0])} ${node.op} ${write(node.args[1])})`;
    }
  };
  return write;
};

/** The expression in the library's own dialect. Throws for what cannot be said in it. */
export const inDialect = (expression: ASTNode, inlined: Inlined = new Map()): string => writer(inlined)(expression);
