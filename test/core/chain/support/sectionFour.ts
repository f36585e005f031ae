/**
 * The rules of design section 4 as far as they are rules of the protocol. Each has at least one mutant by which the
 * exploration shows what it is for; what is a rule of one function alone is shown by the tables
 * of `judge.test.ts` and `commit.test.ts` and by `test/engine`.
 */
export const rulesOfSectionFour: readonly { readonly part: string; readonly rules: readonly string[] }[] = [
  {
    part: "messages",
    rules: [
      "the id of a follow-up names the turn",
      "the id of a follow-up names the incarnation",
      "the id of a wake names the lease",
      "an id names the attempt",
    ],
  },
  {
    part: "a message that meets a live lease",
    rules: [
      "(c) a live lease is respected",
      "(c) a message that meets a live lease sends a wake",
      "(c) it sets dirty",
      "(c) a pause sets stop",
      "(c) it is not completed before both",
      "(c) a wake under the lease that it guards comes again",
      "(c) a wake under another lease is a message like any other",
      "(f) a wake runs after an unreleased lease",
      "(f) also when that lease is not the one it guards",
      "setting a flag is fenced",
      "dirty makes the commit due now",
      "stop is read before each wave",
    ],
  },
  {
    part: "lease and time",
    rules: [
      "taking the lease is fenced",
      "no Azure request starts late in a turn",
      "no write to the API server late in a turn",
      "after a takeover every open intent is looked at",
      "(f) an early follow-up does not run",
      "(f) an early follow-up is sent again",
    ],
  },
  {
    part: "why",
    rules: [
      "`why` comes with the lease",
      "`why` comes together with dirty",
      "a turn with observe reads Azure again",
      "observe is cleared by the commit that read everything, and by no other",
      "human is cleared by the commit that left nothing to do",
    ],
  },
  {
    part: "judge",
    rules: [
      "(a) an unsent outbox is sent by whoever comes",
      "marking the outbox as sent is fenced",
      "(b) a follow-up or wake of another turn ends",
      "(b) a follow-up of another incarnation ends",
      "(b) but the one that made the row may come again",
      "(d) a change that was seen ends",
      "(d) only if it says the very same",
      "(e) a resync of the index waits until it is due",
      "a missing row is no other turn",
      "a new row takes the turn of its message",
    ],
  },
  {
    part: "gather and intend",
    rules: [
      "the first NotFound only waits",
      "a later NotFound counts 30 s after the first",
      "a found object clears `goneSince`",
      "what is gone goes in the end",
      "the finalizer is confirmed before the first intent",
      "an intent is stored before its write is sent",
      "an open intent is looked at before anything is planned",
    ],
  },
  {
    part: "remember and send",
    rules: [
      "every write of a turn is fenced",
      "an unanswered write is followed by a read",
      "an own nonce and the old turn: write again",
      "an own nonce and a new turn: committed",
      "another nonce: stop",
      "a stopped turn has its message judged again",
      "a lost row is inserted due now",
      "the commit goes one turn further",
      "the commit releases the lease",
      "the commit owes a message",
      "what was seen is what was read",
      "`index` is upserted before the commit",
      "`due` is at least 1 s ahead, 5 s after an idle turn",
    ],
  },
  {
    part: "end of life",
    rules: [
      "the ledger is emptied before the finalizer goes",
      "emptying the ledger is fenced like every write of a turn",
    ],
  },
  {
    part: "failures of our own surroundings",
    rules: [
      "failed surroundings leave `seen` as it was",
      "failed surroundings go one turn further and owe one follow-up",
      "failed surroundings wait longer each time",
      "while the table is silent a copy is sent",
      "what could not be sent comes again",
      "a defect waits for five minutes",
    ],
  },
];
