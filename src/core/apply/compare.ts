import { isJsonList, isJsonObject } from "../../wire/json.ts";
import type { Json, JsonObject } from "../types.ts";
import { overlaps, sameAddress } from "./addresses.ts";
import { declaredKey } from "./itemKeys.ts";
import {
  coveredBy,
  type Frame,
  isKeyedPlace,
  isMapPlace,
  itemPlace,
  type Place,
  propertyPlace,
  ruleAt,
} from "./place.ts";

type TextMode = "ignoreCase" | "address" | "location" | "exact";

const lastName = (place: Place): string => place.pattern.replaceAll("[]", "").split(".").at(-1)?.toLowerCase() ?? "";

/** The property by which the items of a list are told apart. */
const isKey = ({ rules }: Frame, { pattern }: Place): boolean => {
  const [, list, name] = /^(.*)\[\]\.([^.[\]]+)$/.exec(pattern) ?? [];
  if (list === undefined || name === undefined) return false;
  const declared = declaredKey(rules, list);
  return declared === undefined ? name === "name" || name === "id" : name === declared;
};

const modeOf = (frame: Frame, place: Place, text: string): TextMode => {
  const declared = ruleAt(frame.rules.compare, place);
  if (declared !== undefined) return declared;
  if (isKey(frame, place) || text.toLowerCase().startsWith("/subscriptions/")) return "ignoreCase";
  const name = lastName(place);
  if (name === "location") return "location";
  return /(address|prefix)(es)?$/.test(name) ? "address" : "exact";
};

const plainLocation = (text: string): string => text.replaceAll(" ", "").toLowerCase();

const sameText = (frame: Frame, place: Place, wanted: string, observed: string): boolean => {
  switch (modeOf(frame, place, wanted)) {
    case "exact":
      return wanted === observed;
    case "ignoreCase":
      return wanted.toLowerCase() === observed.toLowerCase();
    case "location":
      return plainLocation(wanted) === plainLocation(observed);
    case "address":
      return wanted === observed || sameAddress(wanted, observed);
  }
};

const sameList = (frame: Frame, place: Place, wanted: readonly Json[], observed: readonly Json[]): boolean => {
  const item = itemPlace(frame, place);
  const has = (list: readonly Json[], one: Json): boolean => list.some((other) => same(frame, item, one, other));
  if (coveredBy(frame.rules.sets, place))
    return wanted.every((one) => has(observed, one)) && observed.every((one) => has(wanted, one));
  if (wanted.length === 0 && isKeyedPlace(frame, place)) return true;
  return wanted.length === observed.length && wanted.every((one, index) => same(frame, item, one, observed[index]));
};

/** What Azure adds to an object is not ours to compare. */
const sameObject = (frame: Frame, place: Place, wanted: JsonObject, observed: JsonObject): boolean =>
  Object.entries(wanted).every(([name, value]) =>
    same(frame, propertyPlace(frame, place, name), value, observed[name]),
  );

/** The values that stand for nothing: the one that equals absence, and the one that is sent to clear. */
const nothings = ({ rules }: Frame, place: Place): readonly Json[] =>
  [ruleAt(rules.absentMeans, place), ruleAt(rules.clear, place)].filter(
    (value) => value !== undefined && value !== null,
  );

/**
 * Whether what Azure shows is what is wanted. Null and an empty map are the same as nothing, `[]` and `{}` are not; a
 * wanted `[]` of a keyed list holds whatever others have put into it.
 */
export const same = (frame: Frame, place: Place, wanted: Json, observed: Json | undefined): boolean => {
  if (observed === undefined || observed === null) {
    if (wanted === null || place.secret || place.writeOnly) return true;
    if (isJsonObject(wanted) && Object.keys(wanted).length === 0 && isMapPlace(frame, place)) return true;
    return nothings(frame, place).some((nothing) => same(frame, place, wanted, nothing));
  }
  if (typeof wanted === "string" && typeof observed === "string") return sameText(frame, place, wanted, observed);
  if (isJsonList(wanted)) return isJsonList(observed) && sameList(frame, place, wanted, observed);
  if (isJsonObject(wanted)) return isJsonObject(observed) && sameObject(frame, place, wanted, observed);
  return wanted === observed;
};

const texts = (value: Json | undefined): readonly string[] =>
  typeof value === "string" ? [value] : isJsonList(value) ? value.filter((item) => typeof item === "string") : [];

/** Whether two items cannot both have these values: equal ones, or prefixes that share an address. */
export const excludes = (frame: Frame, place: Place, one: Json | undefined, other: Json | undefined): boolean => {
  if (one === undefined || other === undefined) return false;
  const [first] = texts(one);
  if (first !== undefined && modeOf(frame, place, first) === "address")
    return texts(one).some((a) => texts(other).some((b) => overlaps(a, b)));
  return same(frame, place, one, other);
};
