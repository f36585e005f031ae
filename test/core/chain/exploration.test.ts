import { describe, expect, it } from "vitest";
import { limits, mayCallAzure, mayWriteKube } from "../../../src/core/chain/limits.ts";
import { startOf } from "./support/actions.ts";
import { type Exploration, explore } from "./support/explore.ts";
import type { Protocol, Scenario } from "./support/model.ts";
import { mutants } from "./support/mutants.ts";
import { protocol } from "./support/protocol.ts";
import { scenarios } from "./support/scenarios.ts";
import { rulesOfSectionFour } from "./support/sectionFour.ts";

/*
 * The protocol of one object, driven by two workers through all that can happen: every order of their steps (with a bound
 * on how often one that could go on has to wait), every crash point, unanswered writes, lost locks, duplicates, early
 * deliveries, clocks that lag, a lost row. What must hold in every state: no write to Azure by a turn whose lease was
 * taken over or after a pause was heard; no turn before the due time without news. And from every state, when no more
 * faults come: the wanted state is reached in time, without the help of the resync timer, and in the end exactly one
 * message is left, however many there were.
 */
const explored = (scenario: Scenario, how: Protocol): readonly Exploration[] =>
  scenario.starts.map((start) => explore(startOf[start](scenario, how), scenario, how));

describe("the protocol of one object", () => {
  it.each(scenarios)("holds: $name", { timeout: 120_000 }, (scenario) => {
    for (const { states, depth, complete, violation } of explored(scenario, protocol)) {
      expect(violation).toBeUndefined();
      expect(complete || states > 20_000, `${states} states`).toBe(true);
      console.info(
        `${scenario.name}: ${states} states, ${complete ? "all there are" : "not all"}, at most ${depth} steps away`,
      );
    }
  });
});

describe("without a rule it does not hold", () => {
  it.each(mutants)("$rule", { timeout: 120_000 }, ({ scenario: name, protocol: broken }) => {
    const scenario = scenarios.find((one) => one.name === name);
    expect(scenario).toBeDefined();
    const found = scenario === undefined ? [] : explored(scenario, broken);
    expect(found.some(({ violation }) => violation !== undefined)).toBe(true);
  });
});

describe("each rule of design section 4 has a mutant", () => {
  const shown = new Set(mutants.map(({ rule }) => rule));
  const rules = rulesOfSectionFour.flatMap((part) => part.rules);
  it.each(rules)("%s", (rule) => expect(shown).toContain(rule));
  it("and no mutant is of a rule that stands nowhere", () => {
    expect([...shown].filter((rule) => !rules.includes(rule))).toEqual([]);
  });
});

describe("a turn's own clock", () => {
  /** The `Date` header has whole seconds, so a lease may end so much earlier than its holder thinks. */
  const roundingMs = 1_000;
  it("lets every request end before the lease does", () => {
    expect(limits.azureStartMs + limits.azureRequestMs).toBeLessThan(limits.leaseMs - roundingMs);
    expect(limits.kubeStartMs + limits.kubeRequestMs).toBeLessThan(limits.leaseMs - roundingMs);
  });
  it.each([
    { ageMs: 30_000, azure: true, kube: true },
    { ageMs: 30_001, azure: false, kube: true },
    { ageMs: 40_000, azure: false, kube: true },
    { ageMs: 40_001, azure: false, kube: false },
  ])("at $ageMs ms: Azure $azure, API server $kube", ({ ageMs, azure, kube }) => {
    expect(mayCallAzure(ageMs)).toBe(azure);
    expect(mayWriteKube(ageMs)).toBe(kube);
  });
});
