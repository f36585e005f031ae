import type { ArmState } from "./armState.ts";
import type { ArmSimulatorOptions, TokenBucketOptions } from "./options.ts";
import { type Answer, refuse } from "./protocol.ts";

type Kind = "reads" | "writes" | "deletes";

/**
 * Azure's own limits for each subscription and identity:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const azureThrottling: NonNullable<ArmSimulatorOptions["throttling"]> = {
  reads: { capacity: 250, perSecond: 25 },
  writes: { capacity: 200, perSecond: 10 },
  deletes: { capacity: 200, perSecond: 10 },
};

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

/** Takes a token; `left` are the whole ones then, and `afterSeconds` when there was none. */
const take = (
  state: ArmState,
  key: string,
  bucket: TokenBucketOptions,
  nowMs: number,
): { readonly left: number; readonly afterSeconds?: number } => {
  const entry = refill(state, key, bucket, nowMs);
  if (entry.tokens < 1) {
    const afterSeconds = Math.max(1, Math.ceil((1 - entry.tokens) / Math.max(bucket.perSecond, 0.001)));
    return { left: 0, afterSeconds };
  }
  entry.tokens -= 1;
  return { left: Math.floor(entry.tokens) };
};

interface Request {
  readonly method: string;
  readonly path: string;
  readonly subscription: string;
  readonly identity: string;
}

/** What a request costs: the remaining numbers as headers, and a refusal when nothing is left. */
export interface Cost {
  readonly headers: Readonly<Record<string, string>>;
  readonly refusal: Answer | undefined;
}

const ownerOf = ({ subscription, identity }: Request): string => `${subscription.toLowerCase()}~${identity}`;

const ofSubscription = (state: ArmState, request: Request, nowMs: number): Cost => {
  const kind = kindOf(request.method);
  const name = `x-ms-ratelimit-remaining-subscription-${kind}`;
  const bucket = state.options.throttling?.[kind];
  if (bucket === undefined || request.subscription === "")
    return { headers: { [name]: String(idle[kind]) }, refusal: undefined };
  const { left, afterSeconds } = take(state, `${ownerOf(request)}~${kind}`, bucket, nowMs);
  const words = `Number of '${kind}' requests for subscription '${request.subscription}' exceeded the limit. Please try again after '${afterSeconds}' seconds.`;
  return {
    headers: { [name]: String(left) },
    refusal:
      afterSeconds === undefined
        ? undefined
        : refuse(429, "SubscriptionRequestsThrottled", words, { retryAfterSeconds: afterSeconds }),
  };
};

const providerOf = (path: string): string => [...path.matchAll(/\/providers\/([^/]+)/gi)].at(-1)?.[1] ?? "";

const ofProvider = (state: ArmState, request: Request, nowMs: number): Cost => {
  const namespace = providerOf(request.path);
  const limited = Object.entries(state.options.throttling?.providers ?? {});
  const [, bucket] = limited.find(([name]) => name.toLowerCase() === namespace.toLowerCase()) ?? [];
  if (bucket === undefined) return { headers: {}, refusal: undefined };
  const { left, afterSeconds } = take(state, `${ownerOf(request)}~${namespace.toLowerCase()}`, bucket, nowMs);
  const words = `The server rejected the request because too many requests have been received for this subscription; policy ${bucket.policy}.`;
  return {
    headers: { "x-ms-ratelimit-remaining-resource": `${namespace}/${bucket.policy};${left}` },
    refusal:
      afterSeconds === undefined
        ? undefined
        : refuse(429, "TooManyRequests", words, { retryAfterSeconds: afterSeconds }),
  };
};

/** Resource Manager looks first; what it refuses does not reach the provider. */
export const throttle = (state: ArmState, request: Request, nowMs: number): Cost => {
  const whole = ofSubscription(state, request, nowMs);
  if (whole.refusal !== undefined) return whole;
  const provider = ofProvider(state, request, nowMs);
  return { headers: { ...whole.headers, ...provider.headers }, refusal: provider.refusal };
};
