import type { JsonObject } from "../../../src/core/types.ts";
import type { RuleCase } from "../../support/admission/ruleCase.ts";

/** Where in an object a part of a spec stands: the field that a refusal names, and the patch that puts the part there. */
export interface Place {
  readonly field: string;
  readonly patch: (part: JsonObject) => JsonObject;
}

/** The same part below a field of objects: `networkSpec.vnet`. */
export const within = ({ field, patch }: Place, path: string): Place => ({
  field: `${field}.${path}`,
  patch: (part) =>
    patch(
      path
        .split(".")
        .toReversed()
        .reduce<JsonObject>((inner, step) => ({ [step]: inner }), part),
    ),
});

/** The same part as the only item of a list, laid over what such an item must have. */
export const asItem = (place: Place, list: string, least: JsonObject = {}): Place => ({
  field: `${place.field}.${list}[0]`,
  patch: (part) => place.patch({ [list]: [{ ...least, ...part }] }),
});

/** What a rule says of one field below a place. */
export const fieldCase = (
  place: Place,
  field: string,
  rule: string,
  accepts: JsonObject[string],
  refuses: JsonObject[string],
  at = field,
): RuleCase => ({
  rule,
  field: `${place.field}.${at}`,
  accepts: place.patch({ [field]: accepts ?? null }),
  refuses: place.patch({ [field]: refuses ?? null }),
});

/** A text that is as long as it may be, and one that is longer. */
export const lengthCase = (
  place: Place,
  field: string,
  most: number,
  text: (length: number) => string = (length) => "a".repeat(length),
): RuleCase => fieldCase(place, field, `may not be more than ${most} bytes`, text(most), text(most + 1));

/** A list that is as long as it may be, and one that is longer. */
export const itemsCase = (
  place: Place,
  field: string,
  most: number,
  item: (index: number) => JsonObject[string],
): RuleCase => {
  const items = (length: number) => Array.from({ length }, (_, index) => item(index) ?? null);
  return fieldCase(place, field, `must have at most ${most} items`, items(most), items(most + 1));
};

/** A list with an item that occurs once, and with one that occurs again. */
export const twiceCase = (place: Place, list: string, item: JsonObject[string], at: string): RuleCase =>
  fieldCase(place, list, "Duplicate value", [item ?? null], [item ?? null, item ?? null], at);
