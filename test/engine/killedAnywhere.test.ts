import { describe, expect, it } from "vitest";
import { type Death, type Outcome, type Told, tell, tellUndisturbed } from "../support/crashRun.ts";
import { type Story, stories } from "../support/crashStories.ts";
import { diceOf } from "../support/storm.ts";

const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const minutes = 60_000;

/** In CI every eleventh place, and every third of a plain deletion, which is short; all of them with CAPSTAN_EXHAUSTIVE=1. */
const strideOf = ({ isDeletion, ground }: Story): number =>
  isExhaustive ? 1 : isDeletion && ground === "nothing" ? 3 : 11;

const deathsFrom = (calls: number, first: number, stride: number): readonly Death[] => {
  const places = Array.from({ length: calls }, (_, index) => index + 1).filter((at) => at % stride === first % stride);
  return places.flatMap((at) =>
    (["before", "after"] as const).map((effect): Death => {
      // Each place is met with both, in the order of the places.
      const isOdd = Math.floor(at / stride) % 2 === 1;
      return { at, effect, message: isOdd === (effect === "before") ? "abandoned" : "locked" };
    }),
  );
};

/** As many writes of each kind as without any death, and once more at most where an answer was lost. */
const expectedWrites = (reference: Outcome, { outcome, unanswered }: Told): Outcome["writes"] =>
  Object.fromEntries(
    Object.entries(reference.writes).map(([name, count]) => {
      const got = outcome.writes[name] ?? 0;
      return [name, unanswered.includes(name) && got === count + 1 ? got : count];
    }),
  );

const expectSame = (reference: Outcome, told: Told, where: string): void =>
  expect(told.outcome, where).toEqual({ ...reference, writes: expectedWrites(reference, told) });

const inWords = (deaths: readonly Death[], calls: readonly string[]): string =>
  deaths
    .map(
      ({ at, effect, message }) => `killed at call ${at} (${calls[at - 1]}), ${effect} its effect, message ${message}`,
    )
    .join("; then ");

const killAll = async (story: Story, first: number): Promise<void> => {
  const { outcome: reference, calls } = await tellUndisturbed(story);
  expect(reference).toMatchObject({ ready: story.isDeletion ? undefined : "True", leftBehind: [], foreignWrites: [] });
  expect(Object.keys(reference.writes)).not.toEqual([]);
  for (const death of deathsFrom(calls.length, first, strideOf(story))) {
    const told = await tell(story, [death]);
    expect(told.died).toBe(true);
    expectSame(reference, told, inWords([death], calls));
  }
};

describe("a function app that is killed anywhere, once", () => {
  it.each(stories.map((story, index) => ({ ...story, index })))(
    "$name: ends as if nothing had happened, with the same writes",
    async (story) => killAll(story, story.index),
    isExhaustive ? 20 * minutes : 2 * minutes,
  );
});

describe("a holder that is killed right after it has taken the lease", () => {
  it.each(stories)(
    "$name: its message goes on, without any resync, be it given back at once or when its lock has ended",
    async (story) => {
      const { outcome: reference, calls } = await tellUndisturbed(story);
      // Taking it is the only commit after which all rows of the object are listed.
      const taken = calls.flatMap((name, index) =>
        name === "tables commit state" && calls[index + 1] === "tables list state" ? [index + 1] : [],
      );
      expect(taken).not.toEqual([]);
      const chosen = isExhaustive ? taken : [taken.at(0), taken.at(-1)].filter((at) => at !== undefined);
      for (const at of chosen)
        for (const message of ["abandoned", "locked"] as const) {
          const death: Death = { at, effect: "after", message };
          expectSame(reference, await tell(story, [death]), inWords([death], calls));
        }
    },
    2 * minutes,
  );
});

describe("function apps that are killed anywhere, twice", () => {
  const sample = isExhaustive ? 60 : 6;
  it.each(stories.map((story, index) => ({ ...story, index })))(
    "$name: ends as if nothing had happened, with the same writes",
    async (story) => {
      const { outcome: reference, calls } = await tellUndisturbed(story);
      const dice = diceOf(story.index + 1);
      const death = (most: number): Death => ({
        at: 1 + Math.floor(dice() * most),
        effect: dice() < 0.5 ? "before" : "after",
        message: dice() < 0.5 ? "abandoned" : "locked",
      });
      for (let n = 0; n < sample; n += 1) {
        const deaths = [death(calls.length), death(15)];
        expectSame(reference, await tell(story, deaths), inWords(deaths, calls));
      }
    },
    isExhaustive ? 20 * minutes : 2 * minutes,
  );
});
