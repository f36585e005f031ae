import type { Problem } from "../../core/kind.ts";
import type { Json } from "../../core/types.ts";
import { invalid } from "../problem.ts";

/** A rule that is judged at the start of a turn, because neither the definition of a kind nor a policy can say it. */
export interface TurnRule {
  readonly kind: string;
  /** Path of the field, with `[]` for any item of a list. */
  readonly field: string;
  /** What would be right, as in the messages of the definitions; the field stands before it. */
  readonly says: string;
  /** What it takes to judge it that the API server does not have. */
  readonly why: string;
}

/** A problem of the spec, with the rule that it breaks. */
export interface Broken extends Problem {
  readonly rule: TurnRule;
}

/** The problem of a value that breaks a rule. `detail`: the other values that it takes to understand it. */
export const broken = (rule: TurnRule, path: string, value: Json | undefined, detail?: string): Broken => ({
  ...invalid(path, value, detail === undefined ? rule.says : `${rule.says} (${detail})`),
  rule,
});
