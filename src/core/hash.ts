import type { Json } from "../wire/json.ts";

/** Fractional parts of the cube roots of the first 64 primes (FIPS 180-4, section 4.2.2). */
const roundConstants = Int32Array.of(
  0x428a2f98,
  0x71374491,
  0xb5c0fbcf,
  0xe9b5dba5,
  0x3956c25b,
  0x59f111f1,
  0x923f82a4,
  0xab1c5ed5,
  0xd807aa98,
  0x12835b01,
  0x243185be,
  0x550c7dc3,
  0x72be5d74,
  0x80deb1fe,
  0x9bdc06a7,
  0xc19bf174,
  0xe49b69c1,
  0xefbe4786,
  0x0fc19dc6,
  0x240ca1cc,
  0x2de92c6f,
  0x4a7484aa,
  0x5cb0a9dc,
  0x76f988da,
  0x983e5152,
  0xa831c66d,
  0xb00327c8,
  0xbf597fc7,
  0xc6e00bf3,
  0xd5a79147,
  0x06ca6351,
  0x14292967,
  0x27b70a85,
  0x2e1b2138,
  0x4d2c6dfc,
  0x53380d13,
  0x650a7354,
  0x766a0abb,
  0x81c2c92e,
  0x92722c85,
  0xa2bfe8a1,
  0xa81a664b,
  0xc24b8b70,
  0xc76c51a3,
  0xd192e819,
  0xd6990624,
  0xf40e3585,
  0x106aa070,
  0x19a4c116,
  0x1e376c08,
  0x2748774c,
  0x34b0bcb5,
  0x391c0cb3,
  0x4ed8aa4a,
  0x5b9cca4f,
  0x682e6ff3,
  0x748f82ee,
  0x78a5636f,
  0x84c87814,
  0x8cc70208,
  0x90befffa,
  0xa4506ceb,
  0xbef9a3f7,
  0xc67178f2,
);

/** Fractional parts of the square roots of the first eight primes (FIPS 180-4, section 5.3.3). */
const initialState = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;

/** The second halves of those of the ninth to the sixteenth prime (FIPS 180-4, section 5.3.2). */
const initialState224 = [
  0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939, 0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4,
] as const;

const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

/** Message, a one bit, zeros, and the length in bits as 64 bits. */
const padded = (text: string): DataView => {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64));
  new Uint8Array(view.buffer).set(bytes);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(view.byteLength - 8, Math.floor(bytes.length / 0x20000000));
  view.setUint32(view.byteLength - 4, (bytes.length << 3) >>> 0);
  return view;
};

const fillSchedule = (schedule: Int32Array, view: DataView, offset: number): void => {
  for (let at = 0; at < 16; at++) schedule[at] = view.getInt32(offset + at * 4);
  for (let at = 16; at < 64; at++) {
    const early = schedule[at - 15]!;
    const late = schedule[at - 2]!;
    const mixedEarly = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const mixedLate = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    schedule[at] = (((schedule[at - 16]! + mixedEarly) | 0) + ((schedule[at - 7]! + mixedLate) | 0)) | 0;
  }
};

/** Whole words with a sign and nothing else: much of what a turn reckons is this. */
const compress = (state: Int32Array, schedule: Int32Array): void => {
  // The one cast: the state has exactly eight words.
  let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
  for (let round = 0; round < 64; round++) {
    const sumE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const choice = (((h + sumE) | 0) + ((e & f) ^ (~e & g))) | 0;
    const first = (choice + ((roundConstants[round]! + schedule[round]!) | 0)) | 0;
    const sumA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const second = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
};

/** The words that a text in UTF-8 comes to, as hex digits. */
const digest = (text: string, initial: readonly number[], words: number): string => {
  const view = padded(text);
  const state = Int32Array.from(initial);
  const schedule = new Int32Array(64);
  for (let offset = 0; offset < view.byteLength; offset += 64) {
    fillSchedule(schedule, view, offset);
    compress(state, schedule);
  }
  return [...state.subarray(0, words)].map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
};

/** SHA-256 of a text in UTF-8, as 64 hex digits (FIPS 180-4). Written out because pure rooms have no `node:crypto`. */
export const sha256 = (text: string): string => digest(text, initialState, 8);

/** SHA-224 of a text in UTF-8, as 56 hex digits (FIPS 180-4). */
export const sha224 = (text: string): string => digest(text, initialState224, 7);

const sorted = (_key: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
    : value;

/** JSON text that is equal for equal values, whatever the order of their properties. */
export const canonicalJson = (value: Json): string => JSON.stringify(value, sorted);

/** 128 bits of the SHA-256 of a value's canonical JSON, as 32 hex digits: equal values, equal hash. */
export const hashOf = (value: Json): string => sha256(canonicalJson(value)).slice(0, 32);
