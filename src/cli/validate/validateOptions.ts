/** What `capstan validate` was asked for. */
export interface ValidateOptions {
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly against?: readonly string[];
  readonly output: "text" | "json";
  /** Variables as `NAME=VALUE`. */
  readonly set?: readonly string[];
  /** File of variables. */
  readonly variables?: string;
  /** Whether `${…}` is a variable. */
  readonly fill: boolean;
  /** Whether warnings count as errors. */
  readonly strict?: boolean;
  readonly verbose?: boolean;
}

/** Status when the command was called wrongly or a file cannot be read. */
export const usageStatus = 2;
