import { objectSchemaOf } from "../../src/api/definition/rules.ts";
import { deep, type Field, fieldsOf } from "./fields.ts";
import { linkTo } from "./kindWords.ts";
import { bullet, code, inline, prose, table } from "./markdown.ts";

const specOf = (kind: string): readonly Field[] =>
  fieldsOf("", objectSchemaOf(kind)).filter(({ name }) => name === "spec");

const at = (fields: readonly Field[], ...names: readonly string[]): readonly Field[] =>
  names.reduce((found, name) => found.find((field) => field.name === name)?.fields ?? [], fields);

const bare = (path: string): string => path.replace(/^spec\.template\.spec\./, "spec.");

/** Fields of one that the other has not; what is below a missing field is not named again. */
const missing = (from: readonly Field[], other: ReadonlySet<string>): readonly Field[] =>
  from.flatMap((field) => (other.has(bare(field.path)) ? missing(field.fields, other) : [field]));

/** Fields by the object that would have them; objects that lack the same fields share a line. */
const missingLines = (fields: readonly Field[]): readonly string[] => {
  const byHolder = Map.groupBy(fields, ({ path, name }) => path.slice(0, -name.length - 1));
  const lacking = [...byHolder].map(([holder, lost]) => ({
    holder,
    names: lost.map(({ name }) => code(name)).join(", "),
  }));
  return [...Map.groupBy(lacking, ({ names }) => names)].map(([names, holders]) =>
    bullet(`of ${holders.map(({ holder }) => code(holder)).join(", ")}: ${names}`),
  );
};

const traits = ({ type, required, limits, default: fallback }: Field): string =>
  [
    `${type}${required ? ", **required**" : ""}`,
    ...limits,
    ...(fallback === undefined ? [] : [`default ${code(JSON.stringify(fallback))}`]),
  ].join("; ");

const differences = (made: readonly Field[], template: readonly Field[]): readonly (readonly string[])[] => {
  const ofTemplate = new Map(template.flatMap(deep).map((field) => [bare(field.path), field]));
  return made.flatMap(deep).flatMap((field) => {
    const twin = ofTemplate.get(field.path);
    return twin === undefined || traits(twin) === traits(field)
      ? []
      : [[code(field.path), traits(field), traits(twin)]];
  });
};

const pathsOf = (fields: readonly Field[]): ReadonlySet<string> =>
  new Set(fields.flatMap(deep).map(({ path }) => bare(path)));

/** The fields of a template, as those of what it makes and where they differ. */
export const templateFields = (kind: string, makes: string): string => {
  const template = at(specOf(kind), "spec", "template", "spec");
  const made = at(specOf(makes), "spec");
  const left = missing(made, pathsOf(template));
  const added = missing(template, pathsOf(made));
  const differing = differences(made, template);
  return [
    prose(
      `\`spec.template.spec\` has the fields of [\`spec\` of ${makes}](${linkTo(makes, "#fields").replace(/^.*\(/, "")}, ` +
        "with the exceptions below. `spec.template.metadata` has `labels` and `annotations` for what is made.",
    ),
    ...(left.length > 0 ? [`Not in a template:\n\n${missingLines(left).join("\n")}`] : []),
    ...(added.length > 0
      ? [
          `Only in a template:\n\n${added.map(({ path, description }) => bullet(`${code(path)}: ${inline(description)}`)).join("\n")}`,
        ]
      : []),
    ...(differing.length > 0 ? [`Different:\n\n${table(["Field", makes, "Template"], differing)}`] : []),
  ].join("\n\n");
};
