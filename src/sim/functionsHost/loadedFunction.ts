import type { RegisteredFunction } from "./functionsCore.ts";
import type { Trigger } from "./trigger.ts";

/** A registered function with its trigger read. */
export interface LoadedFunction<T extends Trigger = Trigger> {
  readonly fn: RegisteredFunction;
  readonly trigger: T;
}

/** What is told about a function to whoever started the host. */
export type FunctionSummary =
  | { readonly name: string; readonly kind: "serviceBusQueue"; readonly queue: string }
  | { readonly name: string; readonly kind: "timer"; readonly schedule: string }
  | {
      readonly name: string;
      readonly kind: "http";
      readonly route: string;
      readonly methods: readonly string[];
      readonly authLevel: string;
    };

/** `routePrefix` is laid before the routes. */
export const summarise = ({ fn, trigger }: LoadedFunction, routePrefix: string): FunctionSummary => {
  const { name } = fn;
  switch (trigger.kind) {
    case "serviceBusQueue":
      return { name, kind: trigger.kind, queue: trigger.queue };
    case "timer":
      return { name, kind: trigger.kind, schedule: trigger.schedule.expression };
    case "http":
      return {
        name,
        kind: trigger.kind,
        route: [routePrefix, trigger.template].filter((part) => part !== "").join("/"),
        methods: trigger.methods,
        authLevel: trigger.authLevel,
      };
  }
};
