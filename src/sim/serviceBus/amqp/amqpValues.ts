import { types } from "./rhea.ts";

/** Numbers that AMQP 1.0 gives to the sections of a message (part 3, section 2). */
export const section = {
  header: 0x70,
  deliveryAnnotations: 0x71,
  messageAnnotations: 0x72,
  properties: 0x73,
  applicationProperties: 0x74,
  data: 0x75,
} as const;

/** A section in place: `start` is its descriptor, `value` the first byte of its value. */
export interface Section {
  readonly code: number;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

/** The offset just after the value at `at`, by its type code alone (AMQP 1.0, part 1, section 1.2). */
export const skipValue = (buffer: Buffer, at: number): number => {
  const code = buffer.readUInt8(at);
  if (code === 0) return skipValue(buffer, skipValue(buffer, at + 1));
  const end = at + 1 + sizeOf(buffer, code, at + 1);
  if (end > buffer.length) throw new RangeError("An AMQP value is longer than its buffer.");
  return end;
};

const fixedWidths = [0, 1, 2, 4, 8, 16] as const;

/** Size of what follows a type code. */
const sizeOf = (buffer: Buffer, code: number, at: number): number => {
  const category = code >> 4;
  if (category >= 0x4 && category <= 0x9) return fixedWidths[category - 4]!;
  if (category === 0xa || category === 0xc || category === 0xe) return 1 + buffer.readUInt8(at);
  if (category === 0xb || category === 0xd || category === 0xf) return 4 + buffer.readUInt32BE(at);
  throw new RangeError(`0x${code.toString(16)} is no AMQP type.`);
};

/** The sections of an encoded message. Throws a RangeError when the bytes are no message. */
export const readSections = (buffer: Buffer): readonly Section[] => {
  const sections: Section[] = [];
  for (let start = 0; start < buffer.length; ) {
    if (buffer.readUInt8(start) !== 0) throw new RangeError("A message consists of described sections.");
    const value = skipValue(buffer, start + 1);
    const code = Number(readValue(buffer, start + 1));
    const end = skipValue(buffer, value);
    sections.push({ code, start, value, end });
    start = end;
  }
  return sections;
};

/** The value at `at` as JavaScript has it. */
export const readValue = (buffer: Buffer, at: number): unknown => {
  const code = buffer.readUInt8(at);
  // Descriptors are nearly always of this type, and there are several to each message.
  if (code === 0x53) return buffer.readUInt8(at + 1);
  return types.unwrap(new types.Reader(buffer.subarray(at)).read());
};

/** The encoded items of a list, map or array, one after another; a map has two items a pair. */
export const readItems = (buffer: Buffer, at: number): readonly Buffer[] => {
  const code = buffer.readUInt8(at);
  if (code === 0x45) return [];
  const isWide = code === 0xd0 || code === 0xd1;
  if (!isWide && code !== 0xc0 && code !== 0xc1) throw new RangeError("A list or a map was expected.");
  const count = isWide ? buffer.readUInt32BE(at + 5) : buffer.readUInt8(at + 2);
  const items: Buffer[] = [];
  for (let start = at + (isWide ? 9 : 3); items.length < count; ) {
    const end = skipValue(buffer, start);
    items.push(buffer.subarray(start, end));
    start = end;
  }
  return items;
};

/** Encodes a JavaScript value with the AMQP type that fits it best. */
export const encodeValue = (value: unknown): Buffer => {
  const writer = new types.Writer();
  writer.write(types.wrap(value));
  return Buffer.from(writer.toBuffer());
};

export const encodeSymbol = (text: string): Buffer => Buffer.from([0xa3, text.length, ...Buffer.from(text)]);
export const encodeLong = (value: number): Buffer => wide(0x81, value);
export const encodeTimestamp = (timeMs: number): Buffer => wide(0x83, timeMs);
export const encodeNull = (): Buffer => Buffer.from([0x40]);
export const encodeBoolean = (value: boolean): Buffer => Buffer.from([value ? 0x41 : 0x42]);
export const encodeUbyte = (value: number): Buffer => Buffer.from([0x50, value]);
/** An int between -128 and 127. */
export const encodeSmallInt = (value: number): Buffer => Buffer.from([0x54, value]);
export const encodeUint = (value: number): Buffer => {
  const bytes = Buffer.alloc(5, 0x70);
  bytes.writeUInt32BE(value, 1);
  return bytes;
};

const wide = (typeCode: number, value: number): Buffer => {
  const bytes = Buffer.alloc(9, typeCode);
  bytes.writeBigInt64BE(BigInt(value), 1);
  return bytes;
};

/** A section whose value is a list of encoded items. */
export const listSection = (code: number, items: readonly Buffer[]): Buffer => compound(0xd0, code, items);

/** A section whose value is a map of encoded items: key, value, key, value. */
export const mapSection = (code: number, items: readonly Buffer[]): Buffer => compound(0xd1, code, items);

const compound = (typeCode: number, code: number, items: readonly Buffer[]): Buffer => {
  const size = items.reduce((sum, item) => sum + item.length, 0);
  const head = Buffer.from([0, 0x53, code, typeCode, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt32BE(size + 4, 4);
  head.writeUInt32BE(items.length, 8);
  return Buffer.concat([head, ...items]);
};
