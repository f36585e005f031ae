import { classify } from "./azureErrors.ts";
import type { Failure, Json, Remaining } from "./types.ts";

/** Reads one header of an answer; names in lower case. */
export type Header = (name: string) => string | undefined;

/** https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling#remaining-requests */
const wholes = ["subscription", "subscription-global", "tenant", "tenant-global"].flatMap((scope) =>
  ["reads", "writes", "deletes"].map((verb) => `x-ms-ratelimit-remaining-${scope}-${verb}`),
);
/** `Microsoft.Compute/HighCostGet;159`, several of them with commas. https://learn.microsoft.com/troubleshoot/azure/virtual-machines/troubleshooting-throttling-errors */
const policies = "x-ms-ratelimit-remaining-resource";

const countOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\s*\d+\s*$/.test(text) ? Number(text) : undefined;

const lowest = (counts: readonly (number | undefined)[]): number | undefined => {
  const known = counts.filter((count) => count !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** What the headers of one answer say of how many more requests of its kind may follow; undefined: nothing. */
export const remainingOf = (header: Header): Remaining | undefined => {
  const whole = lowest(wholes.map((name) => countOf(header(name))));
  const resource = lowest((header(policies) ?? "").split(",").map((policy) => countOf(policy.split(";")[1])));
  if (whole === undefined && resource === undefined) return undefined;
  return { ...(whole !== undefined && { whole }), ...(resource !== undefined && { resource }) };
};

/** Retry-After as whole seconds or a date; Azure's own headers in milliseconds go before, because they are finer. */
export const retryAfterIn = (header: Header): string | undefined => {
  const ms = countOf(header("retry-after-ms")) ?? countOf(header("x-ms-retry-after-ms"));
  if (ms !== undefined) return String(Math.ceil(ms / 1_000));
  const told = header("retry-after")?.trim();
  return told !== undefined && /^\d+\.\d+$/.test(told) ? String(Math.ceil(Number(told))) : told;
};

/** Nothing is put off for longer, whatever Azure says. */
const longestSeconds = 3_600;

/**
 * A refusal as `classify` has it, with what its headers say: when to come back (at most an hour), what is left, and
 * Azure's ids of the request. `nowMs` is the time of the answer, by which a Retry-After that is a date is read.
 */
export const refusalOf = (status: number, body: Json | undefined, header: Header, nowMs: number): Failure => {
  const after = retryAfterIn(header);
  const { retryAfterSeconds, ...failure } = classify(status, body, {
    nowMs,
    ...(after !== undefined && { retryAfter: after }),
  });
  const remaining = remainingOf(header);
  const [requestId, correlationId] = [header("x-ms-request-id"), header("x-ms-correlation-request-id")];
  return {
    ...failure,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds: Math.min(longestSeconds, retryAfterSeconds) }),
    ...(remaining !== undefined && { remaining }),
    ...(requestId !== undefined && { requestId }),
    ...(correlationId !== undefined && { correlationId }),
  };
};
