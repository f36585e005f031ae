import { setTimeout as sleep } from "node:timers/promises";
import { annotations } from "../../../../src/core/annotations.ts";
import { idIn } from "../azureLog.ts";
import type { Place } from "../manifests.ts";
import { patchCluster, startDeleting } from "../objects.ts";
import { copyMessages, doorbellOf, send } from "../queue.ts";
import type { Scene } from "../scene.ts";
import { groupOf } from "./fireEnd.ts";
import { insist } from "./insist.ts";
import { sources, specOf, type Wish } from "./wish.ts";

/** One cluster in a storm, and what its user and others have done to it so far. */
export interface Burning {
  readonly scene: Scene;
  readonly place: Place;
  readonly dice: () => number;
  readonly foreignTags: Set<string>;
  wish: Wish;
  isPaused: boolean;
  isDeleted: boolean;
}

/** Answers what has happened, in words; empty: nothing could. */
type FireEvent = (burning: Burning) => Promise<string>;

const oneOf = <T>(dice: () => number, values: readonly T[]): T => values[Math.floor(dice() * values.length)]!;

const edit: FireEvent = async (burning) => {
  const { scene, place, dice } = burning;
  const change = oneOf<Partial<Wish>>(dice, [
    { source: oneOf(dice, sources) },
    { isWider: !burning.wish.isWider },
    { team: `team-${oneOf(dice, ["red", "green", "blue"])}` },
  ]);
  burning.wish = { ...burning.wish, ...change };
  await insist("an edit", () => patchCluster(scene, place, { spec: specOf(place, burning.wish) }));
  return `the user edits: ${JSON.stringify(change)}`;
};

const pause: FireEvent = async (burning) => {
  const { scene, place } = burning;
  burning.isPaused = !burning.isPaused;
  const patch = { metadata: { annotations: { [annotations.paused]: burning.isPaused ? "" : null } } };
  await insist("a pause", () => patchCluster(scene, place, patch));
  return burning.isPaused ? "the user pauses" : "the user unpauses";
};

const ring: FireEvent = async ({ scene, place }) => {
  const doorbell = doorbellOf(scene, place);
  await insist("doorbells", () => send(scene, "reconcile", [doorbell, doorbell, doorbell]));
  return "three equal doorbells come";
};

const repeat: FireEvent = async ({ scene, place, dice }) => {
  const lateMs = dice() < 0.5 ? 0 : dice() * 20_000;
  await insist("copies", () => copyMessages(scene, place, lateMs));
  return `all messages come once more, after ${Math.round(lateMs)} ms`;
};

const tag: FireEvent = async ({ scene, place, foreignTags }) => {
  const name = `other${foreignTags.size}`;
  const id = idIn(groupOf(place), `loadBalancers/${place.name}-public-lb`);
  const isThere = (await scene.stack.azure.resources(id)).length > 0;
  if (!isThere) return "";
  await scene.stack.azure.mutate(id, { tags: { [name]: "1" } });
  foreignTags.add(name);
  return `somebody puts tag ${name} on the load balancer`;
};

const remove: FireEvent = async (burning) => {
  const { scene, place, dice } = burning;
  if (dice() < 0.5) return "";
  burning.isDeleted = true;
  await insist("a deletion", () => startDeleting(scene, "azurecluster", place));
  return "the user deletes the object";
};

const events: readonly FireEvent[] = [edit, edit, edit, ring, repeat, tag, tag, pause, remove];

/** Lets things happen to a cluster at moments within `ms`; `note` gets each in words. After a deletion nothing happens. */
export const burn = async (
  burning: Burning,
  ms: number,
  times: number,
  note: (words: string) => void,
): Promise<void> => {
  const { dice } = burning;
  const moments = Array.from({ length: times }, () => dice() * ms).toSorted((one, other) => one - other);
  const began = performance.now();
  for (const moment of moments) {
    await sleep(Math.max(0, moment - (performance.now() - began)));
    if (burning.isDeleted) return;
    note(await oneOf(dice, events)(burning));
  }
};

/** The user wants it to go on. */
export const unpause = async (burning: Burning): Promise<void> => {
  if (burning.isPaused && !burning.isDeleted) await pause(burning);
};
