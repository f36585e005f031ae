import { asText, type CelFunctions, noSuchOverload } from "./celFunction.ts";
import { memoised } from "./memoised.ts";

/** Kubernetes quantities (https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/), in billionths: nothing finer is kept. */
export class Quantity {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

const billion = 1_000_000_000n;
const largest = (2n ** 63n - 1n) * billion;

const decimal: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, "": 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const binary: Readonly<Record<string, bigint>> = { Ki: 10n, Mi: 20n, Gi: 30n, Ti: 40n, Pi: 50n, Ei: 60n };

const form = /^([+-]?)(\d*)(?:\.(\d*))?(?:([eE][+-]?\d+)|([A-Za-z]*))$/;
/** Beyond this a number is larger than the largest or finer than the finest quantity. */
const farExponent = 400;

const scaled = (digits: bigint, exponent: number): bigint => {
  const clamped = Math.max(-farExponent, Math.min(farExponent, exponent + 9));
  if (clamped >= 0) return digits * 10n ** BigInt(clamped);
  const divisor = 10n ** BigInt(-clamped);
  // What is finer than a billionth is rounded up.
  return (digits + divisor - 1n) / divisor;
};

const parse = (text: string): Quantity | undefined => {
  const [, sign, before = "", after = "", exponent, suffix = ""] = form.exec(text) ?? [];
  if (sign === undefined || before + after === "") return undefined;
  const shift = binary[suffix];
  const power = exponent === undefined ? decimal[suffix] : Number(exponent.slice(1));
  if (shift === undefined && power === undefined) return undefined;
  const digits = BigInt(before + after) << (shift ?? 0n);
  const nanos = scaled(digits, (power ?? 0) - after.length);
  const kept = nanos > largest ? largest : nanos;
  return new Quantity(sign === "-" ? -kept : kept);
};

const parsed = memoised(parse);

const quantityOf = (text: unknown): Quantity => {
  const quantity = parsed(asText(text));
  if (quantity === undefined) throw new Error("quantities must match the regular expression of Kubernetes");
  return quantity;
};

const nanosOf = (value: unknown): bigint => (value instanceof Quantity ? value.nanos : noSuchOverload());
const addend = (value: unknown): bigint => (typeof value === "bigint" ? value * billion : nanosOf(value));
const signOf = (value: bigint): bigint => (value === 0n ? 0n : value > 0n ? 1n : -1n);

const integerOf = (value: unknown): bigint => {
  const nanos = nanosOf(value);
  if (nanos % billion !== 0n) throw new Error("cannot convert value to integer");
  return nanos / billion;
};

export const quantityFunctions: CelFunctions = {
  "isQuantity/1": (text) => parsed(asText(text)) !== undefined,
  "quantity/1": quantityOf,
  "compareTo/2": (a, b) => signOf(nanosOf(a) - nanosOf(b)),
  "isGreaterThan/2": (a, b) => nanosOf(a) > nanosOf(b),
  "isLessThan/2": (a, b) => nanosOf(a) < nanosOf(b),
  "sign/1": (value) => signOf(nanosOf(value)),
  "isInteger/1": (value) => nanosOf(value) % billion === 0n,
  "asInteger/1": integerOf,
  "asApproximateFloat/1": (value) => Number(nanosOf(value)) / Number(billion),
  "add/2": (a, b) => new Quantity(nanosOf(a) + addend(b)),
  "sub/2": (a, b) => new Quantity(nanosOf(a) - addend(b)),
};
