import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Function as FunctionNode, TSInterfaceDeclaration, TSType, TSTypeAnnotation } from "oxc-parser";
import { declarationsOf, keyName } from "./syntax.ts";

/** One property of a client interface. */
export interface Member {
  readonly optional: boolean;
  readonly type: TSType | undefined;
}

/** What the model files of one Azure client package declare. */
export interface SdkModels {
  /** Properties of an interface with those it inherits; undefined when there is no such interface. */
  readonly membersOf: (name: string) => ReadonlyMap<string, Member> | undefined;
  readonly aliases: ReadonlyMap<string, TSType>;
  /** Values by enum name; the open enum `X` is a string alias with an enum `KnownX` beside it. */
  readonly enums: ReadonlyMap<string, readonly string[]>;
  /** Function bodies by name. */
  readonly functions: ReadonlyMap<string, FunctionNode>;
  /** Interface that a serializer takes, by the serializer's name. */
  readonly interfaceOf: ReadonlyMap<string, string>;
  readonly serializerOf: ReadonlyMap<string, string>;
  readonly deserializerOf: ReadonlyMap<string, string>;
}

const referenced = (annotation: TSTypeAnnotation | null | undefined): string | undefined => {
  const type = annotation?.typeAnnotation;
  return type?.type === "TSTypeReference" && type.typeName.type === "Identifier" ? type.typeName.name : undefined;
};

const parameterType = (fn: FunctionNode): string | undefined => {
  const [parameter] = fn.params;
  return parameter?.type === "Identifier" ? referenced(parameter.typeAnnotation) : undefined;
};

const ownMembers = (declaration: TSInterfaceDeclaration): readonly (readonly [string, Member])[] =>
  declaration.body.body.flatMap((member) => {
    if (member.type !== "TSPropertySignature") return [];
    const name = keyName(member.key);
    return name === undefined
      ? []
      : [[name, { optional: member.optional, type: member.typeAnnotation?.typeAnnotation }] as const];
  });

const modelFiles = (packageDir: string, extension: string): readonly string[] => {
  const root = join(packageDir, "dist", "esm", "models");
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(`models${extension}`))
    .toSorted()
    .map((file) => join(root, file));
};

/** Reads the model files of an installed client package: types from its declarations, bodies from its JavaScript. */
export const readModels = (packageDir: string): SdkModels => {
  const interfaces = new Map<string, TSInterfaceDeclaration>();
  const aliases = new Map<string, TSType>();
  const enums = new Map<string, readonly string[]>();
  const functions = new Map<string, FunctionNode>();
  const interfaceOf = new Map<string, string>();
  const serializerOf = new Map<string, string>();
  const deserializerOf = new Map<string, string>();

  const readSignature = (name: string, fn: FunctionNode): void => {
    const takes = parameterType(fn);
    const gives = referenced(fn.returnType);
    if (name.startsWith("_")) return;
    if (name.endsWith("Serializer") && takes !== undefined) {
      interfaceOf.set(name, takes);
      serializerOf.set(takes, name);
    } else if (name.endsWith("Deserializer") && gives !== undefined) deserializerOf.set(gives, name);
  };
  for (const declaration of modelFiles(packageDir, ".d.ts").flatMap(declarationsOf)) {
    if (declaration.type === "TSInterfaceDeclaration") interfaces.set(declaration.id.name, declaration);
    else if (declaration.type === "TSTypeAliasDeclaration")
      aliases.set(declaration.id.name, declaration.typeAnnotation);
    else if (declaration.type === "TSDeclareFunction" && declaration.id)
      readSignature(declaration.id.name, declaration);
    else if (declaration.type === "TSEnumDeclaration")
      enums.set(
        declaration.id.name,
        declaration.body.members.flatMap((member) => (member.initializer ? (keyName(member.initializer) ?? []) : [])),
      );
  }
  for (const declaration of modelFiles(packageDir, ".js").flatMap(declarationsOf))
    if (declaration.type === "FunctionDeclaration" && declaration.id) functions.set(declaration.id.name, declaration);

  const membersOf = (name: string): ReadonlyMap<string, Member> | undefined => {
    const declaration = interfaces.get(name);
    if (declaration === undefined) return undefined;
    const inherited = declaration.extends.flatMap(({ expression }) =>
      expression.type === "Identifier" ? [...(membersOf(expression.name) ?? [])] : [],
    );
    return new Map([...inherited, ...ownMembers(declaration)]);
  };
  return { membersOf, aliases, enums, functions, interfaceOf, serializerOf, deserializerOf };
};
