import { expect } from "vitest";
import type { LoggedRequest } from "../../../src/sim/arm/requestLog.ts";
import { namesOf, writesOf } from "./azureLog.ts";
import type { Place } from "./manifests.ts";
import { conditionLines, settled } from "./objects.ts";
import type { Scene } from "./scene.ts";

/** How a cluster ended, with its own names taken out, so that two clusters compare. */
export interface EndState {
  readonly resources: readonly string[];
  readonly conditions: readonly string[];
  /** What Azure was asked to make, by name. */
  readonly bodies: Readonly<Record<string, string>>;
}

const groupOf = ({ namespace, name }: Place): string => `${namespace}-${name}`;

/** The hash in the name of the API server differs with everything. */
const neutral = (text: string, place: Place): string =>
  text
    .replaceAll(groupOf(place), "GROUP")
    .replaceAll(place.name, "NAME")
    .replaceAll(/NAME-[0-9a-f]{1,8}\b/g, "NAME-HASH");

const isTaken = ({ method, status }: LoggedRequest): boolean => method === "PUT" && status < 300;

/** Waits until the cluster is settled, and describes how. */
export const endStateOf = async (scene: Scene, place: Place): Promise<EndState> => {
  const object = await settled(scene, place);
  const group = groupOf(place);
  const puts = (await writesOf(scene, group)).filter(isTaken);
  return {
    resources: (await namesOf(scene, group)).map((name) => neutral(name, place)).toSorted(),
    conditions: conditionLines(object),
    bodies: Object.fromEntries(
      puts.map(({ path, body }) => [neutral(path, place), neutral(JSON.stringify(body), place)]),
    ),
  };
};

/** Ids that Azure made or wrote more than once. */
const madeTwice = async (scene: Scene, place: Place): Promise<readonly string[]> => {
  const paths = (await writesOf(scene, groupOf(place))).filter(isTaken).map(({ path }) => path.toLowerCase());
  return paths.filter((path, at) => paths.indexOf(path) !== at);
};

/** Waits for the end of a creation that something interrupted: it must be that of an undisturbed one, each resource made once. */
export const expectSameEnd = async (scene: Scene, place: Place, undisturbed: EndState): Promise<void> => {
  expect(await endStateOf(scene, place)).toEqual(undisturbed);
  expect(await madeTwice(scene, place)).toEqual([]);
};
