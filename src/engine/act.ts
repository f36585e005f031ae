import { uncounted } from "../core/guard.ts";
import { inProgress } from "../core/opening.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, JsonObject, PlannedRequest } from "../core/types.ts";
import type { ArmAnswer } from "../ports.ts";
import { failed, type Looked, stateAfter } from "./observe.ts";
import { nowOf, type Session } from "./session.ts";
import type { Item } from "./work.ts";

/** Lost races (412) that are taken up again within one turn. */
const racesATurn = 3;
const groupType = "microsoft.resources/resourcegroups";

/** Sends the requests of one write, one after another; its intent has been stored. */
export const act = async (looked: Looked & Required<Pick<Looked, "write">>, session: Session): Promise<Item> => {
  const { item, write } = looked;
  let answer: ArmAnswer | undefined;
  for (const request of write.requests) {
    const sent = await session.arm.send(requestOf(request));
    if (!sent.ok) return refused(item, sent.error, session);
    answer = sent.value;
  }
  return answer === undefined ? item : accepted(looked, answer, session);
};

const requestOf = ({ changes: _, ...request }: PlannedRequest): Omit<PlannedRequest, "changes"> => request;

/** The intent becomes the ledger; an operation goes on by itself. */
const accepted = (
  { item, write }: Looked & Required<Pick<Looked, "write">>,
  answer: ArmAnswer,
  session: Session,
): Item => {
  const nowMs = nowOf(session);
  const { intent, backoff: _, ...row } = item.row;
  const settled: ResourceRow = {
    ...row,
    known: intent?.creating === true ? "created" : row.known === "nothing" ? "adopted" : row.known,
    applied: intent?.applied ?? row.applied,
    ...(intent !== undefined && { desiredHash: intent.desiredHash }),
    observedAtMs: nowMs,
    unsettled: true,
    correlationId: answer.correlationId,
    ...(intent?.creating === true && item.service.type.toLowerCase() === groupType && { createdAtMs: nowMs }),
  };
  if (answer.operation === undefined)
    return { ...item, row: settled, ...bodyOf(answer), state: stateAfter(write.refusals) };
  const notBeforeMs = nowMs + answer.operation.notBeforeMs;
  const operation = { ...answer.operation, startedMs: nowMs, notBeforeMs };
  const state = write.verb === "updating" ? ({ kind: "inProgress", verb: "updating" } as const) : inProgress(operation);
  return { ...item, row: { ...settled, operation }, state, untilMs: notBeforeMs };
};

const bodyOf = ({ body }: ArmAnswer): { readonly body?: JsonObject } =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? { body: body as JsonObject } : {};

/**
 * An answer from Azure closes the intent at once: it changed nothing, so it is not counted either. Without an answer it
 * stays open, and the next turn looks at the resource before it plans.
 */
const refused = (item: Item, failure: Failure, session: Session): Item => {
  if (failure.status === undefined) return failed(item, failure, session);
  const { intent, ...row } = item.row;
  const closed: Item = { ...item, row: { ...row, writes: uncounted(row.writes, intent?.planHash ?? "") } };
  if (failure.status === 412 && item.races < racesATurn)
    return { ...closed, races: item.races + 1, row: { ...closed.row, observedAtMs: 0 } };
  return failed(closed, failure, session);
};
