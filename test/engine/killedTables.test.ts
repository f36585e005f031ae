import { describe, expect, it } from "vitest";
import { azureState, onlyIn, without } from "../support/azureState.ts";
import { type Outcome, tell, tellUndisturbed } from "../support/crashRun.ts";
import { type Story, stories } from "../support/crashStories.ts";
import { key } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { foreignOn } from "../support/scheduleGround.ts";
import type { World } from "../support/world.ts";

/** In CI at every 13th call; at all of them with CAPSTAN_EXHAUSTIVE=1. */
const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const stride = isExhaustive ? 1 : 13;
const minutes = 60_000;
const hour = 60 * minutes;

/** All rows are lost before each call of which the number is in question. */
const losingAt = (isLost: (call: number) => boolean) => {
  let calls = 0;
  return (world: World, deps: World["deps"]): World["deps"] =>
    intercept(deps, (_, run) => {
      calls += 1;
      if (isLost(calls)) world.tables.clear();
      return run();
    });
};

const foreignOf = ({ ground }: Story): readonly string[] => foreignOn[ground].map((id) => id.toLowerCase());

/** What only the ledger knew to be ours and no longer wanted: it goes with the object. */
const leftoversOf = async (story: Story, end: Outcome): Promise<ReadonlySet<string>> =>
  story.isDeletion ? new Set() : onlyIn(azureState(await story.begin()), end.azure);

/** The object is deleted, perhaps with empty tables: all that is ours goes, and nothing else. */
const expectNothingLeaks = async (world: World, story: Story, how: "known" | "forgotten", where: string) => {
  const foreign = foreignOf(story);
  const kept = Object.entries(azureState(world)).filter(([id]) => foreign.includes(id));
  if (how === "forgotten") world.tables.clear();
  const since = world.writes().length;
  world.objects.remove(key);
  await world.run(2 * hour);
  expect(world.objects.find(key), where).toBeUndefined();
  expect(Object.keys(azureState(world)), where).toEqual(kept.map(([id]) => id));
  expect(world.tables.rows("state"), where).toEqual([]);
  const abroad = world
    .writes()
    .slice(since)
    .filter(({ path }) => foreign.includes(path.toLowerCase()));
  expect(abroad, where).toEqual([]);
};

const loseTables = async (story: Story, isLost: (call: number) => boolean, reference: Outcome, where: string) => {
  const { world, outcome } = await tell(story, [], losingAt(isLost));
  const leftovers = await leftoversOf(story, reference);
  const { writes: _writes, ...end } = reference;
  const { writes: _own, ...got } = { ...outcome, azure: without(outcome.azure, leftovers) };
  expect(got, where).toEqual(end);
  if (!story.isDeletion) await expectNothingLeaks(world, story, where.length % 2 === 0 ? "known" : "forgotten", where);
};

describe("tables that are lost at any call", () => {
  it.each(stories.map((story, index) => ({ ...story, index })))(
    "$name: once; nothing foreign is touched, nothing leaks",
    async (story) => {
      const { outcome, calls } = await tellUndisturbed(story);
      for (let at = 1 + (story.index % stride); at <= calls.length; at += stride)
        await loseTables(story, (call) => call === at, outcome, `lost before call ${at} (${calls[at - 1]})`);
    },
    isExhaustive ? 20 * minutes : 2 * minutes,
  );

  it.each(stories)("$name: again and again", async (story) => {
    const { outcome } = await tellUndisturbed(story);
    for (const every of [7, 11, 18])
      await loseTables(story, (n) => n % every === 0 && n <= 6 * every, outcome, `lost at every ${every}th call`);
  });
});
