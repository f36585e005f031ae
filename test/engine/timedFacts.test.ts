import { expect, it } from "vitest";
import { timedFacts } from "../../src/engine/timedFacts.ts";
import type { Arm } from "../../src/ports.ts";
import { createWorld } from "../support/world.ts";

it.each([
  { ageMs: 0, patienceMs: 45_000 },
  { ageMs: 30_000, patienceMs: 15_000 },
  { ageMs: 50_000, patienceMs: 0 },
])("a turn of $ageMs ms waits for a fact $patienceMs ms at most", async ({ ageMs, patienceMs }) => {
  const { deps } = createWorld();
  const told: (number | undefined)[] = [];
  const facts: typeof deps.facts = {
    get: (_query, _arm, patience) => {
      told.push(patience);
      return Promise.resolve({ ok: true, value: { kind: "zones", location: "eastus", zones: [] } });
    },
  };
  const turn = { deps: { clock: { ...deps.clock, monotonicMs: () => 1_000 + ageMs } }, startedMs: 1_000 };
  const refuse = () => Promise.reject(new Error("not asked for"));
  const arm: Arm = { send: refuse, poll: refuse, list: refuse };
  await timedFacts(facts, turn).get({ kind: "zones", subscription: "s", location: "eastus" }, arm);
  expect(told).toEqual([patienceMs]);
});
