import type { OperationFailure } from "./armState.ts";
import { type Answer, type ErrorDetail, errorBody, refuse } from "./protocol.ts";

/** Which requests a fault hits: all given parts must hold. */
export interface FaultMatch {
  readonly method?: string;
  /** A string is found anywhere in the path, in any case; operation URLs have paths too. */
  readonly path?: string | RegExp;
  /** The first hit is the n-th match, counted from 1. Default 1. */
  readonly nth?: number;
  /** How many matches are hit. Default 1. */
  readonly times?: number;
}

export type Fault =
  | ({
      readonly kind: "respond";
      readonly status: number;
      readonly retryAfterSeconds?: number;
      /** The request takes effect although the answer says no. */
      readonly afterEffect?: boolean;
    } & ErrorDetail)
  | { readonly kind: "drop"; readonly when: "before" | "after" }
  | { readonly kind: "delay"; readonly ms: number }
  | ({ readonly kind: "failOperation"; readonly status?: "Failed" | "Canceled" } & ErrorDetail);

export interface FaultRule {
  readonly match: FaultMatch;
  readonly fault: Fault;
}

export interface ActiveFault {
  readonly rule: FaultRule;
  seen: number;
}

export const activeFaults = (rules: readonly FaultRule[]): ActiveFault[] => rules.map((rule) => ({ rule, seen: 0 }));

const fits = (match: FaultMatch, method: string, path: string): boolean => {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false;
  if (match.path === undefined) return true;
  if (typeof match.path === "string") return path.toLowerCase().includes(match.path.toLowerCase());
  match.path.lastIndex = 0;
  return match.path.test(path);
};

/** The faults that hit this request; each counts it. */
export const faultsFor = (faults: readonly ActiveFault[], method: string, path: string): readonly Fault[] =>
  faults.flatMap((active) => {
    const { match, fault } = active.rule;
    if (!fits(match, method, path)) return [];
    active.seen += 1;
    const first = match.nth ?? 1;
    return active.seen >= first && active.seen < first + (match.times ?? 1) ? [fault] : [];
  });

/** The answer of a `respond` fault. */
export const faultAnswer = (fault: Extract<Fault, { readonly kind: "respond" }>): Answer => {
  const { status, code, message, details, retryAfterSeconds } = fault;
  return refuse(status, code, message, {
    ...(details === undefined ? {} : { details }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
  });
};

/** The end of an operation that a fault wants to fail. */
export const faultFailure = (faults: readonly Fault[]): OperationFailure | undefined => {
  const fault = faults.find((candidate) => candidate.kind === "failOperation");
  if (fault === undefined) return undefined;
  return { status: fault.status ?? "Failed", error: errorBody(fault) };
};
