import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import type { Result } from "../types.ts";
import { type Outgoing, parseWorkItem } from "../workItem.ts";
import type { ChainRow } from "./chainRow.ts";

const count = Type.Integer({ minimum: 0 });
const fields = Type.Object({
  v: Type.Literal(1),
  uid: Type.String(),
  seenUid: Type.Optional(Type.String()),
  seenGeneration: Type.Optional(count),
  seenInputs: Type.Optional(Type.String()),
  turn: count,
  incarnation: Type.String(),
  leaseNonce: Type.String(),
  leaseEndMs: Type.Number(),
  dirty: Type.Boolean(),
  stop: Type.Boolean(),
  observe: Type.Boolean(),
  human: Type.Boolean(),
  outbox: Type.Optional(Type.String()),
  sent: Type.Boolean(),
  dueMs: Type.Number(),
  goneSinceMs: Type.Optional(Type.Number()),
  surroundings: count,
  defects: count,
});
/** Compiled: a settled turn is little more than this. */
const shape = Compile(fields);
const versioned = Compile(Type.Object({ v: Type.Number() }));
const envelope = Compile(
  Type.Object({ messageId: Type.String({ minLength: 1 }), dueMs: Type.Number(), item: Type.Unknown() }),
);

/** The row as values of a table entity; what is absent is left out. */
export const encodeChainRow = (row: ChainRow): Readonly<Record<string, string | number | boolean>> => {
  const { seen, lease, why, outbox, goneSinceMs, ...plain } = row;
  return {
    v: 1,
    ...plain,
    ...(seen === undefined ? {} : { seenUid: seen.uid, seenGeneration: seen.generation, seenInputs: seen.inputs }),
    leaseNonce: lease.nonce,
    leaseEndMs: lease.endMs,
    ...why,
    ...(outbox === undefined ? {} : { outbox: JSON.stringify(outbox) }),
    ...(goneSinceMs === undefined ? {} : { goneSinceMs }),
  };
};

const refused = (code: string, message: string): Result<never> => ({
  ok: false,
  error: { kind: "badConfiguration", code, message },
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const decodeOutbox = (text: string): Result<Outgoing> => {
  const value = parseJson(text);
  if (!envelope.Check(value)) return refused("RowDamaged", "outbox of row object is no message");
  const item = parseWorkItem(value.item);
  if (item.ok) return { ok: true, value: { messageId: value.messageId, dueMs: value.dueMs, item: item.value } };
  const code = item.error.code === "MessageFromTheFuture" ? "RowFromTheFuture" : "RowDamaged";
  return refused(code, `outbox of row object: ${item.error.message}`);
};

const seenOf = (row: Static<typeof fields>): Pick<ChainRow, "seen"> =>
  row.seenUid === undefined || row.seenGeneration === undefined || row.seenInputs === undefined
    ? {}
    : { seen: { uid: row.seenUid, generation: row.seenGeneration, inputs: row.seenInputs } };

const firstProblem = (value: unknown): string => {
  const [problem] = shape.Errors(value);
  return problem === undefined ? "no reason known" : `${problem.instancePath || "row"}: ${problem.message}`;
};

/**
 * The row from the values of a table entity. Never throws. Failure codes: `RowFromTheFuture` (a newer app wrote it:
 * leave it alone), `RowDamaged` (as good as lost).
 */
export const decodeChainRow = (values: unknown): Result<ChainRow> => {
  if (versioned.Check(values) && values.v > 1)
    return refused("RowFromTheFuture", `row object has format version ${values.v}, this app reads version 1`);
  if (!shape.Check(values)) return refused("RowDamaged", firstProblem(values));
  const outbox = values.outbox === undefined ? undefined : decodeOutbox(values.outbox);
  if (outbox?.ok === false) return outbox;
  const { uid, turn, incarnation, dirty, stop, sent, dueMs, surroundings, defects } = values;
  return {
    ok: true,
    value: {
      uid,
      turn,
      incarnation,
      dirty,
      stop,
      sent,
      dueMs,
      surroundings,
      defects,
      ...seenOf(values),
      lease: { nonce: values.leaseNonce, endMs: values.leaseEndMs },
      why: { observe: values.observe, human: values.human },
      ...(outbox === undefined ? {} : { outbox: outbox.value }),
      ...(values.goneSinceMs === undefined ? {} : { goneSinceMs: values.goneSinceMs }),
    },
  };
};
