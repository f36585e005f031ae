import { describe, expect, it } from "vitest";
import { type Death, type Told, tell, tellUndisturbed } from "../support/crashRun.ts";
import type { Story } from "../support/crashStories.ts";
import { key } from "../support/defaultCluster.ts";
import {
  addIdentity,
  finalizersOf,
  finalizersOn,
  first,
  second,
  useIdentity,
  withFinalizers,
} from "../support/identity/heldIdentities.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const minutes = 60_000;
const hour = 60 * minutes;
const { current, former } = finalizersOf();

const settled = async (): Promise<World> => {
  const world = createWorld();
  applyDefaultCluster(world);
  addIdentity(world, second);
  await world.run(hour);
  return world;
};

interface IdentityStory extends Story {
  /** Who has the first and the second identity in the end; undefined: it is gone. */
  readonly ends: readonly [readonly string[] | undefined, readonly string[]];
  readonly stride: number;
}

const base = { ground: "nothing", isDeletion: false, begin: settled, stride: 1 } as const;
const stories: readonly IdentityStory[] = [
  {
    ...base,
    name: "create",
    begin: () => Promise.resolve(createWorld()),
    act: (world) => {
      applyDefaultCluster(world);
      addIdentity(world, second);
    },
    ends: [[current], []],
    stride: 15,
  },
  {
    ...base,
    name: "take over from upstream",
    begin: async () => {
      const world = await settled();
      world.tables.clear();
      world.objects.edit(first, (object) => withFinalizers(object, [former, current]));
      return world;
    },
    act: (world) =>
      void world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { a: "b" } } })),
    ends: [[current], []],
    stride: 5,
  },
  { ...base, name: "change the identity", act: (world) => useIdentity(world, second), ends: [[], [current]] },
  { ...base, name: "delete", act: (world) => world.objects.remove(key), ends: [[], []], isDeletion: true, stride: 3 },
  {
    ...base,
    name: "delete the identity, then the cluster",
    act: (world) => {
      world.objects.remove(first);
      world.objects.remove(key);
    },
    ends: [undefined, []],
    isDeletion: true,
    stride: 3,
  },
];

const expectEnd = ({ ends, isDeletion }: IdentityStory, { world, outcome }: Told, where: string): void => {
  expect([finalizersOn(world, first), finalizersOn(world, second)], where).toEqual(ends);
  expect(outcome, where).toMatchObject({ ready: isDeletion ? undefined : "True", leftBehind: [], rows: 0 });
};

describe("a function app that is killed anywhere", () => {
  it.each(stories)(
    "$name: leaves the cluster's finalizer on its identity, and on no other",
    async (story) => {
      const { calls, ...reference } = await tellUndisturbed(story);
      expectEnd(story, { ...reference, calls }, "undisturbed");
      const stride = isExhaustive ? 1 : story.stride;
      for (let at = 1; at <= calls.length; at += stride)
        for (const effect of ["before", "after"] as const) {
          const death: Death = { at, effect, message: at % 2 === 0 ? "abandoned" : "locked" };
          expectEnd(story, await tell(story, [death]), `killed at call ${at} (${calls[at - 1]}), ${effect} its effect`);
        }
    },
    isExhaustive ? 20 * minutes : 2 * minutes,
  );

  it(
    "while the identity is changed back again: leaves none on the one that was passed over",
    async () => {
      const story = stories.find(({ name }) => name === "change the identity")!;
      const { calls } = await tellUndisturbed(story);
      for (let at = 1; at <= calls.length; at += 1)
        for (const effect of ["before", "after"] as const) {
          let turned = false;
          const { world } = await tell(story, [{ at, effect, message: "locked" }], (of, deps) => {
            // The second function app finds the first identity wanted again.
            if (turned) useIdentity(of, first);
            turned = true;
            return deps;
          });
          const where = `killed at call ${at} (${calls[at - 1]}), ${effect} its effect`;
          expect([finalizersOn(world, first), finalizersOn(world, second)], where).toEqual([[current], []]);
        }
    },
    2 * minutes,
  );
});
