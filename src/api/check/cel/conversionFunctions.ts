import { asList, asText, type CelFunctions, noSuchOverload } from "./celFunction.ts";
import { NetCidr, NetIp } from "./netAddress.ts";

/** Conversions between types (https://github.com/google/cel-spec/blob/master/doc/langdef.md#list-of-standard-definitions), and `format`. */

const largest = 2n ** 63n - 1n;

const inRange = (value: bigint): bigint => {
  if (value > largest || value < -largest - 1n) throw new Error("integer overflow");
  return value;
};

const intOf = (value: unknown): bigint => {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") {
    if (!Number.isFinite(value)) throw new Error("integer overflow");
    return inRange(BigInt(Math.trunc(value)));
  }
  const text = asText(value);
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`type conversion error from string to int: ${JSON.stringify(text)}`);
  return inRange(BigInt(text.replace(/^\+/, "")));
};

const doubleOf = (value: unknown): number => {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  const text = asText(value);
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text))
    throw new Error(`type conversion error from string to double: ${JSON.stringify(text)}`);
  return Number(text);
};

const boolOf = (value: unknown): boolean => {
  if (typeof value === "boolean") return value;
  const text = asText(value);
  if (["1", "t", "true", "TRUE", "True"].includes(text)) return true;
  if (["0", "f", "false", "FALSE", "False"].includes(text)) return false;
  throw new Error(`type conversion error from string to bool: ${JSON.stringify(text)}`);
};

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value;
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  return value instanceof NetIp || value instanceof NetCidr ? value.text : noSuchOverload();
};

/** A value within a formatted text; texts inside lists and maps are quoted. */
const shown = (value: unknown, isInside: boolean): string => {
  if (typeof value === "string") return isInside ? JSON.stringify(value) : value;
  if (value === null) return "null";
  if (Array.isArray(value)) return `[${value.map((item) => shown(item, true)).join(", ")}]`;
  if (value instanceof Map) {
    const entries = [...value].map(([key, inner]) => `${shown(key, true)}: ${shown(inner, true)}`);
    return `{${entries.toSorted().join(", ")}}`;
  }
  return textOf(value);
};

const decimals = (value: unknown, digits: string | undefined): string =>
  doubleOf(value).toFixed(digits === undefined ? 6 : Number(digits));

const based = (value: unknown, base: 2 | 8 | 16): string =>
  typeof value === "bigint" ? value.toString(base) : noSuchOverload();

const formatted = (format: unknown, values: unknown): string => {
  const given = asList(values);
  let used = 0;
  return asText(format).replaceAll(/%(?:%|(?:\.(\d+))?([a-zA-Z]))/g, (clause, digits?: string, verb?: string) => {
    if (clause === "%%") return "%";
    if (used >= given.length) throw new Error(`index ${used} out of range`);
    const value = given[used];
    used += 1;
    switch (verb) {
      case "s":
        return shown(value, false);
      case "d":
        return typeof value === "bigint" ? String(value) : noSuchOverload();
      case "f":
        return decimals(value, digits);
      case "b":
        return typeof value === "boolean" ? (value ? "1" : "0") : based(value, 2);
      case "o":
        return based(value, 8);
      case "x":
        return based(value, 16);
      case "X":
        return based(value, 16).toUpperCase();
      default:
        throw new Error(`unrecognized formatting clause ${clause}`);
    }
  });
};

export const conversionFunctions: CelFunctions = {
  "int/1": intOf,
  "double/1": doubleOf,
  "bool/1": boolOf,
  "string/1": textOf,
  "dyn/1": (value) => value,
  "format/2": formatted,
};
