import { describe, expect, it } from "vitest";
import { annotations } from "../../src/core/annotations.ts";
import type { KubeObject } from "../../src/core/types.ts";
import { azureState } from "../support/azureState.ts";
import { type Story, stories } from "../support/crashStories.ts";
import { key } from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { runBy } from "../support/turns.ts";
import { conditionsOf, type World } from "../support/world.ts";

/** In CI every write to the API server and every 29th call; all of them with CAPSTAN_EXHAUSTIVE=1. */
const isExhaustive = process.env["CAPSTAN_EXHAUSTIVE"] === "1";
const stride = isExhaustive ? 1 : 29;
const minutes = 60_000;

/** What somebody does while a turn is at one of its calls. */
interface Interruption {
  readonly name: string;
  readonly act: (world: World) => void;
  /** What must have come of it without any resync, beside the same Azure as when it comes after everything else. */
  readonly isDone: (world: World) => boolean;
}

const edit = (world: World, change: (object: KubeObject) => KubeObject): void => void world.objects.edit(key, change);
const withAnnotation = (object: KubeObject, name: string, value: string): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, [name]: value } },
});
const withoutOurs = ({ metadata, ...rest }: KubeObject): KubeObject => ({
  ...rest,
  metadata: { ...metadata, finalizers: [], annotations: {} },
});
const isReady = (world: World): boolean => conditionsOf(world.objects.find(key))["Ready"]?.status === "True";

const interruptions: readonly Interruption[] = [
  {
    name: "another tag",
    act: (world) =>
      edit(world, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "late" } } })),
    isDone: isReady,
  },
  {
    name: "a pause",
    act: (world) => edit(world, (object) => withAnnotation(object, annotations.paused, "")),
    isDone: (world) => conditionsOf(world.objects.find(key))["Paused"]?.status === "True",
  },
  {
    name: "finalizer and annotations taken off",
    act: (world) => edit(world, withoutOurs),
    isDone: (world) => isReady(world) && (world.objects.find(key)?.metadata.finalizers ?? []).length > 0,
  },
  {
    name: "a deletion",
    act: (world) => world.objects.remove(key),
    isDone: (world) => world.objects.find(key) === undefined && world.tables.rows("state").length === 0,
  },
];

/** Tells a story that is interrupted right before its n-th call, or when all is done; the watcher comes to it much later. */
const interrupted = async (story: Story, { act }: Interruption, at: number) => {
  const world = await story.begin();
  const calls: string[] = [];
  let where = "at the end";
  const deps = intercept(world.deps, async ({ name }, run) => {
    calls.push(name);
    if (calls.length !== at) return run();
    where = `before call ${at} (${name})`;
    world.holdDoorbells();
    act(world);
    return run();
  });
  story.act(world);
  await runBy(world, deps, 30 * minutes);
  const told = calls.slice();
  if (told.length < at) act(world);
  // One doorbell for it and for what the turns have written since; less than a resync is away.
  world.ringHeldDoorbells();
  await runBy(world, deps, 30 * minutes);
  return { world, calls: told, where };
};

const interruptAnywhere = async (story: Story, interruption: Interruption, first: number): Promise<void> => {
  const { world: reference, calls } = await interrupted(story, interruption, Infinity);
  expect(interruption.isDone(reference)).toBe(true);
  expect(calls.length).toBeGreaterThan(20);
  const places = calls.flatMap((name, index) =>
    name.startsWith("kube apply") || index % stride === first % stride ? [index + 1] : [],
  );
  for (const at of places) {
    const { world, where } = await interrupted(story, interruption, at);
    expect(interruption.isDone(world), where).toBe(true);
    // What is not yet there when a pause begins stays so.
    if (interruption.name !== "a pause") expect(azureState(world), where).toEqual(azureState(reference));
  }
};

const living = stories.filter(({ isDeletion }) => !isDeletion);

describe.each(interruptions.map((interruption, number) => ({ ...interruption, number })))(
  "$name, at any call of any turn",
  (interruption) => {
    // In CI each interruption meets every other story.
    const met = living.filter((_, index) => isExhaustive || index % 2 === interruption.number % 2);
    it.each(met.map((story, index) => ({ ...story, index })))(
      "is not missed: $name",
      async (story) => interruptAnywhere(story, interruption, story.index),
      isExhaustive ? 20 * minutes : 2 * minutes,
    );
  },
);
