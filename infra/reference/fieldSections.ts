import type { RuleEntry } from "../../src/api/definition/rules.ts";
import type { Json } from "../../src/core/types.ts";
import { deep, type Field } from "./fields.ts";
import { anchor, code, inline, table } from "./markdown.ts";

/** A table of this many rows is still read; above it, large objects get tables of their own. */
const rowsOfATable = 36;
/** An object of fewer fields stays in the table of its parent. */
const rowsOfAnObject = 8;

const sizeOf = (field: Field): number => deep(field).length;

/** Where fields stand, and all that stands there, to find equal shapes. */
interface Place {
  readonly path: string;
  readonly suffix: string;
  readonly fields: readonly Field[];
}

interface Section {
  readonly at: Place;
  /** Fields below that have sections of their own. */
  readonly apart: readonly Field[];
}

/** An object of one field has no section of its own, what it holds may have. */
const orInner = (field: Field): readonly Field[] => {
  if (sizeOf(field) <= rowsOfAnObject) return [];
  return field.fields.length === 1 ? field.fields.flatMap(orInner) : field.fields.length > 1 ? [field] : [];
};

const apartIn = (fields: readonly Field[]): readonly Field[] =>
  fields.reduce((sum, field) => sum + sizeOf(field), 0) <= rowsOfATable ? [] : fields.flatMap(orInner);

/** Breadth first: what stands together in an object is read together. */
const sectionsOf = (at: Place): readonly Section[] => {
  const apart = apartIn(at.fields);
  return [{ at, apart }, ...apart.flatMap(sectionsOf)];
};

/** Fields that a rule about changes names. */
type Fixed = ReadonlySet<string>;
const isFixed = ({ path, suffix }: Place, fixed: Fixed): boolean => fixed.has(path) || fixed.has(`${path}${suffix}`);

/** Equal for equal fields, in whatever order. */
const shapeOf = ({ fields }: Pick<Field, "fields">): string =>
  fields
    .map((field) => JSON.stringify({ ...field, path: "", fields: shapeOf(field) }))
    .toSorted()
    .join("\n");

const depth = ({ at }: Section): number => at.path.split(".").length;

/** The place at which each shape is written: the highest that has it. */
const writtenAt = (sections: readonly Section[]): ReadonlyMap<string, Place> => {
  const highestLast = sections.toReversed().toSorted((a, b) => depth(b) - depth(a));
  const byShape = new Map(highestLast.map(({ at }) => [shapeOf(at), at]));
  return new Map(sections.map(({ at }) => [at.path, byShape.get(shapeOf(at)) ?? at]));
};

const headingOf = ({ path, suffix }: Place): string => code(`${path}${suffix}`);

interface Context {
  readonly written: ReadonlyMap<string, Place>;
  readonly fixed: Fixed;
  readonly computed: ReadonlyMap<string, Json>;
}

/** What the API server writes, and, in italics, what a turn puts in the place of nothing or of an empty text. */
const defaultOf = (field: Field, { computed }: Context): string => {
  const shown = (value: Json | undefined): string => (value === undefined ? "" : code(JSON.stringify(value)));
  const [written, meant] = [shown(field.default), shown(computed.get(field.path))];
  return [written, meant === "" || meant === written ? "" : `*${meant}*`].filter((part) => part !== "").join(", ");
};

/** Names of the fixed fields below a place, as its table has them. */
const fixedIn = ({ path, suffix, fields }: Place, fixed: Fixed): readonly string[] =>
  fields
    .flatMap(deep)
    .filter((field) => isFixed(field, fixed))
    .map((field) => code(field.path.slice(path.length + suffix.length + 1)));

const elsewhere = (field: Field, { written, fixed }: Context): string => {
  const place = written.get(field.path) ?? field;
  const link = `[${headingOf(place)}](${anchor(headingOf(place))})`;
  if (place.path === field.path) return `Its fields: ${link}.`;
  const [here, there] = [fixedIn(field, fixed).join(", "), fixedIn(place, fixed).join(", ")];
  if (here === there) return `The same fields as ${link}.`;
  return `The same fields as ${link}, but ${here === "" ? "none" : `only ${here}`} **fixed**.`;
};

const rowsOf = (field: Field, prefix: string, apart: readonly Field[], context: Context): readonly string[][] => {
  const isApart = apart.includes(field);
  const fixed = isFixed(field, context.fixed) ? ["**fixed**"] : [];
  const description = [inline(field.description), ...(isApart ? [elsewhere(field, context)] : [])];
  const row = [
    code(`${prefix}${field.name}`),
    `${field.type}${field.required ? ", **required**" : ""}`,
    defaultOf(field, context),
    [...field.limits, ...fixed].join("; "),
    description.filter((part) => part !== "").join(" "),
  ];
  if (isApart) return [row];
  const below = `${prefix}${field.name}${field.suffix}.`;
  return [row, ...field.fields.flatMap((inner) => rowsOf(inner, below, apart, context))];
};

const heads = ["Field", "Type", "Default", "Limits", "What it is"];

const sectionText = ({ at, apart }: Section, context: Context): string => {
  const rows = at.fields.flatMap((field) => rowsOf(field, "", apart, context));
  // The status stands under a heading of its own name.
  const heading = at.path === "status" ? "" : `### ${headingOf(at)}\n\n`;
  return `${heading}${table(heads, rows)}`;
};

/**
 * Tables of all fields below one field, in sections of a size that is still read. A shape that occurs again is written
 * once. `**fixed**` marks what a rule about changes names.
 */
export const fieldSections = (
  root: Field,
  rules: readonly RuleEntry[],
  computed: ReadonlyMap<string, Json> = new Map(),
): string => {
  const sections = sectionsOf(root);
  const fixed: Fixed = new Set(rules.filter(({ about }) => about === "change").map(({ path }) => path));
  const written = writtenAt(sections);
  return sections
    .filter(({ at }) => written.get(at.path) === at)
    .map((section) => sectionText(section, { written, fixed, computed }))
    .join("\n\n");
};
