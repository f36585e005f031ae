import type { Scenario } from "./model.ts";

const minutes = 60_000;
const base: Scenario = {
  name: "",
  starts: ["settled", "new"],
  budget: {},
  skewMs: 0,
  deadlineMs: 5 * minutes,
  timerHelps: false,
  switches: 1,
  statesAtMost: 150_000,
};

/** What may happen to one object with two workers, beside every order of their steps. All but one are explored to
 * the end: 82,000 states of `takeover` held, too, but take longer than a unit test should. */
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
    statesAtMost: 25_000,
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
];
