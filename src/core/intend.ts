import { redact } from "../wire/redact.ts";
import type { ResourceSchema } from "../wire/schema.ts";
import type { ApplyResult } from "./apply/apply.ts";
import type { Decision, DecisionInput } from "./decide.ts";
import { counted, heldUntilMs, uncounted } from "./guard.ts";
import type { Intent, ResourceRow } from "./resourceRow.ts";
import { writingForbidden } from "./stopped.ts";
import type { JsonObject, PlannedRequest } from "./types.ts";

/** What was seen does not count as an observation: next time it is read again, whatever the ledger says. */
export const lookedAtInVain = (row: ResourceRow): ResourceRow => ({ ...row, observedAtMs: 0 });

type Writing = Pick<Extract<ApplyResult, { kind: "write" }>, "requests" | "applied" | "refusals">;

/** A write that is wanted: held back by the loop guard, or counted and stored as an intent before it is sent. */
export const intend = (input: DecisionInput, seen: ResourceRow, { requests, applied, refusals }: Writing): Decision => {
  const forbidden = writingForbidden(input, seen, requests);
  if (forbidden !== undefined) return forbidden;
  const { guardHash, nowMs, observed } = input;
  const { intent: before, ...bare } = seen;
  // An unanswered write that is still wanted did nothing, so it does not count.
  const writes = before === undefined ? seen.writes : uncounted(seen.writes, before.planHash);
  const held = heldUntilMs(writes, guardHash, nowMs);
  if (held > nowMs) return { kind: "held", row: { ...lookedAtInVain(bare), writes }, untilMs: held, requests };
  const creating = observed.kind === "absent";
  const intent: Intent = {
    ...described(input.schema, requests),
    applied,
    desiredHash: input.desiredHash,
    planHash: guardHash,
    cause: input.cause,
    creating,
    ...(creating && before?.creating === true && { repeats: true }),
    sinceMs: nowMs,
  };
  const row = { ...bare, intent, writes: counted(writes, { planHash: guardHash, atMs: nowMs }) };
  return { kind: "write", row, requests, refusals, verb: creating ? "creating" : "updating" };
};

/** What an intent tells of its requests; secrets are blanked. */
const described = (
  schema: ResourceSchema,
  requests: readonly PlannedRequest[],
): Pick<Intent, "method" | "body" | "changes"> => {
  const [first] = requests;
  const blanked = first?.body === undefined ? undefined : redact(schema, schema.body, first.body);
  return {
    method: first?.method ?? "PUT",
    // The one cast: blanking keeps an object an object.
    ...(blanked !== undefined && { body: blanked as JsonObject }),
    changes: requests.flatMap(({ changes }) => changes),
  };
};
