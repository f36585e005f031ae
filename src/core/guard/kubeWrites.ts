import { Type } from "typebox";
import { Value } from "typebox/value";
import type { KubePart, Said } from "./undone.ts";

/** A part of the object that is held back because somebody else changes it each time, as it is shown. */
export interface KubeContest {
  readonly reason: "ReconcileLoop" | "SpecContested";
  /** Table-service time. */
  readonly untilMs: number;
  /** For people: the field, both values, how often, by whom, until when. */
  readonly message: string;
}

/** What is remembered of our own writes to one part of the object. */
export interface KubeWrites {
  /** What was said last. */
  readonly said: Said;
  /** When it was said again because somebody had undone it; table-service ms, oldest first. */
  readonly againAtMs: readonly number[];
  /** The value of `release` for which they were forgotten. */
  readonly released: string;
  /** The last time that it was held back. */
  readonly contest?: KubeContest;
}

export type KubeLedger = Readonly<Partial<Record<KubePart, KubeWrites>>>;

const writes = Type.Optional(
  Type.Object({
    said: Type.Record(Type.String(), Type.Unknown()),
    againAtMs: Type.Array(Type.Number()),
    released: Type.String(),
    contest: Type.Optional(
      Type.Object({
        reason: Type.Union([Type.Literal("ReconcileLoop"), Type.Literal("SpecContested")]),
        untilMs: Type.Number(),
        message: Type.String(),
      }),
    ),
  }),
);
const shape = Type.Object({ metadata: writes, spec: writes, status: writes });

/** Empty when it cannot be read: it only slows down fights. Never throws. */
export const parseKubeLedger = (value: unknown): KubeLedger =>
  // The one cast: the check covers every field; what is stored is JSON.
  Value.Check(shape, value) ? (value as unknown as KubeLedger) : {};
