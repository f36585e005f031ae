import { type ByDefault, byDefault } from "../../core/marked.ts";
import type { Choice } from "../scope.ts";

/** The value of a choice as a body takes it: bare when the user asked for it, marked when we chose it. */
export const marked = <T>({ value, asked }: Choice<T>): T | ByDefault<T> => (asked ? value : byDefault<T>(value));
