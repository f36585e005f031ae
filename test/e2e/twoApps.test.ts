import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { textAt } from "../../src/api/json.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { LoggedRequest } from "../../src/sim/arm/requestLog.ts";
import { aCrowd, applyCrowd, crowdSettled, firstWish, patchMember, type Wish, wishIn } from "../support/e2e/crowd.ts";
import { type FencingLine, fencingLog, handoversIn, isWithinTurn, overlapsIn } from "../support/e2e/fencing.ts";
import type { Place } from "../support/e2e/manifests.ts";
import { givenUp, idle } from "../support/e2e/queue.ts";
import { useScene } from "../support/e2e/scene.ts";
import { nameOf, waitingFor } from "../support/e2e/waiting.ts";
import { createdTwice, turnsOfWrites } from "../support/e2e/writtenBy.ts";
import { diceOf } from "../support/storm.ts";

/** `CAPSTAN_SOAK_SECONDS` of changes to `CAPSTAN_SOAK_OBJECTS` objects; the seed is `CAPSTAN_SOAK_SEED`. */
const setting = (name: string, otherwise: number): number => Number(process.env[`CAPSTAN_SOAK_${name}`] ?? otherwise);
const seconds = setting("SECONDS", 30);
const count = setting("OBJECTS", 30);
const dice = diceOf(setting("SEED", 20_261));
/** Between two changes, on average. */
const everyMs = setting("EVERY_MS", 250);
const patienceMs = 120_000 + count * 6_000;

const crowd = aCrowd("crowd", count);
const keyOf = (place: Place) => ({ kind: "AzureCluster", ...place });

/** Azure's requests by resource group, in lower case. */
const byGroup = (requests: readonly LoggedRequest[]): ReadonlyMap<string, readonly LoggedRequest[]> =>
  Map.groupBy(requests, ({ path }) => /\/resourcegroups\/([^/]+)/i.exec(path)?.[1]?.toLowerCase() ?? "");

/** Two processes of the function app on one queue and the same tables, while many objects change all the time. */
describe(`two function apps and ${count} objects that change for ${seconds} s`, () => {
  const scene = useScene({
    functions: 2,
    azure: { retryAfterSeconds: 1, signedUrls: false, keepRequests: 200_000 },
    settings: { CAPSTAN_LOG_LEVEL: "debug" },
  });
  const wishes = new Map<string, Wish>();
  let requests: readonly LoggedRequest[] = [];
  let fences: ReadonlyMap<string, readonly FencingLine[]> = new Map();
  const linesOf = (place: Place): readonly FencingLine[] => fences.get(nameOf(keyOf(place))) ?? [];
  const writesOf = (groups: ReadonlyMap<string, readonly LoggedRequest[]>, { name }: Place) =>
    (groups.get(`${crowd.namespace}-${name}`) ?? []).filter(({ method }) => method !== "GET");

  const changeSomething = async (n: number): Promise<void> => {
    const place = crowd.places[Math.floor(dice() * count)]!;
    const before = wishes.get(place.name) ?? firstWish;
    const wish: Wish =
      dice() < 0.5 ? { ...before, team: `t${n}` } : { ...before, port: 1_001 + Math.floor(dice() * 5_000) };
    wishes.set(place.name, wish);
    await patchMember(scene(), place, wish);
  };

  beforeAll(async () => {
    const began = performance.now();
    const took = (): string => `${Math.round((performance.now() - began) / 1_000)} s`;
    await applyCrowd(scene(), crowd);
    // Not when all is made: the changes shall meet creations, too.
    await sleep(5_000);
    let changes = 0;
    for (const until = performance.now() + seconds * 1_000; performance.now() < until; changes += 1) {
      await changeSomething(changes);
      await sleep(dice() * 2 * everyMs);
    }
    const changed = took();
    await crowdSettled(scene(), crowd, patienceMs);
    await idle(scene());
    requests = await scene().stack.azure.requests();
    fences = await fencingLog(scene());
    const turns = [...fences.values()].flat().filter(({ kind }) => kind === "committed").length;
    console.info(
      `${changes} changes until ${changed}, settled after ${took()}: ${turns} turns, ${requests.length} requests to Azure`,
    );
  }, 1_800_000);

  it("brings every object to what was asked of it last", async () => {
    const resources = await scene().stack.azure.resources();
    const groups = Map.groupBy(resources, (one) =>
      (/\/resourcegroups\/([^/]+)/i.exec(textAt(one, "id") ?? "")?.[1] ?? "").toLowerCase(),
    );
    const shown = crowd.places.map(({ name }) => [
      name,
      wishIn((groups.get(`${crowd.namespace}-${name}`) ?? []) as readonly JsonObject[]),
    ]);
    expect(shown).toEqual(crowd.places.map(({ name }) => [name, wishes.get(name) ?? firstWish]));
  });

  it("runs no two turns of one object at once, and numbers them without a gap", () => {
    const overlaps = crowd.places.flatMap((place) => overlapsIn(linesOf(place)).map((why) => `${place.name}: ${why}`));
    expect(overlaps).toEqual([]);
    const takenOver = [...fences.values()].flat().filter((line) => line.takenOver);
    expect(takenOver, "nobody died, so no lease was taken over").toEqual([]);
  });

  it("really hands objects from one process to the other", () => {
    const handovers = crowd.places.map((place) => handoversIn(linesOf(place)));
    expect(handovers.filter((times) => times > 0).length).toBeGreaterThan(count / 2);
  });

  it("writes to Azure within the turn that explains the write, before the next takes its lease", async () => {
    const groups = byGroup(requests);
    const wrong: string[] = [];
    for (const place of crowd.places) {
      const writes = writesOf(groups, place);
      const turns = await turnsOfWrites(scene(), keyOf(place), writes);
      writes.forEach(({ method, path, at }, index) => {
        const turn = turns[index];
        if (turn === undefined) wrong.push(`${method} ${path}: no turn tells of it`);
        else if (!isWithinTurn(linesOf(place), turn, at))
          wrong.push(`${method} ${path} at ${at} was not while turn ${turn} had its lease`);
      });
      if (writes.length === 0) wrong.push(`${place.name}: no writes at all`);
    }
    expect(wrong).toEqual([]);
  });

  it("creates nothing twice", () => {
    expect(createdTwice(requests)).toEqual([]);
    expect(requests.filter(({ status }) => status === 201).length).toBeGreaterThan(count);
  });

  it("leaves one message for each object, and gives none up", async () => {
    const names = crowd.places.map((place) => nameOf(keyOf(place)));
    expect(await waitingFor(scene())).toEqual(names.toSorted((one, other) => one.localeCompare(other)));
    expect(await givenUp(scene())).toEqual({ deadLetter: 0, failed: 0 });
  });
});
