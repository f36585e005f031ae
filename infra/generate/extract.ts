import type { Expression, ObjectExpression, TSType } from "oxc-parser";
import type { Member, SdkModels } from "./sdkModels.ts";
import { calledNames, flattenedBy, itemKey, keyName, returnedObject } from "./syntax.ts";
import type { WireObject, WireProperty, WireType } from "./wireTypes.ts";

type Members = ReadonlyMap<string, Member>;

/** What the parts of one object are read from. */
interface Source {
  /** Interface of the client in which the properties stand, flattened or not. */
  readonly members: Members;
  /** Interface of the nested object itself, which alone tells what is required in it. */
  readonly nested: Members | undefined;
  readonly serializer: ObjectExpression | undefined;
  readonly deserializer: ObjectExpression | undefined;
}

interface Entry {
  readonly name: string;
  readonly value: Expression;
}

const entriesOf = (object: ObjectExpression | undefined): readonly Entry[] =>
  (object?.properties ?? []).flatMap((property) => {
    if (property.type !== "Property") return [];
    const name = keyName(property.key);
    return name === undefined ? [] : [{ name, value: property.value }];
  });

const spreadsOf = (object: ObjectExpression | undefined): readonly Expression[] =>
  (object?.properties ?? []).flatMap((property) => (property.type === "SpreadElement" ? [property.argument] : []));

/**
 * Recovers wire types from the interfaces of a client package and its generated (de)serializers: those give the names
 * on the wire, the nesting that the interfaces have lost, and, by what only the deserializer knows, what is read-only.
 */
export class Extractor {
  readonly objects = new Map<string, WireObject>();
  readonly #models: SdkModels;

  constructor(models: SdkModels) {
    this.#models = models;
  }

  /** The object type of an interface, extracted once. */
  objectOf(name: string): WireType {
    if (this.objects.has(name)) return { kind: "object", name };
    const members = this.#models.membersOf(name);
    if (members === undefined) throw new Error(`no interface ${name}`);
    this.objects.set(name, { name, properties: [] });
    const properties = this.#propertiesOf(name, {
      members,
      nested: undefined,
      serializer: this.#returned(this.#models.serializerOf.get(name)),
      deserializer: this.#returned(this.#models.deserializerOf.get(name)),
    });
    this.objects.set(name, { name, properties });
    return { kind: "object", name };
  }

  #returned(functionName: string | undefined): ObjectExpression | undefined {
    const fn = functionName === undefined ? undefined : this.#models.functions.get(functionName);
    return fn === undefined ? undefined : returnedObject(fn);
  }

  #propertiesOf(owner: string, source: Source): readonly WireProperty[] {
    const sent = entriesOf(source.serializer).map((entry) => this.#sentProperty(owner, source, entry));
    const names = new Set(sent.map((property) => property.name));
    const received = [
      ...entriesOf(source.deserializer).map((entry) => this.#receivedProperty(source, entry)),
      ...spreadsOf(source.deserializer).map((spread) => this.#receivedContainer(owner, source, spread)),
    ];
    return [...sent, ...received.filter((property) => !names.has(property.name))];
  }

  #sentProperty(owner: string, source: Source, { name, value }: Entry): WireProperty {
    const container = flattenedBy(value);
    if (container !== undefined) {
      const required = value.type === "CallExpression";
      return { ...this.#container(owner, source, name, container), required, readOnly: false };
    }
    const client = itemKey(value) ?? name;
    const member = source.members.get(client) ?? source.nested?.get(name);
    const rule = source.nested?.get(name) ?? source.nested?.get(client) ?? member;
    if (member === undefined || rule === undefined) throw new Error(`${owner}.${name}: no member ${client}`);
    return { name, type: this.#typeOf(member.type), required: !rule.optional, readOnly: false, secret: false };
  }

  #receivedProperty(source: Source, entry: Entry): WireProperty {
    const name = itemKey(entry.value) ?? entry.name;
    const member = source.members.get(entry.name) ?? source.nested?.get(name);
    const type = member === undefined ? { kind: "any" as const } : this.#typeOf(member.type);
    return { name, type, required: false, readOnly: true, secret: false };
  }

  /** A nested object that is only read: it occurs in the deserializer alone. */
  #receivedContainer(owner: string, source: Source, spread: Expression): WireProperty {
    const name = itemKey(spread);
    const [deserializer] = calledNames(spread);
    if (name === undefined || deserializer === undefined) throw new Error(`${owner}: a spread without a property`);
    return { ...this.#container(owner, source, name, deserializer), required: false, readOnly: true };
  }

  #container(
    owner: string,
    source: Source,
    property: string,
    conversion: string,
  ): Omit<WireProperty, "required" | "readOnly"> {
    const suffix = property.charAt(0).toUpperCase() + property.slice(1);
    const known = [`${owner}${suffix}Format`, `${owner}${suffix}`].find((name) => this.#models.membersOf(name));
    const name = known ?? `${owner}${suffix}`;
    const properties = this.#propertiesOf(name, {
      members: source.members,
      nested: known === undefined ? undefined : this.#models.membersOf(known),
      serializer: this.#returned(conversion.replace(/Deserializer$/, "Serializer")),
      deserializer: this.#returned(conversion.replace(/Serializer$/, "Deserializer")),
    });
    this.objects.set(name, { name, properties });
    return { name: property, type: { kind: "object", name }, secret: false };
  }

  #typeOf(type: TSType | undefined): WireType {
    switch (type?.type) {
      case "TSStringKeyword":
        return { kind: "string" };
      case "TSNumberKeyword":
        return { kind: "number" };
      case "TSBooleanKeyword":
        return { kind: "boolean" };
      case "TSArrayType":
        return { kind: "list", item: this.#typeOf(type.elementType) };
      case "TSParenthesizedType":
        return this.#typeOf(type.typeAnnotation);
      case "TSUnionType":
        return this.#unionOf(type.types);
      case "TSLiteralType":
        return this.#unionOf([type]);
      case "TSTypeReference":
        return type.typeName.type === "Identifier"
          ? this.#named(type.typeName.name, type.typeArguments?.params ?? [])
          : { kind: "any" };
      default:
        return { kind: "any" };
    }
  }

  #unionOf(types: readonly TSType[]): WireType {
    const present = types.filter((type) => type.type !== "TSNullKeyword");
    const [only] = present;
    const literals = present.flatMap((type) =>
      type.type === "TSLiteralType" && type.literal.type === "Literal" && typeof type.literal.value === "string"
        ? [type.literal.value]
        : [],
    );
    if (literals.length === present.length) return { kind: "enum", values: literals, open: false };
    return present.length === 1 ? this.#typeOf(only) : { kind: "any" };
  }

  #named(name: string, parameters: readonly TSType[]): WireType {
    if (name === "Array") return { kind: "list", item: this.#typeOf(parameters[0]) };
    if (name === "Record") return { kind: "map", value: this.#typeOf(parameters[1]) };
    if (name === "Date" || name === "Uint8Array") return { kind: "string" };
    if (this.#models.membersOf(name) !== undefined) return this.objectOf(name);
    const alias = this.#models.aliases.get(name);
    const known = this.#models.enums.get(`Known${name}`);
    if (alias?.type === "TSStringKeyword" && known !== undefined) return { kind: "enum", values: known, open: true };
    return this.#typeOf(alias);
  }
}
