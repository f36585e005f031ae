import { textAt } from "../../../../src/api/json.ts";
import type { Json, JsonObject } from "../../../../src/core/types.ts";
import { meaningOf } from "../../azureState.ts";
import { resourcesOf } from "../azureLog.ts";
import { eventually } from "../eventually.ts";
import type { Place } from "../manifests.ts";
import { conditionLines, find, gone, rowsOf } from "../objects.ts";
import type { Scene } from "../scene.ts";
import type { Wish } from "./wish.ts";

/** How a cluster ended, in a form in which clusters compare. */
export interface FireEnd {
  /** Empty: the object is gone. */
  readonly conditions: readonly string[];
  readonly missingTags: readonly string[];
  readonly azure: Readonly<Record<string, Json>>;
}

/** What is left of a cluster that was deleted. */
export const nothing: FireEnd = { conditions: [], missingTags: [], azure: {} };

/** Waits until the object is gone, and then what the tables hold of it: its rows go just after its finalizer. */
export const vanished = async (scene: Scene, place: Place, timeoutMs?: number): Promise<void> => {
  await gone(scene, "AzureCluster", place, timeoutMs);
  await eventually(
    `the rows of ${place.namespace}/${place.name} are gone`,
    async () => (await rowsOf(scene, place)).length === 0,
    timeoutMs,
  );
};

export const groupOf = ({ namespace, name }: Place): string => `${namespace}-${name}`;

/** Without the names of the cluster; the hash in the name of its API server differs with them. */
export const neutral = (text: string, place: Place): string =>
  text
    .replaceAll(groupOf(place), "GROUP")
    .replaceAll(place.name, "NAME")
    .replaceAll(/NAME-[0-9a-f]{1,8}\b/g, "NAME-HASH");

/** Without the values that were wished for, so that only these values compare as equal. */
const withoutWish = (text: string, { team, source }: Wish): string =>
  text.replaceAll(`"${team}"`, '"TEAM"').replaceAll(`"${source}"`, '"SOURCE"');

const isLoadBalancer = (one: JsonObject): boolean => textAt(one, "type") === "Microsoft.Network/loadBalancers";

const tagsOf = (one: JsonObject | undefined): JsonObject => (one?.["tags"] ?? {}) as JsonObject;

const withoutTags = (one: JsonObject, names: ReadonlySet<string>): JsonObject => {
  const tags = Object.fromEntries(Object.entries(tagsOf(one)).filter(([name]) => !names.has(name)));
  return "tags" in one ? { ...one, tags } : one;
};

/** How a cluster stands now. `foreignTags`: what others have put on the load balancer; they must still be there. */
export const fireEndOf = async (
  scene: Scene,
  place: Place,
  wish: Wish,
  foreignTags: ReadonlySet<string> = new Set(),
): Promise<FireEnd> => {
  const object = await find(scene, "AzureCluster", place);
  const resources = await resourcesOf(scene, groupOf(place));
  const tags = tagsOf(resources.find(isLoadBalancer));
  const entries = resources.map((one): readonly [string, Json] => {
    const text = JSON.stringify(meaningOf(withoutTags(one, foreignTags)));
    // The one cast: JSON is Json.
    return [neutral(textAt(one, "id") ?? "", place), JSON.parse(withoutWish(neutral(text, place), wish)) as Json];
  });
  return {
    conditions: object === undefined ? [] : conditionLines(object),
    missingTags: resources.some(isLoadBalancer) ? [...foreignTags].filter((name) => !(name in tags)) : [],
    azure: Object.fromEntries(entries),
  };
};
