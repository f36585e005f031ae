import {
  type Asking,
  answered,
  ask,
  type Bucket,
  blockedUntil,
  fullBucket,
  type Size,
  sizes,
  type Verb,
} from "./bucket.ts";

/** One of Azure's buckets: of Resource Manager itself, or, with a `provider`, of that resource provider. */
export interface BucketName {
  /** Empty for requests outside of any. */
  readonly subscription: string;
  readonly identity: string;
  readonly verb: Verb;
  readonly provider?: string;
}

/**
 * What one instance knows of Azure's buckets; made by the composition root. Its loss costs retries only. All times are
 * those of the table service.
 */
export interface Throttle {
  /** Takes one token of each, or none of them; then says when to come back, in ms. */
  ask(names: readonly BucketName[], asking: Asking, nowMs: number): number | undefined;
  answered(name: BucketName, remaining: number | undefined, nowMs: number): void;
  /** Nothing is asked before then. */
  block(name: BucketName, untilMs: number): void;
  /** Whether it is time to look again what other instances were told; if so, the time counts as used. */
  looksAround(place: string, nowMs: number): boolean;
}

/** Providers do not tell how large their buckets are: only their refusals count. */
const unknownSize: Size = { tokens: 1_000_000, perSecond: 1_000 };
/** How long it takes at most until a refusal told to another instance is known here. */
const lookEveryMs = 10_000;
/** Buckets that are remembered, the most recently used ones. */
const mostKept = 1_000;

export const bucketText = ({ subscription, identity, verb, provider }: BucketName): string =>
  [subscription, identity, verb, ...(provider === undefined ? [] : [provider])].join("~").toLowerCase();

export const createThrottle = (): Throttle => {
  const buckets = new Map<string, Bucket>();
  const looked = new Map<string, number>();
  const find = (name: BucketName, nowMs: number): Bucket =>
    buckets.get(bucketText(name)) ?? fullBucket(name.provider === undefined ? sizes[name.verb] : unknownSize, nowMs);
  const keep = (name: BucketName, bucket: Bucket): void => {
    const text = bucketText(name);
    buckets.delete(text);
    buckets.set(text, bucket);
    const [oldest] = buckets.keys();
    if (buckets.size > mostKept && oldest !== undefined) buckets.delete(oldest);
  };
  return {
    ask: (names, asking, nowMs) => {
      const all = names.map((name) => ({ name, asked: ask(find(name, nowMs), asking, nowMs) }));
      const waits = all.filter(({ asked }) => asked.kind === "wait");
      for (const { name, asked } of waits.length === 0 ? all : waits) keep(name, asked.bucket);
      if (waits.length === 0) return undefined;
      return Math.max(...waits.map(({ asked }) => (asked.kind === "wait" ? asked.untilMs : 0)));
    },
    answered: (name, remaining, nowMs) => keep(name, answered(find(name, nowMs), remaining, nowMs)),
    block: (name, untilMs) => keep(name, blockedUntil(find(name, untilMs), untilMs)),
    looksAround: (place, nowMs) => {
      const due = nowMs - (looked.get(place) ?? Number.NEGATIVE_INFINITY) >= lookEveryMs;
      if (due) looked.set(place, nowMs);
      return due;
    },
  };
};
