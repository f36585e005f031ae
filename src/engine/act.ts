import { isTagsRequest } from "../core/apply/tagsAtScope.ts";
import { provisioningOf } from "../core/decide.ts";
import { uncounted } from "../core/guard/countedWrite.ts";
import { inProgress } from "../core/opening.ts";
import type { ResourceRow } from "../core/resourceRow.ts";
import type { Failure, JsonObject, PlannedRequest } from "../core/types.ts";
import type { ArmAnswer } from "../ports.ts";
import { isJsonObject } from "../wire/json.ts";
import { failed } from "./failed.ts";
import { type Looked, stateAfter } from "./observe.ts";
import { mayAskAzure, nowOf, type Session } from "./session.ts";
import { steadied } from "./steadied.ts";
import type { Item } from "./work.ts";

/** Lost races (412) that are taken up again within one turn. */
const racesATurn = 3;
const groupType = "microsoft.resources/resourcegroups";

export type Writing = Looked & Required<Pick<Looked, "write">>;

/** What became of one write. `late`: the turn was too old, and nothing was sent. */
export type Acted = { readonly kind: "acted"; readonly item: Item } | { readonly kind: "late" };

/** Sends the requests of one write, one after another; its intent has been stored. */
export const act = async (looked: Writing, session: Session): Promise<Acted> => {
  const { item, write } = looked;
  let answer: ArmAnswer | undefined;
  for (const request of write.requests) {
    if (!mayAskAzure(session))
      return answer === undefined ? { kind: "late" } : { kind: "acted", item: failed(item, halfSent, session) };
    const sent = await session.arm.send(requestOf(request));
    if (!sent.ok) {
      const failure = ofTagsOnly(item, request) ? { ...sent.error, ofTags: true as const } : sent.error;
      return { kind: "acted", item: refused(item, failure, answer !== undefined, session) };
    }
    answer = sent.value;
  }
  return { kind: "acted", item: answer === undefined ? item : accepted(looked, answer, session) };
};

const halfSent: Failure = {
  kind: "transient",
  code: "TurnTooLong",
  message: "the turn ended between two requests of one change; the next one goes on",
};

/** What tags alone meet concerns nothing else, unless they are what makes the resource ours. */
const ofTagsOnly = ({ row }: Item, request: PlannedRequest): boolean =>
  isTagsRequest(request) && row.intent?.adopts !== true;

const requestOf = ({ changes: _changes, ...request }: PlannedRequest): Omit<PlannedRequest, "changes"> => request;

/** The intent becomes the ledger; an operation goes on by itself, and only its end ends what failed before. */
const accepted = ({ item, write }: Writing, answer: ArmAnswer, session: Session): Item => {
  const nowMs = nowOf(session);
  const { intent, backoff, desiredHash: _hash, ...row } = item.row;
  // Only the tag was put on: now it is looked at as one of ours.
  if (intent?.adopts === true) return { ...item, row: { ...row, known: "adopted", observedAtMs: 0 } };
  const creating = intent?.creating === true;
  const settled: ResourceRow = {
    ...row,
    known: creating ? "created" : row.known === "nothing" ? "adopted" : row.known,
    applied: intent?.applied ?? row.applied,
    // What is refused is looked at each time, so that its condition stays.
    ...(intent !== undefined && write.refusals.length === 0 && { desiredHash: intent.desiredHash }),
    observedAtMs: nowMs,
    wroteAtMs: nowMs,
    unsettled: true,
    correlationId: answer.correlationId,
    ...(creating && item.service.type.toLowerCase() === groupType && { createdAtMs: nowMs }),
  };
  if (answer.operation === undefined) {
    const { desiredHash: _, ...unlike } = settled;
    return endedAsFailed(answer)
      ? failed({ ...item, row: unlike }, failedAtOnce, session)
      : { ...item, row: settled, ...bodyOf(answer), state: stateAfter({ id: settled.id }, write.refusals) };
  }
  const notBeforeMs = nowMs + answer.operation.notBeforeMs;
  const operation = { ...answer.operation, startedMs: nowMs, notBeforeMs };
  // As its polls will say: upstream's reason is that of the request, not of what was there before.
  const state = inProgress(operation);
  const attempts = backoff === undefined ? {} : { backoff };
  return steadied({ ...item, row: { ...settled, ...attempts, operation }, state, untilMs: notBeforeMs }, session);
};

/** Azure accepted the write and says in the same answer that it came to nothing. */
const endedAsFailed = ({ body }: ArmAnswer): boolean =>
  isJsonObject(body) && /^(failed|cancell?ed)$/i.test(provisioningOf(body));

const failedAtOnce: Failure = {
  kind: "transient",
  code: "OperationFailed",
  message: "Azure took the change and ended it as failed, without saying why",
};

const bodyOf = ({ body }: ArmAnswer): { readonly body?: JsonObject } => (isJsonObject(body) ? { body } : {});

/** No answer, or one from in front of the service: the request may have been carried out all the same. */
const isOpen = ({ status }: Failure): boolean => status === undefined || status === 408 || status >= 500;

/**
 * A refusal by Azure closes the intent at once: it changed nothing, so it is not counted either. Without an answer it
 * stays open, and the next turn looks at the resource before it plans; so it does when an earlier creation of the same
 * had no answer or when a part of the change was accepted.
 */
const refused = (item: Item, failure: Failure, partly: boolean, session: Session): Item => {
  if (isOpen(failure) || partly) return failed(item, failure, session);
  const { intent, ...row } = item.row;
  const writes = uncounted(row.writes, intent?.planHash ?? "");
  const closed: Item = { ...item, row: { ...row, ...(intent?.repeats === true && { intent }), writes } };
  if (failure.status === 412 && item.races < racesATurn)
    return { ...closed, races: item.races + 1, row: { ...closed.row, observedAtMs: 0 } };
  return failed(closed, failure, session);
};
