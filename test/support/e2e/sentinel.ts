import { annotations } from "../../../src/core/annotations.ts";
import { eventually } from "./eventually.ts";
import { aNamespace, anAzureCluster, type Place } from "./manifests.ts";
import { annotate, apply, azureCluster } from "./objects.ts";
import { idle } from "./queue.ts";
import type { Scene } from "./scene.ts";
import { turnsOf } from "./turns.ts";

/** An AzureCluster without a Cluster: it only ever waits for its owner. */
const sentinel: Place = { namespace: "sentinel", name: "sentinel" };

const turnCount = async (scene: Scene): Promise<number> => (await turnsOf(scene, sentinel)).length;

/**
 * Waits until everything that happened to AzureClusters so far has had its effect: a change made now to another object
 * of the kind has come through watcher and queue behind it all, and the queue has nothing left that is due.
 */
export const allQuiet = async (scene: Scene, label: string): Promise<void> => {
  await apply(scene, [aNamespace(sentinel.namespace), anAzureCluster(sentinel)]);
  await eventually("the sentinel is seen", async () => (await turnCount(scene)) > 0);
  const before = await turnCount(scene);
  await annotate(scene, "azurecluster", sentinel, `${annotations.retry}=${label}-${before}`);
  await azureCluster(scene, sentinel);
  await eventually("the sentinel is seen again", async () => (await turnCount(scene)) > before);
  await idle(scene);
};
