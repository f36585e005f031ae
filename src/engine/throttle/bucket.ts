import type { ArmRequest } from "../../ports.ts";

/** Requests that Azure counts together. */
export type Verb = "reads" | "writes" | "deletes";

export const verbOf = (method: ArmRequest["method"]): Verb => {
  if (method === "DELETE") return "deletes";
  return method === "GET" ? "reads" : "writes";
};

/** How many requests at once, and how many more each second. */
export interface Size {
  readonly tokens: number;
  readonly perSecond: number;
}

/**
 * For each subscription, identity and region of the caller:
 * https://learn.microsoft.com/azure/azure-resource-manager/management/request-limits-and-throttling
 */
export const sizes: Readonly<Record<Verb, Size>> = {
  reads: { tokens: 250, perSecond: 25 },
  writes: { tokens: 200, perSecond: 10 },
  deletes: { tokens: 200, perSecond: 10 },
};

/** Of a bucket's size: below it only deletions and what a person waits for go on (design section 7). */
const reserve = 0.2;

/** Who goes first when there is little: deletions, then what a person waits for, then everything else. */
const ranks = { deletion: 0, human: 1, other: 2 } as const;
export type Rank = keyof typeof ranks;

/** Somebody who was sent away, and when to come back. */
interface Waiting {
  readonly rank: Rank;
  readonly untilMs: number;
}

/** What one instance knows of one of Azure's buckets. */
export interface Bucket {
  readonly size: Size;
  /** At `atMs`, requests on their way already taken off. */
  readonly tokens: number;
  readonly atMs: number;
  /** Requests without an answer. */
  readonly onTheirWay: number;
  /** Answers in a row that told of far less than was reckoned: others ask too, or it fills more slowly. */
  readonly surprises: number;
  /** Azure said 429: nothing is asked before. */
  readonly blockedUntilMs: number;
  /** By object. */
  readonly waiting: ReadonlyMap<string, Waiting>;
}

export const fullBucket = (size: Size, nowMs: number): Bucket => ({
  size,
  tokens: size.tokens,
  atMs: nowMs,
  onTheirWay: 0,
  // The first answer of all surprises nobody.
  surprises: -1,
  blockedUntilMs: 0,
  waiting: new Map(),
});

/** Azure may have told of more than the size known here; it is not filled beyond that. */
const tokensAt = ({ size, tokens, atMs }: Bucket, nowMs: number, perSecond = size.perSecond): number =>
  Math.min(Math.max(size.tokens, tokens), tokens + (Math.max(0, nowMs - atMs) / 1_000) * perSecond);

/** Tokens a second: what nobody waits for reckons with less where Azure told of less than was reckoned. */
const perSecondFor = ({ size, surprises }: Bucket, rank: Rank): number =>
  rank === "other" ? size.perSecond / 2 ** Math.max(0, surprises) : size.perSecond;

/** When there is enough for this rank, were nobody else to ask. */
const enoughAtMs = (bucket: Bucket, rank: Rank, nowMs: number): number => {
  const perSecond = perSecondFor(bucket, rank);
  const least = rank === "other" ? bucket.size.tokens * reserve : 1;
  const missing = Math.max(0, least - tokensAt(bucket, nowMs, perSecond));
  const fromMs = missing === 0 ? nowMs : Math.max(nowMs, bucket.atMs);
  return Math.max(bucket.blockedUntilMs, fromMs + (missing / perSecond) * 1_000);
};

export interface Asking {
  /** Any text that names the object. */
  readonly object: string;
  readonly rank: Rank;
  /** Between 0 and 1, the same for all requests of an object: where in the crowd it comes back. */
  readonly place: number;
}

export type Asked =
  | { readonly kind: "granted"; readonly bucket: Bucket }
  | { readonly kind: "wait"; readonly untilMs: number; readonly bucket: Bucket };

/** Those who do not come back are waited for no longer. */
const graceMs = 5_000;
/** An object that comes back asks for about so many requests. */
const requestsATurn = 6;

/**
 * Takes a token, or says when to come back: never while somebody of a higher rank waits, and spread over the time that the
 * crowd in front needs, so that it does not come back as one.
 */
export const ask = (bucket: Bucket, { object, rank, place }: Asking, nowMs: number): Asked => {
  const others = [...bucket.waiting].filter(([name, { untilMs }]) => name !== object && untilMs + graceMs > nowMs);
  const before = others.filter(([, one]) => ranks[one.rank] < ranks[rank]);
  const atMs = enoughAtMs(bucket, rank, nowMs);
  if (atMs <= nowMs && before.length === 0) {
    const tokens = tokensAt(bucket, nowMs) - 1;
    const { onTheirWay } = bucket;
    return {
      kind: "granted",
      bucket: { ...bucket, tokens, atMs: nowMs, onTheirWay: onTheirWay + 1, waiting: new Map(others) },
    };
  }
  const crowd = 1 + others.filter(([, one]) => ranks[one.rank] <= ranks[rank]).length;
  const spreadMs = ((crowd * requestsATurn) / bucket.size.perSecond) * 1_000;
  const fromMs = Math.max(atMs, ...before.map(([, one]) => one.untilMs));
  const known = bucket.waiting.get(object)?.untilMs ?? 0;
  // Who has its time keeps it: the requests of one object come back together.
  const untilMs = known > Math.max(nowMs, fromMs) ? known : fromMs + place * spreadMs;
  return { kind: "wait", untilMs, bucket: { ...bucket, waiting: new Map([...others, [object, { rank, untilMs }]]) } };
};

/** Of a bucket's size: so much less than reckoned is no rounding. */
const surprising = 0.05;
/** With each the filling is taken to be half as fast, at the least a 32nd. */
const mostSurprises = 5;

/** An answer came: what it says of the rest goes before what was reckoned. */
export const answered = (bucket: Bucket, remaining: number | undefined, nowMs: number): Bucket => {
  const onTheirWay = Math.max(0, bucket.onTheirWay - 1);
  if (remaining === undefined || bucket.blockedUntilMs > nowMs) return { ...bucket, onTheirWay };
  const tokens = Math.max(0, remaining - onTheirWay);
  const surprised = tokens < tokensAt(bucket, nowMs) - bucket.size.tokens * surprising;
  const surprises = surprised ? Math.min(mostSurprises, bucket.surprises + 1) : 0;
  return { ...bucket, onTheirWay, surprises, tokens, atMs: nowMs };
};

/** Azure, to us or to another instance, said that nothing is taken before then. */
export const blockedUntil = (bucket: Bucket, untilMs: number): Bucket =>
  untilMs <= bucket.blockedUntilMs ? bucket : { ...bucket, blockedUntilMs: untilMs, tokens: 0, atMs: untilMs };
