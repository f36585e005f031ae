import type { Json, JsonObject } from "./json.ts";

/** One HTTP request as the state machine sees it. */
export interface ArmRequest {
  readonly method: string;
  /** Path with query, or an absolute URL whose host is ignored. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
}

/** What the transport does: send an answer (after `delayMs`), or cut the connection. */
export type ArmReply =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Json | undefined;
      readonly delayMs: number;
    }
  | { readonly kind: "dropped"; readonly delayMs: number };

export interface ErrorDetail {
  readonly code: string;
  readonly message: string;
  readonly target?: string;
  readonly details?: readonly ErrorDetail[];
}

export interface RefusalOptions {
  readonly details?: readonly ErrorDetail[];
  readonly retryAfterSeconds?: number;
  readonly target?: string;
}

/** Azure's error envelope as JSON. */
export const errorBody = (error: ErrorDetail): JsonObject => ({
  code: error.code,
  message: error.message,
  ...(error.target === undefined ? {} : { target: error.target }),
  ...(error.details === undefined ? {} : { details: error.details.map(errorBody) }),
});

/** An answer that says no. */
export const refuse = (status: number, code: string, message: string, options: RefusalOptions = {}): Answer => {
  const { retryAfterSeconds, ...rest } = options;
  const gateway = /^(Resource(Group)?NotFound|CannotDeleteResource)$/.test(code);
  return {
    status,
    headers: {
      ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
      ...(gateway ? { "x-ms-failure-cause": "gateway" } : {}),
    },
    body: { error: errorBody({ code, message, ...rest }) },
  };
};

/** The first refusal of a row of checks; later checks are not run. */
export const firstRefusal = (...checks: readonly (() => Answer | undefined)[]): Answer | undefined => {
  for (const check of checks) {
    const refusal = check();
    if (refusal !== undefined) return refusal;
  }
  return undefined;
};
