import { itemOf, type NodeRef, nodeOf, propertyOf, type ResourceSchema } from "../../wire/schema.ts";
import type { Pattern, Rules } from "../rules.ts";
import { declaredFor, declaredKey } from "./itemKeys.ts";

/** What every function of this room needs to know about a resource type, and about the one resource at hand. */
export interface Frame {
  readonly schema: ResourceSchema;
  readonly rules: Rules;
  /** Places whose values are secret whatever the schema says: their paths by their keys. */
  readonly secrets: ReadonlyMap<string, readonly string[]>;
  /** Keys of places that are sent with a creation only. */
  readonly yielded: ReadonlySet<string>;
}

/** Where a walk through a body stands. */
export interface Place {
  /** Undefined where the schema leaves the shape open or does not know the property. */
  readonly node: NodeRef | undefined;
  readonly pattern: Pattern;
  readonly secret: boolean;
  /** Azure takes it and never shows it. */
  readonly writeOnly: boolean;
  readonly writable: boolean;
}

/** The place of a whole body. */
export const rootPlace = ({ schema }: Frame): Place => ({
  node: schema.body,
  pattern: "",
  secret: false,
  writeOnly: false,
  writable: true,
});

/** The place of a property of an object. */
export const propertyPlace = ({ schema }: Frame, place: Place, name: string): Place => {
  const pattern = place.pattern === "" ? name : `${place.pattern}.${name}`;
  if (place.node === undefined || nodeOf(schema, place.node).kind === "any")
    return { ...place, node: undefined, pattern };
  const property = propertyOf(schema, place.node, name);
  return {
    node: property?.node,
    pattern,
    secret: place.secret || property?.secret === true,
    writeOnly: place.writeOnly || property?.writeOnly === true,
    writable: place.writable && property !== undefined && property.readOnly !== true,
  };
};

/** The place of any item of a list. */
export const itemPlace = ({ schema }: Frame, place: Place): Place => ({
  ...place,
  node: place.node === undefined ? undefined : itemOf(schema, place.node),
  pattern: `${place.pattern}[]`,
});

/** Whether the schema says that a list stands here. */
export const isListPlace = ({ schema }: Frame, place: Place): boolean =>
  place.node !== undefined && nodeOf(schema, place.node).kind === "list";

/** Whether an object stands here whose property names are free (tags, labels). */
export const isMapPlace = ({ schema }: Frame, place: Place): boolean => {
  const node = place.node === undefined ? undefined : nodeOf(schema, place.node);
  return node?.kind === "object" && node.additional !== undefined;
};

/** Whether the items of the list at this place are told apart by a key even when the wanted list is empty. */
export const isKeyedPlace = (frame: Frame, place: Place): boolean => {
  if (declaredKey(frame.rules, place.pattern) !== undefined) return true;
  const item = itemPlace(frame, place).node;
  return item !== undefined && ["name", "id"].some((name) => propertyOf(frame.schema, item, name) !== undefined);
};

/** Whether this place is the pattern's or lies below it. */
export const covers = (pattern: Pattern, place: Place): boolean => {
  const above = pattern.toLowerCase();
  const here = place.pattern.toLowerCase();
  return here === above || here.startsWith(`${above}.`) || here.startsWith(`${above}[`);
};

/** Whether one of the patterns covers this place. */
export const coveredBy = (patterns: readonly Pattern[] | undefined, place: Place): boolean =>
  (patterns ?? []).some((pattern) => covers(pattern, place));

/** Whether a value here stays what it is: Azure cannot change it, or only by making the whole resource anew. */
export const isFixed = ({ rules }: Frame, place: Place): boolean =>
  coveredBy(rules.immutable, place) || ruleAbove(rules.effects, place) === "replace";

/** What is declared for exactly this place; a list and its items count as one. */
export const ruleAt = <T>(declared: Readonly<Record<Pattern, T>> | undefined, place: Place): T | undefined =>
  declaredFor(declared, place.pattern);

/** What is declared for this place or, nearest first, above it. */
export const ruleAbove = <T>(declared: Readonly<Record<Pattern, T>> | undefined, place: Place): T | undefined =>
  Object.entries(declared ?? {})
    .filter(([pattern]) => covers(pattern, place))
    .toSorted(([a], [b]) => b.length - a.length)[0]?.[1];
