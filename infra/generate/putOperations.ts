import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Function as FunctionNode, Node, ObjectProperty } from "oxc-parser";
import { calledNames, declarationsOf, descendants, keyName } from "./syntax.ts";

/** How a client package sends the PUT of one resource type. */
export interface PutOperation {
  /** The function that makes the body. */
  readonly serializer: string;
  readonly apiVersion: string;
}

/** A URL template without the names of its placeholders and without its query. */
const canonical = (template: string): string =>
  template
    .replace(/\{\?[^}]*\}$/, "")
    .replace(/\{[^}]*\}/g, "{}")
    .toLowerCase();

const propertiesOf = (fn: FunctionNode): readonly ObjectProperty[] =>
  descendants(fn).flatMap((node) => (node.type === "Property" && node.kind === "init" ? [node as ObjectProperty] : []));

const stringsIn = (node: Node): readonly string[] =>
  descendants(node).flatMap((part) => (part.type === "Literal" && typeof part.value === "string" ? [part.value] : []));

const putsIn = (fn: FunctionNode): boolean =>
  descendants(fn).some(
    (node) =>
      node.type === "MemberExpression" &&
      !node.computed &&
      node.property.type === "Identifier" &&
      node.property.name === "put",
  );

const operationOf = (fn: FunctionNode, path: string): PutOperation | undefined => {
  if (!putsIn(fn) || !stringsIn(fn).some((text) => text.startsWith("/") && canonical(text) === path)) return undefined;
  const properties = propertiesOf(fn);
  const propertyNamed = (name: string): Node | undefined =>
    properties.find((property) => keyName(property.key) === name)?.value;
  const [version, body] = [propertyNamed("api%2Dversion"), propertyNamed("body")];
  const apiVersion = version === undefined ? undefined : stringsIn(version).at(-1);
  const serializer = body === undefined ? undefined : calledNames(body)[0];
  return apiVersion === undefined || serializer === undefined ? undefined : { serializer, apiVersion };
};

/** Finds PUT operations of an installed client package by URL template; throws when there is not exactly one. */
export const putOperations = (packageDir: string): ((path: string) => PutOperation) => {
  const root = join(packageDir, "dist", "esm", "api");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("operations.js"))
    .toSorted()
    .map((file) => join(root, file));
  return (path) => {
    const wanted = canonical(path);
    const found = files
      .filter((file) =>
        [...readFileSync(file, "utf8").matchAll(/"(\/[^"]*)"/g)].some(([, url]) => canonical(url ?? "") === wanted),
      )
      .flatMap(declarationsOf)
      .flatMap((declaration) =>
        declaration.type === "FunctionDeclaration" ? (operationOf(declaration, wanted) ?? []) : [],
      );
    const [operation] = found;
    if (operation === undefined || found.length > 1) throw new Error(`${found.length} PUT operations for ${path}`);
    return operation;
  };
};
