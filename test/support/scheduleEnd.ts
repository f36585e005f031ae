import type { Json, JsonObject } from "../../src/core/types.ts";
import { azureState, onlyIn, without } from "./azureState.ts";
import { bodyOf, ids, key } from "./defaultCluster.ts";
import type { Ran } from "./schedule.ts";
import { type Ground, settleOn } from "./scheduleGround.ts";
import { firstWish, type Wish, withWish } from "./scheduleSpec.ts";
import { conditionsOf, createWorld } from "./world.ts";

/** What Azure looks like when nothing ever goes wrong. */
export type Undisturbed = (ground: Ground, wish: Wish | undefined) => Promise<Readonly<Record<string, Json>>>;

/** Makes each such Azure once. A wish of undefined: the object was deleted. */
export const undisturbed = (): Undisturbed => {
  const known = new Map<string, Promise<Readonly<Record<string, Json>>>>();
  return (ground, wish) => {
    const name = JSON.stringify([ground, wish]);
    const found = known.get(name) ?? make(ground, wish);
    known.set(name, found);
    return found;
  };
};

/** Loads all that is loaded when first needed, which takes real time: the order of calls is then the same in each run. */
export const warmUp = async (azure: Undisturbed): Promise<void> => {
  for (const ground of ["nothing", "group", "network"] as const) {
    await azure(ground, { ...firstWish, isWider: true });
    await azure(ground, undefined);
  }
};

const make = async (ground: Ground, wish: Wish | undefined): Promise<Readonly<Record<string, Json>>> => {
  const world = createWorld({ signedUrls: false });
  settleOn(world, ground);
  world.objects.edit(key, (object) => withWish(object, wish ?? firstWish));
  await world.run();
  if (wish === undefined) world.objects.remove(key);
  await world.run();
  return azureState(world);
};

/**
 * Azure as it is, without the tags that others have put on the load balancer meanwhile. After a loss of the tables the
 * deletion of the object is what takes away the parts that the spec had named before and no longer names.
 */
const comparable = (ran: Ran, leftovers: ReadonlySet<string>): Readonly<Record<string, Json>> => {
  const state = without(azureState(ran.world), leftovers);
  const lb = ids.lb.toLowerCase();
  const body = state[lb] as JsonObject | undefined;
  if (body === undefined) return state;
  const tags = Object.entries(body["tags"] as JsonObject).filter(([name]) => !ran.foreignTags.has(name));
  return { ...state, [lb]: { ...body, tags: Object.fromEntries(tags) } };
};

/** Resources that were made anew although they were there. */
const createdTwice = ({ world }: Ran): readonly string[] => {
  const alive = new Set<string>();
  return world.requests().flatMap(({ method, path, status }) => {
    // With a group or a network goes all that is in it.
    if (method === "DELETE") for (const one of alive) if (`${one}/`.startsWith(`${path}/`)) alive.delete(one);
    if (method !== "PUT" || status !== 201) return [];
    if (alive.has(path)) return [path];
    alive.add(path);
    return [];
  });
};

/** Everything that must hold in the end, in a form to be compared. */
export interface End {
  readonly broken: readonly string[];
  readonly createdTwice: readonly string[];
  /** Messages that nobody could handle, or that are handled for ever. */
  readonly messages: JsonObject;
  /** Ready, or undefined when the object is gone. */
  readonly ready: string | undefined;
  /** Rows that are left of an object that is gone. */
  readonly rows: number;
  readonly missingTags: readonly string[];
  readonly azure: Readonly<Record<string, Json>>;
}

/** `leftovers`: what may be there although it is not wanted. */
export const endOf = (ran: Ran, leftovers: ReadonlySet<string> = new Set()): End => {
  const { world, storm, isDeleted, foreignTags } = ran;
  const { deadLetter, active, locked } = world.queue.reconcile.counts(world.clock.nowMs());
  const failed = world.queue.failed.counts(world.clock.nowMs()).active;
  const tags = (bodyOf(world, ids.lb)["tags"] ?? {}) as JsonObject;
  return {
    broken: storm.broken,
    createdTwice: createdTwice(ran),
    messages: { deadLetter, active, locked, failed },
    ready: world.objects.find(key) === undefined ? undefined : conditionsOf(world.objects.find(key))["Ready"]?.status,
    rows: isDeleted ? world.tables.rows("state").length : 0,
    missingTags: isDeleted ? [] : [...foreignTags].filter((name) => tags[name] === undefined),
    azure: comparable(ran, leftovers),
  };
};

/** Ids that only the wider cluster has, when the tables were lost meanwhile: the ledger no longer tells that they are ours. */
export const leftoversOf = async (ran: Ran, azure: Undisturbed): Promise<ReadonlySet<string>> => {
  if (!ran.isForgetful || ran.isDeleted || ran.wish.isWider) return new Set();
  return onlyIn(await azure(ran.ground, { ...ran.wish, isWider: true }), await azure(ran.ground, ran.wish));
};

export const expectedEnd = async (ran: Ran, azure: Undisturbed): Promise<End> => ({
  broken: [],
  createdTwice: [],
  messages: { deadLetter: 0, active: 0, locked: 0, failed: 0 },
  ready: ran.isDeleted ? undefined : "True",
  rows: 0,
  missingTags: [],
  azure: await azure(ran.ground, ran.isDeleted ? undefined : ran.wish),
});

/** Resources of ours, and the group, of the wider cluster. */
const most = 16;

/**
 * Requests that a schedule may cost at most. Undisturbed each resource is read, written and polled, and looked at once more
 * a day later. A disturbance adds at most one look at everything, or reading, writing and polling a third of it anew.
 */
export const mostRequests = ({ journal }: Ran): number => (4 + journal.length) * most;
