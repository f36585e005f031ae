import { setTimeout as sleep } from "node:timers/promises";
import { diceOf } from "../../storm.ts";
import { requestCount, writesOf } from "../azureLog.ts";
import { everything, type Place } from "../manifests.ts";
import { apply, patchCluster, settled, startDeleting } from "../objects.ts";
import type { Scene } from "../scene.ts";
import { groupOf, neutral, vanished } from "./fireEnd.ts";
import { killApps } from "./outages.ts";
import { firstWish, sources, specOf, type Wish } from "./wish.ts";

export type Story = "create" | "update" | "delete";

/** What an update asks for. */
export const otherWish: Wish = { team: "team-other", source: sources[1], isWider: true };

/** What must be there before a story begins. */
export const prepareStory = async (scene: Scene, story: Story, place: Place): Promise<void> => {
  if (story !== "create") await apply(scene, everything(place, specOf(place, firstWish)));
};

export const beginStory = async (scene: Scene, story: Story, place: Place): Promise<unknown> => {
  switch (story) {
    case "create":
      return apply(scene, everything(place, specOf(place, firstWish)));
    case "update":
      return patchCluster(scene, place, { spec: specOf(place, otherWish) });
    case "delete":
      return startDeleting(scene, "azurecluster", place);
  }
};

export const endStory = (scene: Scene, story: Story, place: Place, timeoutMs?: number): Promise<unknown> =>
  story === "delete" ? vanished(scene, place, timeoutMs) : settled(scene, place, timeoutMs);

/** A story with nobody killed. */
export interface Calm {
  /** From the beginning of the story to its end. */
  readonly tookMs: number;
  /** What Azure was asked to write, `PUT` and name, each once, sorted. */
  readonly writes: readonly string[];
}

/** What Azure was asked to write for a cluster; `since` leaves so many requests of the whole log out. */
export const writtenFor = async (scene: Scene, place: Place, since: number): Promise<readonly string[]> => {
  const writes = await writesOf(scene, groupOf(place), since);
  return [...new Set(writes.map(({ method, path }) => `${method} ${neutral(path, place)}`))].toSorted();
};

/** Tells a story to its end. */
export const calmStory = async (scene: Scene, story: Story, place: Place): Promise<Calm> => {
  const since = await requestCount(scene);
  const began = performance.now();
  await beginStory(scene, story, place);
  await endStory(scene, story, place);
  return { tookMs: performance.now() - began, writes: await writtenFor(scene, place, since) };
};

/** A story with a kill in it. */
export interface KillRun {
  readonly seed: number;
  readonly story: Story;
  readonly place: Place;
  /** How many requests Azure had had when it began. */
  readonly since: number;
  /** RFC 3339. */
  readonly killedAt: string;
}

/** Begins a story and kills function apps at a random moment of the time that it takes undisturbed. */
export const killRun = async (
  scene: Scene,
  { seed, story, place }: Pick<KillRun, "seed" | "story" | "place">,
  { tookMs }: Calm,
): Promise<KillRun> => {
  const dice = diceOf(seed);
  const since = await requestCount(scene);
  await beginStory(scene, story, place);
  await sleep(dice() * tookMs);
  const killedAt = new Date().toISOString();
  await killApps(scene, dice);
  return { seed, story, place, since, killedAt };
};

/**
 * Writes that were sent once more, the same body to the same resource, although nobody was killed in between: then the
 * answer to the first was not lost.
 */
export const needlessRepeats = async (
  scene: Scene,
  { place, since }: KillRun,
  kills: readonly string[],
): Promise<readonly string[]> => {
  const writes = await writesOf(scene, groupOf(place), since);
  const before = new Map<string, string>();
  return writes.flatMap(({ at, method, path, body }) => {
    const what = `${method} ${path.toLowerCase()} ${JSON.stringify(body)}`;
    const first = before.get(what);
    before.set(what, at);
    if (first === undefined || kills.some((kill) => first <= kill && kill <= at)) return [];
    return [`${method} ${path} at ${first} and again at ${at}`];
  });
};
