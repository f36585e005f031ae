import { Environment } from "@marcbachmann/cel-js";
import { conversionFunctions } from "./conversionFunctions.ts";
import { functionName, type Inlined, inDialect } from "./dialect.ts";
import { listFunctions } from "./listFunctions.ts";
import { NetCidr, NetIp } from "./netAddress.ts";
import { networkFunctions } from "./networkFunctions.ts";
import { optionalFunctions } from "./optionalFunctions.ts";
import { Quantity, quantityFunctions } from "./quantityFunctions.ts";
import { textFunctions } from "./textFunctions.ts";

/** What an expression says of some variables. */
export type Answer = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: string };

/** An expression, ready to be asked again and again. */
export type Expression = (variables: Readonly<Record<string, unknown>>) => Answer;

/** CEL as the API server speaks it, with the functions that all its versions from 1.32 on have. */
export interface CelEnvironment {
  /** Throws for what is no expression, and for functions and variables that it does not know. */
  expression(source: string, inlined?: Inlined): Expression;
  /** The expression as part of another one, for inlining. */
  dialect(source: string, inlined?: Inlined): string;
  /** An optional with a value, or an empty one for undefined. */
  optional(value: unknown): unknown;
}

const functions = {
  ...textFunctions,
  ...listFunctions,
  ...networkFunctions,
  ...quantityFunctions,
  ...conversionFunctions,
  ...optionalFunctions,
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);

/** The functions with the given variables, which may be of any type. */
export const celEnvironment = (variables: readonly string[]): CelEnvironment => {
  // Types are the API server's to check when it takes a definition: here all is dynamic.
  const base = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false })
    .registerType("NetIp", { ctor: NetIp, fields: {} })
    .registerType("NetCidr", { ctor: NetCidr, fields: {} })
    .registerType("Quantity", { ctor: Quantity, fields: {} });
  for (const [key, run] of Object.entries(functions)) {
    const [name = "", arity] = key.split("/");
    const args = Array.from({ length: Number(arity) }, () => "dyn").join(", ");
    base.registerFunction(`${functionName(name)}(${args}): dyn`, run, { async: false });
  }
  for (const variable of [...variables, "given"]) base.registerVariable(variable, "dyn");

  const dialect = (source: string, inlined?: Inlined): string => inDialect(base.parse(source).ast, inlined);
  const some = base.parse("optional.of(given)");
  const none = base.parse("optional.none()");
  return {
    dialect,
    expression: (source, inlined) => {
      const parsed = base.parse(dialect(source, inlined));
      const checked = parsed.check();
      if (!checked.valid) throw new Error(messageOf(checked.error));
      return (given) => {
        try {
          return { ok: true, value: parsed(given) };
        } catch (error) {
          return { ok: false, error: messageOf(error) };
        }
      };
    },
    optional: (value) => (value === undefined ? none({}) : some({ given: value })),
  };
};
