import { beforeAll, describe, expect, it } from "vitest";
import { requestsOf } from "../support/e2e/azureLog.ts";
import { fencingLog } from "../support/e2e/fencing.ts";
import { type FireEnd, fireEndOf, groupOf, nothing } from "../support/e2e/fire/fireEnd.ts";
import { slowly } from "../support/e2e/fire/fireFaults.ts";
import { type Burnt, burnAll, burntOut } from "../support/e2e/fire/fireSchedules.ts";
import {
  type Calm,
  calmStory,
  endStory,
  type KillRun,
  killRun,
  needlessRepeats,
  otherWish,
  prepareStory,
  type Story,
  writtenFor,
} from "../support/e2e/fire/killRuns.ts";
import { firstWish } from "../support/e2e/fire/wish.ts";
import type { Place } from "../support/e2e/manifests.ts";
import { givenUp, idle } from "../support/e2e/queue.ts";
import { useScene } from "../support/e2e/scene.ts";
import { createdTwice } from "../support/e2e/writtenBy.ts";

/** CAPSTAN_SEED is one seed, CAPSTAN_FIRES how many schedules there are at once. Default: 20. */
const seedsOf = (): readonly number[] => {
  const { CAPSTAN_SEED: one, CAPSTAN_FIRES: many = "20" } = process.env;
  return one === undefined ? Array.from({ length: Number(many) }, (_, index) => index + 1) : [Number(one)];
};
const seeds = seedsOf();

const stories: readonly Story[] = ["create", "update", "delete"];
const kills = Array.from({ length: 10 }, (_, index) => {
  const story = stories[index % stories.length]!;
  return { seed: index + 1, story, place: { namespace: "killed", name: `${story}-${index + 1}` } };
});

/** Each cluster waits out leases of killed processes, of a minute, and back-offs. */
const patienceMs = 400_000;
const calmPlace: Place = { namespace: "calm", name: "undisturbed" };

/** Everything that may go wrong, for many clusters at once on one stack; they end as if nothing had been. */
describe("the full local stack under fire", () => {
  const scene = useScene({
    functions: 2,
    azure: { retryAfterSeconds: 1, signedUrls: false, latency: 500, keepRequests: 200_000 },
    settings: { CAPSTAN_LOG_LEVEL: "debug" },
  });
  const calm = new Map<Story, Calm>();
  const calmEnds = new Map<string, FireEnd>();
  let burnt: readonly Burnt[] = [];
  let killed: readonly KillRun[] = [];
  const before: Awaited<ReturnType<typeof givenUp>>[] = [];

  beforeAll(async () => {
    const began = performance.now();
    const told = (what: string): void => console.info(`${Math.round((performance.now() - began) / 1_000)} s: ${what}`);
    for (const { story, place } of kills) await prepareStory(scene(), story, place);
    const slow = [slowly(calmPlace.namespace), slowly("killed")];
    await scene().stack.azure.setFaults(slow);
    calm.set("create", await calmStory(scene(), "create", calmPlace));
    calmEnds.set("false", await fireEndOf(scene(), calmPlace, firstWish));
    calm.set("update", await calmStory(scene(), "update", calmPlace));
    calmEnds.set("true", await fireEndOf(scene(), calmPlace, otherWish));
    calm.set("delete", await calmStory(scene(), "delete", calmPlace));
    for (const { story, place } of kills) if (story !== "create") await endStory(scene(), "create", place);
    before.push(await givenUp(scene()));
    told("undisturbed clusters have ended");
    burnt = await burnAll(scene(), seeds);
    told("all schedules have run");
    await scene().stack.azure.setFaults(slow);
    const runs: KillRun[] = [];
    for (const one of kills) runs.push(await killRun(scene(), one, calm.get(one.story)!));
    killed = runs;
    told("all kills are done");
  });

  describe.concurrent("random schedules", () => {
    it.each(seeds)("seed %i: ends as an undisturbed cluster", { timeout: patienceMs * 2 }, async (seed) => {
      const one = burnt.find((other) => other.seed === seed)!;
      await burntOut(one, patienceMs);
      const { place, wish, foreignTags, isDeleted, journal } = one;
      const end = await fireEndOf(scene(), place, wish, foreignTags);
      expect(end, journal.join("\n")).toEqual(isDeleted ? nothing : calmEnds.get(String(wish.isWider)));
    });
  });

  describe.concurrent("function apps killed with signal 9", () => {
    it.each(kills)("run $seed, $story: ends as one that nobody kills", { timeout: patienceMs * 2 }, async (given) => {
      const { story, place } = given;
      const run = killed.find(({ seed }) => seed === given.seed)!;
      await endStory(scene(), story, place, patienceMs);
      const wish = story === "update" ? otherWish : firstWish;
      const expected = story === "delete" ? nothing : calmEnds.get(String(wish.isWider));
      expect(await fireEndOf(scene(), place, wish)).toEqual(expected);
      expect(await writtenFor(scene(), place, run.since)).toEqual(calm.get(story)!.writes);
      const moments = killed.map(({ killedAt }) => killedAt);
      expect(await needlessRepeats(scene(), run, moments)).toEqual([]);
    });
  });

  it("has really burnt: leases of dead processes were taken over, and Azure failed clusters", async () => {
    const lines = [...(await fencingLog(scene())).values()].flat();
    expect(lines.filter(({ takenOver }) => takenOver).length).toBeGreaterThan(0);
    const requests = await Promise.all(burnt.map(({ place }) => requestsOf(scene(), groupOf(place))));
    const failed = requests.filter((own) => own.some(({ status }) => status === 0 || status >= 409));
    expect(failed.length).toBeGreaterThanOrEqual(Math.floor(seeds.length / 4));
  });

  it("creates nothing twice, and gives no message up", { timeout: patienceMs }, async () => {
    await idle(scene());
    expect(createdTwice(await scene().stack.azure.requests())).toEqual([]);
    expect([await givenUp(scene())]).toEqual(before);
  });
});
