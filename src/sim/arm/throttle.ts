import type { ArmState } from "./armState.ts";
import type { TokenBucketOptions } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";

type Kind = "reads" | "writes" | "deletes";

export const kindOf = (method: string): Kind => {
  if (method === "DELETE") return "deletes";
  return method === "GET" || method === "HEAD" ? "reads" : "writes";
};

/** What the headers show when nothing limits: Azure's numbers of an idle subscription. */
const idle: Readonly<Record<Kind, number>> = { reads: 11_999, writes: 1_199, deletes: 14_999 };

const refill = (state: ArmState, key: string, bucket: TokenBucketOptions, nowMs: number) => {
  const entry = state.buckets.get(key) ?? { tokens: bucket.capacity, atMs: nowMs };
  const grown = entry.tokens + (Math.max(0, nowMs - entry.atMs) / 1000) * bucket.perSecond;
  const refreshed = { tokens: Math.min(bucket.capacity, grown), atMs: nowMs };
  state.buckets.set(key, refreshed);
  return refreshed;
};

/** What a request costs: the remaining number as a header, and a refusal when nothing is left. */
export const throttle = (
  state: ArmState,
  request: { readonly method: string; readonly subscription: string; readonly identity: string },
  nowMs: number,
): { readonly headers: Readonly<Record<string, string>>; readonly refusal: Answer | undefined } => {
  const kind = kindOf(request.method);
  const name = `x-ms-ratelimit-remaining-subscription-${kind}`;
  const bucket = state.options.throttling?.[kind];
  if (bucket === undefined || request.subscription === "")
    return { headers: { [name]: String(idle[kind]) }, refusal: undefined };
  const entry = refill(state, `${request.subscription.toLowerCase()}~${request.identity}~${kind}`, bucket, nowMs);
  if (entry.tokens >= 1) {
    entry.tokens -= 1;
    return { headers: { [name]: String(Math.floor(entry.tokens)) }, refusal: undefined };
  }
  const seconds = Math.max(1, Math.ceil((1 - entry.tokens) / Math.max(bucket.perSecond, 0.001)));
  return {
    headers: { [name]: "0" },
    refusal: refuse(
      429,
      "SubscriptionRequestsThrottled",
      `Number of '${kind}' requests for subscription '${request.subscription}' exceeded the limit. Please try again after '${seconds}' seconds.`,
      { retryAfterSeconds: seconds },
    ),
  };
};
