import { setTimeout as sleep } from "node:timers/promises";
import { diceOf } from "../../storm.ts";
import { everything, type Place } from "../manifests.ts";
import { apply, settled } from "../objects.ts";
import type { Scene } from "../scene.ts";
import { vanished } from "./fireEnd.ts";
import { type Burning, burn, unpause } from "./fireEvents.ts";
import { faultInWords, fireFaults, forgottenOperation } from "./fireFaults.ts";
import { insist } from "./insist.ts";
import { allOutages } from "./outages.ts";
import { firstWish, specOf } from "./wish.ts";

/** A schedule that has run: what came of it, and what has happened to its cluster, in words. */
export interface Burnt extends Burning {
  readonly seed: number;
  /** What disturbed it, with the time of each. */
  readonly journal: readonly string[];
}

const stormMs = 30_000;
const beginsWithinMs = 8_000;
const eventsEach = 6;

interface Prepared {
  readonly burning: Burning;
  readonly seed: number;
  readonly journal: string[];
}

const placeOf = (seed: number): Place => ({ namespace: "fire", name: `schedule-${String(seed).padStart(4, "0")}` });

const begin = async ({ burning, journal }: Prepared, note: (words: string) => string): Promise<void> => {
  const { scene, place, dice } = burning;
  await sleep(dice() * beginsWithinMs);
  await insist("a beginning", () => apply(scene, everything(place, specOf(place, burning.wish))));
  journal.push(note("it begins"));
};

const goOn = async ({ burning, journal }: Prepared, note: (words: string) => string): Promise<void> => {
  await burn(burning, stormMs, eventsEach, (words) => void (words !== "" && journal.push(note(words))));
};

/**
 * Runs a schedule for each seed, all at once, each with a cluster, edits, messages and faults of Azure of its own; what
 * happens to the surroundings happens to all. In the end everything works again, but nobody has waited for the clusters.
 */
export const burnAll = async (scene: Scene, seeds: readonly number[]): Promise<readonly Burnt[]> => {
  const began = performance.now();
  const note = (words: string): string => `${((performance.now() - began) / 1_000).toFixed(1)} s: ${words}`;
  const prepared = seeds.map((seed): Prepared => {
    const state = { wish: firstWish, isPaused: false, isDeleted: false, foreignTags: new Set<string>() };
    return { burning: { scene, place: placeOf(seed), dice: diceOf(seed), ...state }, seed, journal: [] };
  });
  const faults = prepared.flatMap(({ burning, journal }) => {
    const own = fireFaults(burning.dice, burning.place);
    journal.push(...own.map(faultInWords));
    return own;
  });
  await scene.stack.azure.setFaults([...faults, forgottenOperation]);
  const happened: string[] = [];
  const dice = diceOf(seeds.reduce((sum, seed) => sum * 31 + seed, 7));
  const begun = prepared.map((one) => begin(one, note));
  const outages = Promise.all(begun).then(() => allOutages(scene, dice, (words) => happened.push(note(words))));
  await Promise.all([...prepared.map((one, at) => begun[at]!.then(() => goOn(one, note))), outages]);
  await scene.stack.azure.setFaults([]);
  for (const { burning } of prepared) await unpause(burning);
  // The wish and what became of it have changed since: the burning itself is handed on.
  return prepared.map(({ burning, seed, journal }) =>
    Object.assign(burning, { seed, journal: [...journal, ...happened, note("all is well again")] }),
  );
};

/** Waits for the end of what the user asked for last. Fails with what has happened. */
export const burntOut = async ({ scene, place, isDeleted, journal }: Burnt, timeoutMs: number): Promise<void> => {
  try {
    await (isDeleted ? vanished(scene, place, timeoutMs) : settled(scene, place, timeoutMs));
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : String(error)}\n${journal.join("\n")}`);
  }
};
