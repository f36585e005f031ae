import type { Json } from "../../core/types.ts";
import { withoutSecrets } from "../fieldMessage.ts";

/** How to get from an object to a value inside it: names of fields, keys of free maps and positions in lists. */
export type Step = string | number | { readonly key: string };

/** What was asked when a value was found wanting. */
export type Check =
  | "identity"
  | "metadata"
  | "type"
  | "required"
  | "enum"
  | "pattern"
  | "format"
  | "limit"
  | "size"
  | "duplicate"
  | "rule"
  | "policy";

/** One thing for which the API server would refuse an object. */
export interface Finding {
  /** Where it is, as the API server says it: `spec.networkSpec.subnets[1].name`; empty for the object as a whole. */
  readonly path: string;
  /** The same place, for looking it up: field names, keys and positions from the object downwards. */
  readonly at: readonly (string | number)[];
  /** What stands there, without secrets; absent for lists, objects and what is missing. */
  readonly value?: Json;
  /** What would be right, in the words of the rule, or in those of the API server for a limit of the schema. */
  readonly message: string;
  readonly rule: Check;
}

/** The steps as the API server writes them. */
export const pathOf = (steps: readonly Step[]): string =>
  steps
    .map((step, i) => {
      if (typeof step === "number") return `[${step}]`;
      if (typeof step === "object") return `[${step.key}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join("");

const isShown = (value: Json | undefined): value is Json =>
  value !== undefined && (typeof value !== "object" || value === null);

/** A finding about the value at the steps. */
export const finding = (rule: Check, steps: readonly Step[], message: string, value?: Json): Finding => ({
  path: pathOf(steps),
  at: steps.map((step) => (typeof step === "object" ? step.key : step)),
  ...(isShown(value) && { value: withoutSecrets(pathOf(steps), value) }),
  message,
  rule,
});
