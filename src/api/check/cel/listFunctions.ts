import { asInt, asList, type CelFunctions, noSuchOverload } from "./celFunction.ts";
import { isEqual } from "./equality.ts";
import { textPositions } from "./textFunctions.ts";

/** Functions of lists (https://kubernetes.io/docs/reference/using-api/cel/#kubernetes-list-library), and of all that has a size. */

const isText = (value: unknown): boolean => typeof value === "string";

const comparable = (value: unknown): string | number | bigint | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" || typeof value === "boolean"
    ? value
    : noSuchOverload();

const isLess = (a: unknown, b: unknown): boolean => comparable(a) < comparable(b);

const extreme = (name: string, list: unknown, isBetter: (a: unknown, b: unknown) => boolean): unknown => {
  const [first, ...rest] = asList(list);
  if (first === undefined) throw new Error(`${name} called on empty list`);
  return rest.reduce((best, item) => (isBetter(item, best) ? item : best), first);
};

const sum = (list: unknown): unknown => {
  const items = asList(list);
  if (items.every((item) => typeof item === "bigint")) return items.reduce((total: bigint, item) => total + item, 0n);
  return items.reduce((total: number, item) => total + (typeof item === "number" ? item : noSuchOverload()), 0);
};

const size = (value: unknown): bigint => {
  if (typeof value === "string") return BigInt(Array.from(value).length);
  if (Array.isArray(value)) return BigInt(value.length);
  return value instanceof Map ? BigInt(value.size) : noSuchOverload();
};

const isIn = (value: unknown, all: unknown): boolean => {
  if (all instanceof Map) return all.has(value);
  return asList(all).some((item) => isEqual(item, value));
};

const plus = (a: unknown, b: unknown): unknown => {
  if (typeof a === "string" && typeof b === "string") return a + b;
  if (typeof a === "number" && typeof b === "number") return a + b;
  if (typeof a === "bigint" && typeof b === "bigint") return inRange(a + b);
  return [...asList(a), ...asList(b)];
};

const inRange = (value: bigint): bigint => {
  if (BigInt.asIntN(64, value) !== value) throw new Error("integer overflow");
  return value;
};

const has = (value: unknown, name: unknown): boolean => (value instanceof Map ? value.has(name) : noSuchOverload());

export const listFunctions: CelFunctions = {
  "size/1": size,
  "isSorted/1": (list) => asList(list).every((item, i, all) => i === 0 || !isLess(item, all[i - 1])),
  "sum/1": sum,
  "min/1": (list) => extreme("min", list, isLess),
  "max/1": (list) => extreme("max", list, (a, b) => isLess(b, a)),
  "indexOf/2": (value, wanted) =>
    isText(value)
      ? textPositions.indexFrom(value, wanted, 0)
      : BigInt(asList(value).findIndex((item) => isEqual(item, wanted))),
  "indexOf/3": (value, wanted, from) => textPositions.indexFrom(value, wanted, asInt(from)),
  "lastIndexOf/2": (value, wanted) =>
    isText(value)
      ? textPositions.lastIndex(value, wanted)
      : BigInt(asList(value).findLastIndex((item) => isEqual(item, wanted))),
  "lastIndexOf/3": (value, wanted, from) => textPositions.lastIndexFrom(value, wanted, asInt(from)),
  "sets.contains/2": (list, part) => asList(part).every((item) => isIn(item, list)),
  "sets.intersects/2": (a, b) => asList(a).some((item) => isIn(item, b)),
  "sets.equivalent/2": (a, b) => asList(a).every((item) => isIn(item, b)) && asList(b).every((item) => isIn(item, a)),
  "operator ==/2": isEqual,
  "operator !=/2": (a, b) => !isEqual(a, b),
  "operator in/2": isIn,
  "operator +/2": plus,
  "operator {}/1": (pairs) => new Map(asList(pairs).map((pair) => [asList(pair)[0], asList(pair)[1]])),
  "operator has/2": has,
};
