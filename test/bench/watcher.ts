import type { Bench } from "./bench.ts";
import type { Values } from "./figures.ts";
import { watcherMemory } from "./watcherMemory.ts";

/** Memory of the watcher with 10,000 objects, and how long it takes to announce them all after its start. */
export const watcher = async (bench: Bench): Promise<Values> => {
  bench.progress("watcher with 10,000 objects");
  const { rssMb, announceSeconds } = await watcherMemory();
  return { watcherRssMb: rssMb, watcherAnnounceSeconds: announceSeconds };
};
