import type { Failure, Result } from "../core/types.ts";
import type { ArmRequest } from "../ports.ts";

/** One request to Azure and what came of it, as history keeps it; reads that went well are not kept. */
export interface Exchange {
  readonly method: ArmRequest["method"] | "POLL" | "LIST";
  /** Of the resource, or of what below it was asked for. */
  readonly path: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** Absent when it went well. */
  readonly failure?: Failure;
  /** Azure's own ids of the request. */
  readonly requestId?: string;
  readonly correlationId?: string;
}

/** What came of a request, as far as its answer or failure tells. */
export const exchangeOf = (
  method: Exchange["method"],
  path: string,
  result: Result<{ readonly status?: number; readonly requestId?: string; readonly correlationId?: string }>,
): Exchange => {
  const { status, requestId, correlationId } = result.ok ? result.value : result.error;
  return {
    method,
    path,
    ...(status !== undefined && { status }),
    ...(!result.ok && { failure: result.error }),
    ...(requestId !== undefined && { requestId }),
    ...(correlationId !== undefined && correlationId !== "" && { correlationId }),
  };
};

/** A 404 to a read or to a deletion is an answer like any other. */
export const isTrouble = ({ method, failure }: Exchange): boolean =>
  failure !== undefined && !(failure.status === 404 && method !== "PUT" && method !== "PATCH");
