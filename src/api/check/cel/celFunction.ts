/** A function that rules may call, as a method of its first argument or by itself. Throws what CEL calls an error. */
export type CelFunction = (...given: readonly unknown[]) => unknown;

/** Functions by name and number of arguments, the one it is called on included: `split/2`. */
export type CelFunctions = Readonly<Record<string, CelFunction>>;

/** What CEL says when a function does not know the type of an argument. */
export const noSuchOverload = (): never => {
  throw new Error("no such overload");
};

export const asText = (value: unknown): string => (typeof value === "string" ? value : noSuchOverload());
export const asInt = (value: unknown): number => (typeof value === "bigint" ? Number(value) : noSuchOverload());
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : noSuchOverload());
