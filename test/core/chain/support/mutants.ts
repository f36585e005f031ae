import type { ChainRow } from "../../../../src/core/chain/chainRow.ts";
import { afterUnknownWrite, commit } from "../../../../src/core/chain/commit.ts";
import { gone } from "../../../../src/core/chain/gone.ts";
import { judge, judgeBy, type Rule, rules, type Verdict } from "../../../../src/core/chain/judge.ts";
import { hashOf } from "../../../../src/core/hash.ts";
import type { Outgoing } from "../../../../src/core/workItem.ts";
import type { Protocol } from "./model.ts";
import { protocol } from "./protocol.ts";

/** One rule broken, and the scenario that shows what the rule is for. */
export interface Mutant {
  readonly rule: string;
  readonly scenario: string;
  readonly protocol: Protocol;
}

const mutant = (rule: string, scenario: string, changes: Partial<Protocol>): Mutant => ({
  rule,
  scenario,
  protocol: { ...protocol, ...changes },
});
const unfenced = (write: keyof Protocol["fenced"]): Partial<Protocol> => ({
  fenced: { ...protocol.fenced, [write]: false },
});

/** The judge with one rule replaced, or left out. */
const judging = (name: keyof typeof rules, rule?: Rule): Partial<Protocol> => ({
  judge: judgeBy(
    Object.entries(rules).flatMap(([other, kept]) => (other === name ? (rule === undefined ? [] : [rule]) : [kept])),
  ),
});
const nothing: Verdict = { kind: "end", why: "nothingToWake" };

/** The verdict of deferring, changed. */
const deferring = (change: (verdict: Verdict & { readonly kind: "defer" }) => Verdict): Partial<Protocol> => ({
  judge: (input) => {
    const verdict = judge(input);
    return verdict.kind === "defer" ? change(verdict) : verdict;
  },
});
const committing = (change: (row: ChainRow, before: ChainRow) => ChainRow): Partial<Protocol> => ({
  commit: (input) => change(commit(input), input.row),
});
const withoutFlags = (row: ChainRow): ChainRow => ({ ...row, dirty: false, stop: false });
const identified = (parts: (outgoing: Outgoing) => readonly (string | number)[]): Partial<Protocol> => ({
  idOf: (outgoing) => hashOf(parts(outgoing)),
});

export const mutants: readonly Mutant[] = [
  mutant("(a) an unsent outbox is sent by whoever comes", "crash", judging("flushOutbox")),
  mutant("(b) a follow-up or wake of another turn ends", "changes", judging("continuesTurn")),
  mutant(
    "(b) a follow-up of another incarnation ends",
    "born again",
    judging("continuesTurn", ({ row, item }) =>
      (item.cause === "followUp" || item.cause === "wake") && item.turn !== row.turn ? nothing : undefined,
    ),
  ),
  mutant(
    "(b) but the one that made the row may come again",
    "loss and crash",
    judging("continuesTurn", (call) =>
      call.item.cause === "followUp" && call.item.nonce !== call.row.incarnation ? nothing : rules.continuesTurn(call),
    ),
  ),
  mutant("(c) a live lease is respected", "changes", judging("respectLease")),
  mutant(
    "(c) a message that meets a live lease sends a wake",
    "crash",
    deferring((verdict) => ({ ...verdict, wake: { ...verdict.wake, dueMs: Number.MAX_SAFE_INTEGER } })),
  ),
  mutant(
    "(c) it sets dirty",
    "changes",
    deferring(({ wake }) => ({ kind: "defer", wake })),
  ),
  mutant(
    "(c) a pause sets stop",
    "pause",
    deferring((verdict) =>
      verdict.row === undefined ? verdict : { ...verdict, row: { ...verdict.row, stop: false } },
    ),
  ),
  mutant(
    "(c) it is not completed before both",
    "changes",
    deferring(() => nothing),
  ),
  mutant(
    "(c) a wake under the lease that it guards comes again",
    "early wake",
    judging("respectLease", (call) =>
      call.item.cause === "wake" && call.row.lease.endMs > call.nowMs ? nothing : rules.respectLease(call),
    ),
  ),
  mutant(
    "(c) a wake under another lease is a message like any other",
    "crashes",
    judging("respectLease", (call) =>
      call.item.cause === "wake" && call.row.lease.endMs > call.nowMs && call.item.nonce !== call.row.lease.nonce
        ? nothing
        : rules.respectLease(call),
    ),
  ),
  mutant("(d) a change that was seen ends", "duplicates", judging("ignoreKnown")),
  mutant(
    "(d) only if it says the very same",
    "changes",
    judging("ignoreKnown", (call) =>
      call.item.cause === "change" && call.row.dueMs > call.nowMs ? nothing : undefined,
    ),
  ),
  mutant("(e) a resync of the index waits until it is due", "untimely", judging("awaitDue")),
  mutant("(f) an early follow-up does not run", "early", judging("postponeEarly")),
  mutant(
    "(f) an early follow-up is sent again",
    "early",
    judging("postponeEarly", (call) => (rules.postponeEarly(call) === undefined ? undefined : nothing)),
  ),
  mutant(
    "(f) a wake runs after an unreleased lease",
    "crash",
    judging("wakeNeeded", ({ item }) => (item.cause === "wake" ? nothing : undefined)),
  ),
  mutant(
    "(f) also when that lease is not the one it guards",
    "crashes",
    judging("wakeNeeded", ({ item, row }) =>
      item.cause !== "wake" || row.dirty || row.lease.nonce === item.nonce ? undefined : nothing,
    ),
  ),
  mutant("a missing row is no other turn", "loss", {
    judge: (input) => (input.row === undefined && input.item.turn !== undefined ? nothing : judge(input)),
  }),
  mutant("a new row takes the turn of its message", "loss and crash", {
    judge: (input) => {
      const verdict = judge(input);
      return verdict.kind === "run" && verdict.insert ? { ...verdict, row: { ...verdict.row, turn: 0 } } : verdict;
    },
  }),
  mutant("dirty makes the commit due now", "changes", {
    commit: (input) => commit({ ...input, row: withoutFlags(input.row) }),
  }),
  mutant(
    "the commit goes one turn further",
    "changes",
    committing((row, before) => ({ ...row, turn: before.turn })),
  ),
  mutant(
    "the commit releases the lease",
    "changes",
    committing((row, before) => ({ ...row, lease: before.lease })),
  ),
  mutant(
    "the commit owes a message",
    "crash",
    committing((row) => ({ ...row, sent: true })),
  ),
  mutant(
    "what was seen is what was read",
    "changes",
    committing((row) =>
      row.seen === undefined ? row : { ...row, seen: { ...row.seen, generation: row.seen.generation + 1 } },
    ),
  ),
  mutant("taking the lease is fenced", "changes", unfenced("take")),
  mutant("setting a flag is fenced", "changes", unfenced("flag")),
  mutant("marking the outbox as sent is fenced", "changes", unfenced("mark")),
  mutant("every write of a turn is fenced", "changes", unfenced("commit")),
  mutant("an unanswered write is followed by a read", "unanswered", { readsAfterUnknown: false }),
  mutant("an own nonce and the old turn: write again", "unanswered", {
    afterUnknownWrite: (input) => (afterUnknownWrite(input) === "writeAgain" ? "committed" : afterUnknownWrite(input)),
  }),
  mutant("an own nonce and a new turn: committed", "unanswered", {
    afterUnknownWrite: (input) => (afterUnknownWrite(input) === "committed" ? "writeAgain" : afterUnknownWrite(input)),
  }),
  mutant("another nonce: stop", "stalls", {
    afterUnknownWrite: (input) => (afterUnknownWrite(input) === "stop" ? "writeAgain" : afterUnknownWrite(input)),
  }),
  mutant("a stopped turn has its message judged again", "takeover", { judgesAfterStop: false }),
  mutant("a lost row is inserted due now", "loss", {
    commitAnew: (input) => commit({ ...input, row: { ...input.row, incarnation: input.incarnation } }),
  }),
  mutant("no Azure request starts late in a turn", "stalls", { mayCallAzure: () => true }),
  mutant("stop is read before each wave", "pause", { beforeWave: () => "goOn" }),
  mutant(
    "the id of a follow-up names the incarnation",
    "loss",
    identified(({ item, messageId }) =>
      item.cause === "followUp" ? ["followUp", item.turn ?? 0, item.attempt] : [messageId],
    ),
  ),
  mutant(
    "the id of a follow-up names the turn",
    "changes",
    identified(({ item, messageId }) =>
      item.cause === "followUp" ? ["followUp", item.nonce, item.attempt] : [messageId],
    ),
  ),
  mutant(
    "the id of a wake names the lease",
    "crashes",
    identified(({ item, messageId }) => (item.cause === "wake" ? ["wake", item.turn ?? 0, item.attempt] : [messageId])),
  ),
  mutant(
    "an id names the attempt",
    "early",
    identified(({ item }) => [item.cause, item.turn ?? 0, item.nonce, item.generation, item.inputs]),
  ),
  mutant("`why` comes with the lease", "drift", {
    judge: (input) => {
      const verdict = judge(input);
      const why = input.row?.why ?? { observe: true, human: false };
      return verdict.kind === "run" ? { ...verdict, row: { ...verdict.row, why } } : verdict;
    },
  }),
  mutant(
    "`why` comes together with dirty",
    "drift",
    deferring((verdict) =>
      verdict.row === undefined
        ? verdict
        : { ...verdict, row: { ...verdict.row, why: { ...verdict.row.why, observe: false } } },
    ),
  ),
  mutant("a turn with observe reads Azure again", "drift", {
    observes: (facts) => protocol.observes({ ...facts, observe: false }),
  }),
  mutant(
    "observe is cleared by the commit that read everything, and by no other",
    "drift while paused",
    committing((row) => ({ ...row, why: { ...row.why, observe: false } })),
  ),
  mutant(
    "observe is cleared by the commit that read everything, and by no other",
    "drift",
    committing((row, { why }) => ({ ...row, why: { ...row.why, observe: why.observe } })),
  ),
  mutant(
    "human is cleared by the commit that left nothing to do",
    "replay",
    committing((row, { why }) => ({ ...row, why: { ...row.why, human: why.human } })),
  ),
  mutant("an open intent is looked at before anything is planned", "no answer", {
    observes: ({ takenOver, ledger, observe }) => takenOver || observe || ledger === undefined,
  }),
  mutant("after a takeover every open intent is looked at", "crash", {
    observes: (facts) => !facts.takenOver && protocol.observes(facts),
  }),
  mutant("an intent is stored before its write is sent", "changes", { intendsFirst: false }),
  mutant("the finalizer is confirmed before the first intent", "deletion", { claimsFirst: false }),
  mutant("no write to the API server late in a turn", "telling", { mayWriteKube: () => true }),
  mutant("`index` is upserted before the commit", "lost chain", { indexes: "afterCommit" }),
  mutant("`index` is upserted before the commit", "lost chain", { indexes: "never" }),
  mutant("`due` is at least 1 s ahead, 5 s after an idle turn", "stalls", {
    commit: (input) => {
      const row = commit(input);
      return input.outcome.kind === "turned" && !input.row.dirty ? { ...row, dueMs: input.outcome.dueMs } : row;
    },
  }),
  mutant("while the table is silent a copy is sent", "silence", { whenSilent: "complete" }),
  mutant("what could not be sent comes again", "broker down", { abandonsUnsent: false }),
  mutant("failed surroundings leave `seen` as it was", "outage", {
    commit: (input) => {
      const row = commit(input);
      const seen = { uid: "u", generation: 9, inputs: "" };
      return input.outcome.kind === "surroundings" ? { ...row, seen } : row;
    },
  }),
  mutant("failed surroundings go one turn further and owe one follow-up", "outage", {
    commit: (input) => {
      const { outbox, ...row } = commit(input);
      return input.outcome.kind === "surroundings" || outbox === undefined
        ? { ...row, sent: true }
        : { ...row, outbox };
    },
  }),
  mutant("failed surroundings wait longer each time", "outage", {
    commit: (input) => commit({ ...input, row: { ...input.row, surroundings: 0 } }),
  }),
  mutant("a defect waits for five minutes", "defect", {
    commit: (input) =>
      commit(input.outcome.kind === "defect" ? { ...input, outcome: { kind: "surroundings" } } : input),
  }),
  mutant("the first NotFound only waits", "said to be gone", { gone: () => ({ kind: "remove" }) }),
  mutant("a later NotFound counts 30 s after the first", "said to be gone", {
    gone: (input) => (input.row.goneSinceMs === undefined ? gone(input) : { kind: "remove" }),
  }),
  mutant(
    "a found object clears `goneSince`",
    "said to be gone",
    committing((row, { goneSinceMs }) => (goneSinceMs === undefined ? row : { ...row, goneSinceMs })),
  ),
  mutant("what is gone goes in the end", "gone", {
    gone: ({ nowMs }) => ({ kind: "wait", outcome: { kind: "gone", sinceMs: nowMs } }),
  }),
  mutant("the ledger is emptied before the finalizer goes", "deletion and crash", { leaves: "releaseFirst" }),
  mutant("emptying the ledger is fenced like every write of a turn", "deletion, stalled", unfenced("commit")),
];
