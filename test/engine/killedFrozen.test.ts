import { describe, expect, it } from "vitest";
import { type Freeze, type Frozen, freezing } from "../support/crashFreeze.ts";
import { tell, tellUndisturbed } from "../support/crashRun.ts";
import { type Story, stories } from "../support/crashStories.ts";

/** In CI at every 23rd call; at all of them with CAPSTAN_EXHAUSTIVE=1. */
const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const stride = isExhaustive ? 1 : 23;
const minutes = 60_000;

const freezeAt = async (story: Story, freeze: Freeze, reference: Awaited<ReturnType<typeof tell>>): Promise<void> => {
  let frozen: Frozen | undefined;
  const told = await tell(story, [], (world, deps) => {
    frozen = freezing(world, deps, freeze);
    return frozen.deps;
  });
  const { name = "nowhere", path = "" } = frozen?.where() ?? {};
  const where = `frozen at call ${freeze.at} (${name} ${path}), ${freeze.effect} its effect`;
  expect(frozen?.late, where).toEqual([]);
  const write = `${name.slice("arm ".length)} ${path}`;
  const { writes, ...outcome } = told.outcome;
  const { writes: expected, ...end } = reference.outcome;
  expect(outcome, where).toEqual(end);
  // Once more at most where the answer was lost.
  const once = (expected[write] ?? 0) + 1;
  const repeated = freeze.effect === "after" && writes[write] === once ? { [write]: once } : {};
  expect(writes, where).toEqual({ ...expected, ...repeated });
};

describe("a holder that stands still for 70 s at any call", () => {
  it.each(stories.map((story, index) => ({ ...story, index })))(
    "$name: nothing of it takes effect afterwards, and the end is the same",
    async (story) => {
      const reference = await tellUndisturbed(story);
      for (let at = 1 + (story.index % stride); at <= reference.calls.length; at += stride)
        for (const effect of ["before", "after"] as const) await freezeAt(story, { at, effect }, reference);
    },
    isExhaustive ? 20 * minutes : 2 * minutes,
  );
});
