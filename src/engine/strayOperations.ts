import { uncounted } from "../core/guard/countedWrite.ts";
import { typeOf } from "../core/ids.ts";
import { polledLater, type StillRunning } from "../core/polling.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Result } from "../core/types.ts";
import type { PollAnswer } from "../ports.ts";
import { type Ledger, savingOf } from "./ledger.ts";
import { inPool, nowOf, type Session } from "./session.ts";
import type { Ending } from "./turning.ts";

/** What came of operations on resources that no plan of this turn names. */
export interface Strays {
  /** Rows that are not as they were. */
  readonly rows: readonly ResourceRow[];
  readonly polled: number;
  /** When the next one wants to be polled; table-service ms. */
  readonly untilMs: readonly number[];
}

export const noStrays: Strays = { rows: [], polled: 0, untilMs: [] };

type Running = ResourceRow & Required<Pick<ResourceRow, "operation">>;
const isRunning = (row: ResourceRow): row is Running => row.operation !== undefined;

/**
 * Poll first, plan second: an operation is followed to its end although the spec no longer names its resource, or names
 * nothing that makes a plan. Its end clears the row once; whatever comes of the resource is read, not guessed.
 */
export const pollStrays = async (
  ledger: Ledger,
  isPlanned: (key: string) => boolean,
  session: Pick<Session, "deps" | "arm" | "startedMs">,
): Promise<Strays> => {
  const running = [...ledger].flatMap(([key, row]) => (isRunning(row) && !isPlanned(key) ? [row] : []));
  const nowMs = nowOf(session);
  const due = running.filter(({ operation }) => operation.notBeforeMs <= nowMs);
  const rows = await inPool(due, (row) => pollRow(row, session));
  const waiting = [...rows, ...running.filter((row) => !due.includes(row))];
  return {
    rows,
    polled: due.length,
    untilMs: waiting.flatMap(({ operation }) => (operation === undefined ? [] : [operation.notBeforeMs])),
  };
};

const pollRow = async (row: Running, session: Pick<Session, "deps" | "arm">): Promise<ResourceRow> => {
  const { apiVersion } = await session.deps.schema(typeOf(row.id) ?? "");
  const answer = await session.arm.poll(row.operation, { path: row.id, apiVersion });
  return afterPoll(row, answer, nowOf(session), session.deps.random());
};

const afterPoll = (row: Running, answer: Result<PollAnswer>, nowMs: number, random0to1: number): ResourceRow => {
  const { operation, ...bare } = row;
  const later = (running: StillRunning): ResourceRow => ({
    ...row,
    operation: polledLater(running, operation, nowMs, random0to1),
  });
  if (!answer.ok) {
    const { retryAfterSeconds } = answer.error;
    return later({ operation, retryAfterSeconds: retryAfterSeconds ?? 0, guessed: retryAfterSeconds === undefined });
  }
  switch (answer.value.kind) {
    case "running":
      return later(answer.value);
    case "failed": {
      const { desiredHash: _, ...unlike } = bare;
      // It changed nothing that lasts, so it does not count.
      const writes = uncounted(row.writes, row.writes.at(-1)?.planHash ?? "");
      return { ...unlike, writes, observedAtMs: 0 };
    }
    case "succeeded":
    case "unknown":
      return { ...bare, observedAtMs: 0 };
  }
};

/** The ending of a turn with what came of the strays: their rows, and no later due than their next poll. */
export const withStrays = (ending: Ending, { rows, polled, untilMs }: Strays): Ending => {
  if (ending.kind !== "commit") return ending;
  const { outcome } = ending;
  return {
    ...ending,
    rows: [...ending.rows, ...rows.map(savingOf)],
    polled: ending.polled + polled,
    outcome:
      outcome.kind === "turned"
        ? { ...outcome, dueMs: Math.min(outcome.dueMs, ...untilMs), idle: outcome.idle && polled === 0 }
        : outcome,
  };
};
