import type { Kind, KindInput, Outcome, Ownership, Problem, Report } from "./kind.ts";
import type { Service } from "./service.ts";
import type { Desired, Result } from "./types.ts";

/** A service without its scope: what the engine needs to know of it. */
export type ServiceFacts = Omit<Service<never>, "desired">;

export interface PlannedService {
  readonly service: ServiceFacts;
  readonly desired: readonly Desired[];
}

/** One object, planned: everything that is wanted, and how to report on it. The scope stays inside. */
export interface Planned {
  readonly services: readonly PlannedService[];
  readonly ownership: Ownership;
  readonly report: (outcome: Outcome) => Report;
}

/** A kind whose scope type is hidden, so that kinds of different scopes fit into one map. */
export interface RunnableKind extends Omit<Kind<never>, "services" | "scope" | "ownership" | "report"> {
  readonly services: readonly ServiceFacts[];
  readonly plan: (input: KindInput) => Result<Planned, readonly Problem[]>;
}

export const runnable = <Scope>(kind: Kind<Scope>): RunnableKind => ({
  ...kind,
  plan: (input) => {
    const scope = kind.scope(input);
    if (!scope.ok) return scope;
    return {
      ok: true,
      value: {
        services: kind.services.map((service) => ({ service, desired: service.desired(scope.value) })),
        ownership: kind.ownership(scope.value),
        report: (outcome) => kind.report(scope.value, input, outcome),
      },
    };
  },
});
