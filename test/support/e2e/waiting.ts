import type { ObjectKey } from "../../../src/core/types.ts";
import { parseWorkItem } from "../../../src/core/workItem.ts";
import { bodiesIn } from "./queue.ts";
import { rowOf } from "./rows.ts";
import type { Scene } from "./scene.ts";

/** `AzureCluster demo/demo`. */
export const nameOf = ({ kind, namespace, name }: ObjectKey): string => `${kind} ${namespace}/${name}`;

/** What a message is for; undefined when it has become void, because a later turn owes another one. */
const liveObjectOf = async (scene: Scene, body: unknown): Promise<string | undefined> => {
  const item = parseWorkItem(body);
  if (!item.ok) return "unreadable";
  const { turn } = item.value;
  const isVoid = turn !== undefined && (await rowOf(scene, item.value))?.turn !== turn;
  return isVoid ? undefined : nameOf(item.value);
};

/** The objects that a message waits for, each as often as there are such messages, sorted. */
export const waitingFor = async (scene: Scene): Promise<readonly string[]> => {
  const live: string[] = [];
  for (const body of await bodiesIn(scene, "reconcile")) {
    const name = await liveObjectOf(scene, body);
    if (name !== undefined) live.push(name);
  }
  return live.toSorted((one, other) => one.localeCompare(other));
};
