import { keyText } from "./sourceText.ts";
import type { WireModel, WireObject, WireProperty, WireType } from "./wireTypes.ts";

const propertyText = ({ required, readOnly, secret }: WireProperty, node: number): string => {
  const flags = [
    required && "required: true",
    readOnly && "readOnly: true",
    secret && "writeOnly: true, secret: true",
  ].filter((flag) => flag !== false);
  return `{ ${[`node: ${node}`, ...flags].join(", ")} }`;
};

/** Numbers the types of a model and writes each as one node. */
class NodeList {
  readonly lines: string[] = [];
  readonly #model: WireModel;
  readonly #places = new Map<string, number>();

  constructor(model: WireModel) {
    this.#model = model;
  }

  placeOf(type: WireType): number {
    const key = type.kind === "enum" ? "string" : type.kind === "object" ? `object ${type.name}` : JSON.stringify(type);
    return this.#places.get(key) ?? this.#add(key, type);
  }

  #add(key: string, type: WireType): number {
    const place = this.lines.push("") - 1;
    this.#places.set(key, place);
    this.lines[place] = `    ${this.#text(type)}, // ${place}${type.kind === "object" ? ` ${type.name}` : ""}`;
    return place;
  }

  #text(type: WireType): string {
    switch (type.kind) {
      case "list":
        return `{ kind: "list", item: ${this.placeOf(type.item)} }`;
      case "map":
        return `{ kind: "object", properties: {}, additional: ${this.placeOf(type.value)} }`;
      case "object":
        return `{ kind: "object", properties: { ${this.#propertiesText(this.#model.objects.get(type.name)!)} } }`;
      case "enum":
        return `{ kind: "string" }`;
      default:
        return `{ kind: "${type.kind}" }`;
    }
  }

  #propertiesText(object: WireObject): string {
    return object.properties
      .map((property) => `${keyText(property.name)}: ${propertyText(property, this.placeOf(property.type))}`)
      .join(", ");
  }
}

/** The run-time schema of a provider as the source of an exported constant. */
export const schemaSource = (name: string, model: WireModel): string => {
  const nodes = new NodeList(model);
  const resources = model.resources.map(
    ({ type, apiVersion, body }) =>
      `    { type: "${type}", apiVersion: "${apiVersion}", body: ${nodes.placeOf({ kind: "object", name: body })} },`,
  );
  return [
    `export const ${name}: ProviderSchema = {`,
    "  resources: [",
    ...resources,
    "  ],",
    "  nodes: [",
    ...nodes.lines,
    "  ],",
    "};",
  ].join("\n");
};
