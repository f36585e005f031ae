import { beforeAll, describe, expect, it } from "vitest";
import { type Ran, runSchedule } from "./schedule.ts";
import { endOf, expectedEnd, leftoversOf, mostRequests, undisturbed, warmUp } from "./scheduleEnd.ts";

const hour = 3_600_000;

/** Seeds of one of several files: CAPSTAN_SEED is one seed, CAPSTAN_SCHEDULES how many there are. Default: 1,000. */
const seedsOf = (part: number, parts: number): readonly number[] => {
  const { CAPSTAN_SEED: one, CAPSTAN_SCHEDULES: many = "1000" } = process.env;
  const seeds = one === undefined ? Array.from({ length: Number(many) }, (_, index) => index + 1) : [Number(one)];
  return seeds.filter((seed) => seed % parts === part % parts);
};

const inWords = ({ seed, journal }: Ran): string => `seed ${seed}:\n  ${journal.join("\n  ")}\n`;

/** Random schedules of everything that may go wrong, each with its own dice; files share them. */
export const describeSchedules = (part: number, parts: number): void => {
  const seeds = seedsOf(part, parts);
  describe.runIf(seeds.length > 0)("whatever happens, in whatever order", () => {
    const azure = undisturbed();
    beforeAll(() => warmUp(azure));
    it.each(seeds)("seed %i: comes to the right end, within its requests, and rests there", async (seed) => {
      const ran = await runSchedule(seed);
      const words = inWords(ran);
      const leftovers = await leftoversOf(ran, azure);
      const expected = await expectedEnd(ran, azure);
      expect(endOf(ran, leftovers), words).toEqual(expected);
      expect(ran.world.requests().length, words).toBeLessThanOrEqual(mostRequests(ran));
      const before = ran.world.writes().length;
      // A message that came twice waits twice for the next look, which ends one of the two.
      await ran.storm.calm(25 * hour);
      expect(endOf(ran, leftovers), words).toEqual(expected);
      expect(ran.world.writes().length, words).toBe(before);
    });
  });
};
