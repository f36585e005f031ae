import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bodyOf, key, mutate, withTag } from "../support/defaultCluster.ts";
import { type Arena, arena, hour, look, minute, withTeam } from "../support/fights.ts";
import {
  atPeace,
  battlefields,
  type Opponent,
  opponent,
  opponentAct,
  ownWritesTo,
  personsChange,
  showsPersonsChange,
} from "../support/randomFights.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf } from "../support/world.ts";

/** More, and others, by `CAPSTAN_FIGHTS=100`. */
const many = process.env["CAPSTAN_FIGHTS"];
const runs = many === undefined ? { numRuns: 6, seed: 20_260_101 } : { numRuns: Number(many) };

const pass = async ({ world, deps }: Arena, toMs: number): Promise<void> => {
  await runBy(world, deps, toMs - world.clock.nowMs() - 1);
  if (world.clock.nowMs() < toMs) world.clock.advanceTo(toMs);
};

/** Fights that once went otherwise. */
const found: readonly (readonly Opponent[])[] = [
  [
    { place: "vnet", field: 0, deed: "deletesResource", everyMs: 45_000 },
    { place: "vnet", field: 0, deed: "restores", everyMs: 60_000 },
  ],
];

/** Everybody acts when it is time to, and the drift timer looks each time. */
const fightFor = async (at: Arena, opponents: readonly Opponent[], forMs: number): Promise<void> => {
  const { world } = at;
  const acts = opponents.map((one) => ({ act: opponentAct(world, one), everyMs: one.everyMs, round: 0 }));
  const startMs = world.clock.nowMs();
  for (;;) {
    const next = acts.toSorted((one, other) => one.everyMs * (one.round + 1) - other.everyMs * (other.round + 1))[0]!;
    const atMs = startMs + next.everyMs * (next.round + 1);
    if (atMs >= startMs + forMs) return pass(at, startMs + forMs);
    await pass(at, atMs);
    next.act(next.round);
    next.round += 1;
    await look(at);
  }
};

/** Services come one after another, each polled to its end; and A31: a 404 soon after our write means not yet visible. */
const patienceMs = (opponents: readonly Opponent[]): number =>
  20_000 + (opponents.some(({ deed }) => deed === "deletesResource") ? 2 * minute : 0);

const begin = async () => {
  const at = await arena((world) => void world.objects.edit(key, (object) => withTeam(object, "blue")));
  const other = applyDefaultCluster(at.world, "c2");
  await at.world.run(hour);
  return { at, other };
};

describe("any fight", () => {
  it(
    "costs at most 8 writes in its first hour, holds up nothing else, and a person's later change acts at once",
    () =>
      fc.assert(
        fc.asyncProperty(fc.array(opponent, { minLength: 1, maxLength: 2 }), async (opponents) => {
          const { at, other } = await begin();
          const { world } = at;
          const places = new Set(opponents.map(({ place }) => place));
          const wrote = () => [...places].map((place) => ownWritesTo(world, battlefields[place]));
          const before = wrote();
          await fightFor(at, opponents, hour);
          wrote().forEach((count, index) => {
            const sides = opponents.filter(({ place }) => place === [...places][index]).length;
            expect(count - before[index]!, [...places][index]).toBeLessThanOrEqual(8 * sides);
          });
          // Another object, and another resource of this one, are put right while it is fought.
          expect(conditionsOf(world.objects.find(other))["Ready"]).toMatchObject({ status: "True" });
          mutate(world, atPeace, (body) => withTag(body, "team", "else"));
          await look(at);
          await pass(at, world.clock.nowMs() + 2_000);
          expect(bodyOf(world, atPeace)["tags"]).toMatchObject({ team: "blue" });
          world.objects.edit(key, personsChange);
          await pass(at, world.clock.nowMs() + patienceMs(opponents));
          for (const place of places) expect(showsPersonsChange(world, battlefields[place]), place).toBe(true);
        }),
        { ...runs, examples: found.map((opponents) => [[...opponents]]) },
      ),
    300_000,
  );
});
