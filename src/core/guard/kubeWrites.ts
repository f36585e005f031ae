import { Type } from "typebox";
import { Value } from "typebox/value";
import type { KubePart, Said } from "./undone.ts";

/** What is remembered of our own writes to one part of the object. */
export interface KubeWrites {
  /** What was said last. */
  readonly said: Said;
  /** When it was said again because somebody had undone it; table-service ms, oldest first. */
  readonly againAtMs: readonly number[];
  /** The value of `release` for which they were forgotten. */
  readonly released: string;
}

export type KubeLedger = Readonly<Partial<Record<KubePart, KubeWrites>>>;

const writes = Type.Optional(
  Type.Object({
    said: Type.Record(Type.String(), Type.Unknown()),
    againAtMs: Type.Array(Type.Number()),
    released: Type.String(),
  }),
);
const shape = Type.Object({ metadata: writes, spec: writes, status: writes });

/** Empty when it cannot be read: it only slows down fights. Never throws. */
export const parseKubeLedger = (value: unknown): KubeLedger =>
  // The one cast: the check covers every field; what is stored is JSON.
  Value.Check(shape, value) ? (value as unknown as KubeLedger) : {};
