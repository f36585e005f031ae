import { type CelFunctions, noSuchOverload } from "./celFunction.ts";

/** Values that may be absent (https://pkg.go.dev/github.com/google/cel-go/cel#OptionalTypes), as far as the library's macros are not enough. */
export interface Optional {
  hasValue(): boolean;
  value(): unknown;
}

export const isOptional = (value: unknown): value is Optional =>
  typeof value === "object" && value !== null && "hasValue" in value && "orValue" in value;

const asOptional = (value: unknown): Optional => (isOptional(value) ? value : noSuchOverload());

export const optionalFunctions: CelFunctions = {
  // The library knows the type of what these give only where it knows that of the optional.
  "hasValue/1": (optional) => asOptional(optional).hasValue(),
  "value/1": (optional) => asOptional(optional).value(),
};
