import { gunzipSync, gzipSync } from "node:zlib";
import type { Json, Result } from "../core/types.ts";
import { parseJson } from "./parseJson.ts";

/** Of one binary property: https://learn.microsoft.com/rest/api/storageservices/understanding-the-table-service-data-model */
const pieceBytes = 64 * 1024;
/** Of all pieces of a row; the row itself may have 1 MiB. */
const mostBytes = 800 * 1024;
/** A row of ours unpacks to far less; more is damage. */
const mostUnpackedBytes = 64 * 1024 * 1024;
const prefix = "packed_";

/** Whether a property holds a piece of a packed value. */
export const isPiece = (property: string): boolean => property.startsWith(prefix);

/** Values as gzipped pieces, one property each. Failure code `RowTooLarge`. */
export const pack = (packed: Readonly<Record<string, Json>>): Result<Readonly<Record<string, Uint8Array>>> => {
  const pieces: Record<string, Uint8Array> = {};
  let total = 0;
  for (const [name, value] of Object.entries(packed)) {
    const bytes = gzipSync(JSON.stringify(value));
    total += bytes.length;
    if (total > mostBytes) {
      const message = `the packed values of a row have more than ${mostBytes} bytes`;
      return { ok: false, error: { kind: "badConfiguration", code: "RowTooLarge", message } };
    }
    for (let index = 0; index * pieceBytes < bytes.length; index += 1)
      pieces[`${prefix}${name}_${index}`] = bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes);
  }
  return { ok: true, value: pieces };
};

const unpackOne = (pieces: readonly Uint8Array[]): Json | undefined => {
  try {
    const bytes = gunzipSync(Buffer.concat(pieces), { maxOutputLength: mostUnpackedBytes });
    return parseJson(bytes.toString("utf8"));
  } catch {
    return undefined;
  }
};

/**
 * The values of a row's pieces. When one of them cannot be read, all are left out: whoever decodes the row then sees that
 * it is damaged, and observes anew.
 */
export const unpack = (properties: Readonly<Record<string, unknown>>): Readonly<Record<string, Json>> => {
  const names = new Set(
    Object.keys(properties).flatMap((property) =>
      isPiece(property) ? [property.slice(prefix.length).replace(/_\d+$/, "")] : [],
    ),
  );
  const values: Record<string, Json> = {};
  for (const name of names) {
    const pieces: Uint8Array[] = [];
    for (let index = 0; ; index += 1) {
      const piece = properties[`${prefix}${name}_${index}`];
      if (!(piece instanceof Uint8Array)) break;
      pieces.push(piece);
    }
    const value = unpackOne(pieces);
    if (value === undefined) return {};
    values[name] = value;
  }
  return values;
};
