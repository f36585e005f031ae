import { Type } from "typebox";
import { Compile } from "typebox/compile";
import type { CountedWrite } from "./guard/countedWrite.ts";
import type { HeldWrite } from "./guard/heldWrite.ts";
import type { Known } from "./ownership.ts";
import type { AppliedLeaf, Change, Failure, JsonObject, Operation, ResourceId, Result } from "./types.ts";

/** A write about to be made; stored before it is sent, so that a crash in between leaves a trace. */
export interface Intent {
  readonly method: "PUT" | "PATCH" | "DELETE";
  /** As sent, secrets blanked. */
  readonly body?: JsonObject;
  readonly changes: readonly Change[];
  /** What the ledger shall hold when it has succeeded. */
  readonly applied: readonly AppliedLeaf[];
  readonly desiredHash: string;
  readonly planHash: string;
  readonly cause: string;
  /** The GET before it said 404. */
  readonly creating: boolean;
  /** Of the resource as it was when the write was decided. */
  readonly etag?: string;
  /** An earlier creation had no answer: what appears now may be its work, also when this one is refused. */
  readonly repeats?: true;
  /** It only puts our owner tag on what a person wants adopted. */
  readonly adopts?: true;
  readonly sinceMs: number;
}

/** A wait after a failure. Belongs to one plan: another plan ends it. */
export interface Backoff {
  readonly planHash: string;
  readonly untilMs: number;
  /** Attempts that failed in a row; waits that others share are none. */
  readonly attempt: number;
  readonly failure: Failure;
  /** What it waits for, as it was (see `wakeOf`); something else ends it. Missing in rows of older releases. */
  readonly wake?: string;
}

/** What the table remembers of one Azure resource of one object. */
export interface ResourceRow {
  readonly id: ResourceId;
  readonly service: string;
  readonly known: Known;
  readonly applied: readonly AppliedLeaf[];
  /** Hash of the desired body that `applied` stands for. */
  readonly desiredHash?: string;
  /** Table-service time of the last read or successful write; 0: never. */
  readonly observedAtMs: number;
  /** The next observation is the first one after our own write. */
  readonly unsettled: boolean;
  /** Table-service time at which Azure last said that a write of ours had succeeded (see `visibility.ts`). */
  readonly wroteAtMs?: number;
  readonly correlationId?: string;
  readonly intent?: Intent;
  readonly operation?: Operation;
  readonly backoff?: Backoff;
  /** The last counted writes, oldest first. */
  readonly writes: readonly CountedWrite[];
  /** The value of `release` for which the writes were forgotten, or under which the first of them was counted. */
  readonly released?: string;
  /** The write that the loop guard held back when the resource was last looked at. */
  readonly held?: HeldWrite;
  /** When we created it, by table time; only of resource groups whose GET had said 404. */
  readonly createdAtMs?: number;
  /** Since when Azure is seen at work on it, or does not show it yet. */
  readonly busySinceMs?: number;
  /** A group of ours that is gone: since when, and the value of annotation `retry` then; `asked`: it shall be made again. */
  readonly lost?: { readonly sinceMs: number; readonly retry: string; readonly asked?: true };
  /** When it was last looked at it did not exist, and what it would be made beside was not ours (see `passedOver.ts`). */
  readonly passedOver?: true;
  /** What was told of it when it was last looked at, although it is used as it is (see `foreignRemark`). */
  readonly remark?: string;
  /** Ids in a resource group of ours that are not ours, as listed before it is deleted. */
  readonly foreign?: readonly string[];
}

/** The row as the table stores it: a few values to look at, and the rest packed. */
export interface StoredResourceRow {
  readonly values: Readonly<Record<string, string | number | boolean>>;
  readonly packed: Readonly<Record<string, JsonObject>>;
}

const version = 1;
const text = Type.String();
const json = Type.Unknown();
/** Compiled: every turn checks all rows of its object. */
const stored = Compile(
  Type.Object({
    id: Type.String({ pattern: "^/" }),
    service: text,
    known: Type.Union([
      Type.Literal("created"),
      Type.Literal("adopted"),
      Type.Literal("seenUnmanaged"),
      Type.Literal("nothing"),
    ]),
    applied: Type.Array(
      Type.Object({
        path: Type.Array(text),
        value: json,
        mark: Type.Union([Type.Literal("asked"), Type.Literal("default")]),
      }),
    ),
    observedAtMs: Type.Number(),
    unsettled: Type.Boolean(),
    wroteAtMs: Type.Optional(Type.Number()),
    writes: Type.Array(
      Type.Object({
        planHash: text,
        atMs: Type.Number(),
        earned: Type.Optional(Type.Boolean()),
        writer: Type.Optional(text),
      }),
    ),
    released: Type.Optional(text),
    held: Type.Optional(Type.Object({ reason: text, untilMs: Type.Number(), changes: Type.Array(json) })),
    intent: Type.Optional(
      Type.Object({
        method: text,
        desiredHash: text,
        planHash: text,
        creating: Type.Boolean(),
        sinceMs: Type.Number(),
        applied: Type.Array(json),
        changes: Type.Array(json),
      }),
    ),
    operation: Type.Optional(
      Type.Object({ verb: text, style: text, startedMs: Type.Number(), notBeforeMs: Type.Number() }),
    ),
    busySinceMs: Type.Optional(Type.Number()),
    lost: Type.Optional(Type.Object({ sinceMs: Type.Number(), retry: text })),
    passedOver: Type.Optional(Type.Literal(true)),
    remark: Type.Optional(text),
    foreign: Type.Optional(Type.Array(text)),
    backoff: Type.Optional(
      Type.Object({
        planHash: text,
        untilMs: Type.Number(),
        attempt: Type.Number(),
        failure: Type.Object({ kind: text, code: text, message: text }),
      }),
    ),
  }),
);

export const emptyRow = (id: ResourceId, service: string): ResourceRow => ({
  id,
  service,
  known: "nothing",
  applied: [],
  observedAtMs: 0,
  unsettled: false,
  writes: [],
});

export const encodeResourceRow = (row: ResourceRow): StoredResourceRow => ({
  values: { v: version, id: row.id, service: row.service, known: row.known },
  // The one cast: a row is plain data; only interfaces without index signature keep it from being a JsonObject.
  packed: { row: row as unknown as JsonObject },
});

/** Fails with `RowFromTheFuture` (written by a newer release) or `RowDamaged`; both mean: observe anew. */
export const decodeResourceRow = (from: {
  readonly values: Readonly<Record<string, unknown>>;
  readonly packed: Readonly<Record<string, unknown>>;
}): Result<ResourceRow> => {
  const { v } = from.values;
  if (typeof v === "number" && v > version) {
    return {
      ok: false,
      error: {
        kind: "badConfiguration",
        code: "RowFromTheFuture",
        message: `resource row has version ${v}, this release knows ${version}`,
      },
    };
  }
  const { row } = from.packed;
  if (!stored.Check(row)) {
    return {
      ok: false,
      error: {
        kind: "badConfiguration",
        code: "RowDamaged",
        message: "resource row does not have the form that this release writes",
      },
    };
  }
  // The check above covers every field that is read; the brand of the id comes from its pattern.
  return { ok: true, value: row as unknown as ResourceRow };
};
