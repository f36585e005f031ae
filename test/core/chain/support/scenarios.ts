import type { Scenario } from "./model.ts";

const minutes = 60_000;
const base: Scenario = {
  name: "",
  starts: ["settled", "new"],
  budget: {},
  skewMs: 0,
  deadlineMs: 5 * minutes,
  timerHelps: false,
  tells: false,
  losesChainsOnly: false,
  switches: 1,
  statesAtMost: 150_000,
};

/** All there are held, too, but take longer than a unit test should: 82,000 of `takeover`, 120,000 of most deletions. */
const bounded = { statesAtMost: 25_000 } as const;

/** What may happen to one object with two workers, beside every order of their steps. */
export const scenarios: readonly Scenario[] = [
  { ...base, name: "changes", budget: { change: 1 }, switches: 2 },
  { ...base, name: "stalls", starts: ["settled"], budget: { change: 1 }, switches: 3 },
  { ...base, name: "clocks", starts: ["settled"], budget: { change: 1 }, skewMs: 1_500 },
  { ...base, name: "crash", starts: ["settled"], budget: { change: 1, crash: 1 } },
  { ...base, name: "crashes", budget: { crash: 2 } },
  {
    ...base,
    name: "takeover",
    starts: ["settled"],
    budget: { lockLost: 1, crash: 1 },
    switches: 4,
    ...bounded,
  },
  { ...base, name: "unanswered", starts: ["settled"], budget: { change: 1, unknown: 2 } },
  { ...base, name: "pause", starts: ["new"], budget: { pause: 1 } },
  { ...base, name: "pause and on", starts: ["settled"], budget: { pause: 2 } },
  { ...base, name: "duplicates", starts: ["settled"], budget: { change: 1, duplicate: 1 } },
  { ...base, name: "early", starts: ["new"], budget: { early: 2 } },
  { ...base, name: "early wake", budget: { early: 1, crash: 1 } },
  { ...base, name: "untimely", budget: { timer: 1, early: 1 } },
  { ...base, name: "outage", starts: ["settled"], budget: { change: 1, outage: 2 } },
  // A stale write of a holder whose row was lost is undone after the next run of the drift timer.
  { ...base, name: "loss", starts: ["settled"], budget: { change: 1, loss: 1 }, deadlineMs: 12 * minutes },
  { ...base, name: "loss and crash", budget: { loss: 1, crash: 1 }, deadlineMs: 12 * minutes },
  { ...base, name: "dead letters", budget: { change: 1, deadLetter: 1 }, timerHelps: true, deadlineMs: 130 * minutes },
  {
    ...base,
    name: "lost chain",
    starts: ["new"],
    budget: { outage: 1, deadLetter: 1 },
    timerHelps: true,
    losesChainsOnly: true,
    deadlineMs: 10 * minutes,
  },
  { ...base, name: "telling", starts: ["settled"], budget: { change: 1 }, switches: 2, tells: true },
  { ...base, name: "silence", starts: ["settled"], budget: { change: 1, silent: 1 } },
  { ...base, name: "broker down", starts: ["settled"], budget: { change: 1, broker: 1 } },
  { ...base, name: "defect", starts: ["settled"], budget: { change: 1, defect: 1 }, deadlineMs: 12 * minutes },
  { ...base, name: "no answer", starts: ["settled"], budget: { change: 1, noAnswer: 1 } },
  { ...base, name: "no answer and crash", starts: ["new"], budget: { noAnswer: 1, crash: 1 } },
  { ...base, name: "drift", starts: ["settled"], budget: { drift: 2 } },
  { ...base, name: "drift and outage", starts: ["settled"], budget: { drift: 1, outage: 1 } },
  { ...base, name: "replay", starts: ["settled"], budget: { replay: 1, outage: 1 } },
  { ...base, name: "drift while paused", starts: ["settled"], budget: { drift: 1, pause: 2 }, ...bounded },
  { ...base, name: "deletion", starts: ["new"], budget: { delete: 1 } },
  { ...base, name: "deletion after a change", starts: ["settled"], budget: { delete: 1, change: 1 }, ...bounded },
  { ...base, name: "deletion and crash", starts: ["settled"], budget: { delete: 1, crash: 1 }, ...bounded },
  { ...base, name: "deletion, unanswered", starts: ["settled"], budget: { delete: 1, unknown: 1 }, ...bounded },
  { ...base, name: "deletion, no answer", starts: ["settled"], budget: { delete: 1, noAnswer: 1 } },
  { ...base, name: "deletion while paused", starts: ["settled"], budget: { delete: 1, pause: 2 }, ...bounded },
  { ...base, name: "deletion, stalled", starts: ["settled"], budget: { delete: 1 }, switches: 2, ...bounded },
  { ...base, name: "gone", starts: ["settled"], budget: { vanish: 1, crash: 1 } },
  {
    ...base,
    name: "said to be gone",
    starts: ["settled"],
    budget: { flicker: 2, change: 1 },
    timerHelps: true,
    deadlineMs: 70 * minutes,
  },
  { ...base, name: "born again", starts: ["settled"], budget: { delete: 1, rebirth: 1 }, ...bounded },
  {
    ...base,
    name: "born again after a crash",
    starts: ["new"],
    budget: { vanish: 1, rebirth: 1, crash: 1 },
    ...bounded,
  },
  // With nothing in the ledger there is nothing to keep: the hourly listing finds the object again.
  {
    ...base,
    name: "said to be gone at first",
    starts: ["new"],
    budget: { flicker: 1 },
    timerHelps: true,
    deadlineMs: 70 * minutes,
  },
];
