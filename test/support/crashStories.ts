import { key } from "./defaultCluster.ts";
import { type Ground, settleOn } from "./scheduleGround.ts";
import { firstWish, type Wish, withWish } from "./scheduleSpec.ts";
import { createWorld, type World } from "./world.ts";

/** Something that a user does with a cluster, during which function apps die. */
export interface Story {
  readonly name: string;
  readonly ground: Ground;
  /** The world before it, at rest. */
  readonly begin: () => Promise<World>;
  readonly act: (world: World) => void;
  /** The object is to be gone in the end. */
  readonly isDeletion: boolean;
}

const hour = 3_600_000;
const wide: Wish = { ...firstWish, isWider: true };

const empty = (): World => createWorld({ signedUrls: false });
const create = (world: World, ground: Ground, wish: Wish): void => {
  settleOn(world, ground);
  world.objects.edit(key, (object) => withWish(object, wish));
};
const settled = (ground: Ground, wish: Wish) => async (): Promise<World> => {
  const world = empty();
  create(world, ground, wish);
  await world.run(hour);
  return world;
};

const creation = (ground: Ground): Story => ({
  name: `create, ground: ${ground}`,
  ground,
  begin: () => Promise.resolve(empty()),
  act: (world) => create(world, ground, firstWish),
  isDeletion: false,
});
const update = (name: string, before: Wish, after: Wish): Story => ({
  name,
  ground: "nothing",
  begin: settled("nothing", before),
  act: (world) => void world.objects.edit(key, (object) => withWish(object, after)),
  isDeletion: false,
});
const deletion = (ground: Ground, wish: Wish): Story => ({
  name: `delete, ground: ${ground}${wish.isWider ? ", wider" : ""}`,
  ground,
  begin: settled(ground, wish),
  act: (world) => world.objects.remove(key),
  isDeletion: true,
});

export const stories: readonly Story[] = [
  creation("nothing"),
  creation("group"),
  creation("network"),
  update("edit a rule", firstWish, { ...firstWish, source: "10.1.0.0/16" }),
  update("add a subnet", firstWish, wide),
  update("remove a subnet", wide, firstWish),
  update("change a tag", firstWish, { ...firstWish, team: "b" }),
  update("all at once", wide, { source: "10.1.0.0/16", isWider: false, team: "b" }),
  deletion("nothing", firstWish),
  deletion("group", wide),
  deletion("network", firstWish),
];
