/** Distinguished Encoding Rules (ITU-T X.690), as far as a certificate needs them. */

const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.of(length);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex");
  return Buffer.concat([Buffer.of(0x80 | bytes.length), bytes]);
};

const encode = (tag: number, ...content: readonly Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body]);
};

const base128 = (value: number): readonly number[] => {
  const high: readonly number[] = value < 0x80 ? [] : base128(Math.floor(value / 0x80)).map((byte) => byte | 0x80);
  return [...high, value % 0x80];
};

const two = (value: number): string => String(value).padStart(2, "0");
const stamp = (time: Date): string =>
  `${two(time.getUTCMonth() + 1)}${two(time.getUTCDate())}${two(time.getUTCHours())}${two(time.getUTCMinutes())}${two(time.getUTCSeconds())}Z`;

/** One function per type; each returns tag, length and content. */
export const der = {
  sequence: (...items: readonly Buffer[]): Buffer => encode(0x30, ...items),
  set: (...items: readonly Buffer[]): Buffer => encode(0x31, ...items),
  boolean: (value: boolean): Buffer => encode(0x01, Buffer.of(value ? 0xff : 0)),
  /** A positive integer of big-endian bytes. A leading zero keeps a high first bit from meaning a negative number. */
  integer: (bytes: Buffer): Buffer => {
    const first = bytes.findIndex((byte) => byte !== 0);
    const shortest = first === -1 ? Buffer.of(0) : bytes.subarray(first);
    return encode(0x02, shortest[0]! >= 0x80 ? Buffer.concat([Buffer.of(0), shortest]) : shortest);
  },
  bitString: (bytes: Buffer, unusedBits = 0): Buffer => encode(0x03, Buffer.of(unusedBits), bytes),
  octetString: (bytes: Buffer): Buffer => encode(0x04, bytes),
  /** An object identifier in dotted form. */
  oid: (dotted: string): Buffer => {
    const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
    return encode(0x06, Buffer.from([first * 40 + second, ...rest].flatMap(base128)));
  },
  utf8String: (text: string): Buffer => encode(0x0c, Buffer.from(text, "utf8")),
  /** A time with seconds. RFC 5280 wants two digits for the year before 2050 and four from then on. */
  time: (time: Date): Buffer => {
    const year = time.getUTCFullYear();
    return year < 2050
      ? encode(0x17, Buffer.from(`${two(year % 100)}${stamp(time)}`, "latin1"))
      : encode(0x18, Buffer.from(`${year}${stamp(time)}`, "latin1"));
  },
  /** Context-specific tag around whole items. */
  explicit: (tag: number, ...items: readonly Buffer[]): Buffer => encode(0xa0 | tag, ...items),
  /** Context-specific tag in place of a primitive type's own. */
  implicit: (tag: number, content: Buffer): Buffer => encode(0x80 | tag, content),
} as const;
