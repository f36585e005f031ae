import { textAt } from "../../../src/api/json.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import type { LoggedRequest } from "../../../src/sim/arm/requestLog.ts";
import { meaningOf } from "../../support/azureState.ts";
import { aNamespace, type Place } from "../../support/e2e/manifests.ts";
import { apply } from "../../support/e2e/objects.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { childrenOf } from "./children.ts";
import { azureClusterOf, clusterOf, identityOf } from "./manifests.ts";
import { type Mode, objectName, seedsOf, shortOf, subscriptionOf } from "./mode.ts";

/** Where the AzureCluster of a mode is. */
export const placeOf = (mode: Mode): Place => ({ namespace: mode.name, name: objectName(mode) });
/** Where its Cluster is. */
export const ownerOf = ({ name }: Mode): Place => ({ namespace: name, name });

/** All that is in the subscription of a mode, parts of networks too, by its short name in lower case. */
export const azureOf = async ({ stack }: Scene, mode: Mode): Promise<ReadonlyMap<string, JsonObject>> => {
  const resources = await stack.azure.resources(`/subscriptions/${subscriptionOf(mode)}/`);
  const all = resources.flatMap((one) => [one, ...childrenOf(one)]);
  return new Map(all.map((one) => [shortOf(textAt(one, "id") ?? ""), one] as const));
};

/** The same for a comparison with what is there at another time. */
export const meaningIn = async (scene: Scene, mode: Mode): Promise<Readonly<Record<string, unknown>>> =>
  Object.fromEntries([...(await azureOf(scene, mode))].map(([id, body]) => [id, meaningOf(body)] as const));

/** What others have is put into Azure and returned as it is then, and the objects are applied as a user does. */
export const applyModes = async (
  scene: Scene,
  modes: readonly Mode[],
): Promise<readonly (readonly [Mode, Readonly<Record<string, unknown>>])[]> => {
  await scene.stack.azure.seed(modes.flatMap(seedsOf) as Parameters<Scene["stack"]["azure"]["seed"]>[0]);
  const before: (readonly [Mode, Readonly<Record<string, unknown>>])[] = [];
  for (const mode of modes) before.push([mode, await meaningIn(scene, mode)]);
  await apply(
    scene,
    modes.flatMap((mode) => [aNamespace(mode.name), identityOf(mode), clusterOf(mode), azureClusterOf(mode)]),
  );
  return before;
};

/** The writes into the subscription of a mode. */
export const writesIn = async ({ stack }: Scene, mode: Mode): Promise<readonly LoggedRequest[]> =>
  (await stack.azure.requests()).filter(
    ({ method, path }) => !["GET", "HEAD"].includes(method) && path.includes(`/${subscriptionOf(mode)}/`),
  );
