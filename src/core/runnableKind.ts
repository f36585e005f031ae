import type { Fact, Kind, KindInput, Outcome, Ownership, Problem, Reading, Report } from "./kind.ts";
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

/** A reading whose scope type is hidden. */
export interface RunnableReading extends Omit<Reading<never>, "scope" | "report"> {
  readonly plan: (facts: readonly Fact[]) => Result<Planned, readonly Problem[]>;
}

/** A kind whose scope type is hidden, so that kinds of different scopes fit into one map. */
export interface RunnableKind extends Omit<Kind<never>, "services" | "ownership" | "read"> {
  readonly services: readonly ServiceFacts[];
  readonly read: (input: KindInput) => RunnableReading;
}

export const runnable = <Scope>(kind: Kind<Scope>): RunnableKind => ({
  ...kind,
  read: (input) => {
    const { scope: scopeOf, report, ...reading } = kind.read(input);
    return { ...reading, plan: (facts) => planned(kind, scopeOf(facts), report) };
  },
});

const planned = <Scope>(
  kind: Kind<Scope>,
  scope: Result<Scope, readonly Problem[]>,
  report: Reading<Scope>["report"],
): Result<Planned, readonly Problem[]> => {
  if (!scope.ok) return scope;
  const { value } = scope;
  return {
    ok: true,
    value: {
      services: kind.services.map((service) => ({ service, desired: service.desired(value) })),
      ownership: kind.ownership(value),
      report: (outcome) => report(value, outcome),
    },
  };
};
