import { type UnorderedList, unordered } from "./celValue.ts";
import { isSameCidr, isSameIp, NetCidr, NetIp } from "./netAddress.ts";
import { isOptional } from "./optionalFunctions.ts";
import { Quantity } from "./quantityFunctions.ts";

/**
 * Equality of the API server. It is deep, compares numbers across types, and knows lists in which order means nothing;
 * the library's depends on the order of fields.
 */

const isMap = (value: unknown): value is ReadonlyMap<unknown, unknown> => value instanceof Map;

const keyOf = (keys: readonly string[], item: unknown): unknown =>
  keys.length === 0
    ? item
    : JSON.stringify(
        keys.map((key) => (isMap(item) ? item.get(key) : undefined)),
        (_name, value: unknown) => (typeof value === "bigint" ? `int ${value}` : value),
      );

const isSameList = (a: UnorderedList, b: readonly unknown[]): boolean => {
  if (a.length !== b.length) return false;
  const keys = a[unordered];
  if (keys === undefined) return a.every((item, i) => isEqual(item, b[i]));
  const byKey = new Map(a.map((item) => [keyOf(keys, item), item]));
  return b.every((item) => {
    const key = keyOf(keys, item);
    return byKey.has(key) && isEqual(byKey.get(key), item);
  });
};

export const isEqual = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && isSameList(a, b);
  if (isMap(a))
    return isMap(b) && a.size === b.size && [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key)));
  if (a instanceof NetIp) return b instanceof NetIp && isSameIp(a, b);
  if (a instanceof NetCidr) return b instanceof NetCidr && isSameCidr(a, b);
  if (a instanceof Quantity) return b instanceof Quantity && a.nanos === b.nanos;
  if (isOptional(a))
    return isOptional(b) && a.hasValue() === b.hasValue() && (!a.hasValue() || isEqual(a.value(), b.value()));
  if ((typeof a === "bigint" && typeof b === "number") || (typeof a === "number" && typeof b === "bigint"))
    // Two kinds of numbers are equal when their values are.
    return Number.isFinite(Number(a)) && Number.isInteger(Number(a)) && BigInt(a) === BigInt(b);
  return false;
};
