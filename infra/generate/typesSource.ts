import { keyText } from "./sourceText.ts";
import { objectNamesIn, type WireModel, type WireObject, type WireType } from "./wireTypes.ts";

/** More values than this say nothing to a reader: sizes of virtual machines, for one. */
const mostValues = 60;

const enumText = (values: readonly string[], open: boolean): string => {
  if (values.length > mostValues) return "string";
  return [...new Set(values)]
    .map((value) => JSON.stringify(value))
    .concat(open ? "(string & {})" : [])
    .join(" | ");
};

const typeText = (type: WireType): string => {
  switch (type.kind) {
    case "string":
    case "number":
    case "boolean":
      return type.kind;
    case "any":
      return "Json";
    case "enum":
      return enumText(type.values, type.open);
    case "list":
      return `readonly ${type.item.kind === "enum" ? `(${typeText(type.item)})` : typeText(type.item)}[]`;
    case "map":
      return `Readonly<Record<string, ${typeText(type.value)}>>`;
    case "object":
      return type.name;
  }
};

const sent = (object: WireObject) => object.properties.filter((property) => !property.readOnly);

const declaration = (object: WireObject): string => {
  const properties = sent(object).map(
    ({ name, type, required }) => `  readonly ${keyText(name)}${required ? "" : "?"}: ${typeText(type)};`,
  );
  if (properties.length === 0) return `export type ${object.name} = Readonly<Record<string, never>>;`;
  return [`export type ${object.name} = {`, ...properties, "};"].join("\n");
};

/**
 * TypeScript types of what may be sent to a provider. Type aliases, not interfaces: only an alias is assignable to
 * `Json`, for an interface might be extended elsewhere.
 */
export const typesSource = (model: WireModel): string => {
  const wanted = new Set<string>();
  const enter = (name: string): void => {
    const object = model.objects.get(name);
    if (object === undefined || wanted.has(name)) return;
    wanted.add(name);
    for (const { type } of sent(object)) objectNamesIn(type).forEach(enter);
  };
  for (const { body } of model.resources) enter(body);
  return [...wanted].map((name) => declaration(model.objects.get(name)!)).join("\n\n");
};
