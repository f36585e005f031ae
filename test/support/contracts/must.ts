import type { Result } from "../../../src/core/types.ts";

/** The value of a success; a failure fails the test with its code and message. */
export const must = <T>(result: Result<T>): T => {
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.message}`);
  return result.value;
};
