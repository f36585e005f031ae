import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { resync } from "../../../src/core/chain/messages.ts";
import type { ObjectKey } from "../../../src/core/types.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { must } from "../contracts/must.ts";
import { versions } from "../versions.ts";
import { applies } from "./applies.ts";
import { eventually } from "./eventually.ts";
import { hurry, idle, send } from "./queue.ts";
import { rowOf } from "./rows.ts";
import type { Scene } from "./scene.ts";
import { resyncRuns } from "./turns.ts";
import { nameOf, waitingFor } from "./waiting.ts";

interface Traces {
  /** Writes to Azure that somebody asked for, also those that were refused. */
  readonly writes: readonly string[];
  /** `generation/resourceVersion` by object. */
  readonly versions: Readonly<Record<string, string>>;
  readonly applies: number;
}

const tracesOf = async (scene: Scene): Promise<Traces> => {
  const { stack } = scene;
  const requests = await stack.azure.requests();
  const writes = requests.filter(({ method }) => method !== "GET" && method !== "HEAD");
  return {
    writes: writes.map(({ at, method, path, status }) => `${at} ${method} ${path} ${status}`),
    versions: await versions(stack.controlPlane.api),
    applies: await applies(scene),
  };
};

const tableNowMs = ({ store }: Scene): number => store.nowMs() ?? 0;

/** Objects that more than one message waits for. */
const waitedForTwice = async (scene: Scene): Promise<readonly string[]> => {
  const names = await waitingFor(scene);
  return names.filter((name, at) => names.indexOf(name) !== at);
};

/** `AzureCluster demo/demo`, taken apart. */
const keyOf = (name: string): ObjectKey => {
  const [kind = "", place = ""] = name.split(" ");
  const [namespace = "", own = ""] = place.split("/");
  return { kind, namespace, name: own };
};

/** All objects that the function app reconciles. */
const reconciled = async ({ stack }: Scene): Promise<readonly ObjectKey[]> =>
  Object.keys(await versions(stack.controlPlane.api))
    .map(keyOf)
    .filter(({ kind }) => kinds.has(kind));

/** How long the look takes at most; nothing may come due by itself meanwhile. */
const lookMs = 20_000;

/** Objects whose next turn is due so soon that it would come into the look. */
const busy = async (scene: Scene, objects: readonly ObjectKey[]): Promise<readonly string[]> => {
  const names: string[] = [];
  for (const object of objects) {
    const row = await rowOf(scene, object);
    if (row !== undefined && (row.dirty || row.dueMs < tableNowMs(scene) + lookMs)) names.push(nameOf(object));
  }
  return names;
};

/** One message of the hourly listing for each, under an id that the broker has not seen. */
const resyncAll = async (scene: Scene, objects: readonly ObjectKey[]): Promise<void> => {
  const { cluster, functions } = scene.stack;
  must(await scene.store.commit("shared", cluster, [{ kind: "delete", row: "listed" }]));
  const runs = await resyncRuns(scene);
  expect((await functions.current().invokeAdmin("resync")).status).toBe(202);
  await eventually("the resync has run", async () => (await resyncRuns(scene)) > runs);
  await hurry(scene, "resync");
  const nowMs = tableNowMs(scene);
  const times = { scheduledMs: nowMs, nowMs, dueMs: nowMs, listed: true };
  const items = objects.map((object) => resync({ address: { cluster, ...object }, uid: "", ...times }).item);
  await send(
    scene,
    "reconcile",
    items.map((item) => ({ ...item, nonce: randomUUID() })),
  );
};

/**
 * What must hold of every stack once nothing happens any more (design section 2, rule 2): one more resync makes no write
 * to Azure and none to an object, and each object waits for one message.
 */
export const expectAtRest = async (scene: Scene): Promise<void> => {
  await scene.stack.azure.setFaults([]);
  const objects = await reconciled(scene);
  await eventually("nothing is due soon", async () => {
    await idle(scene);
    const names = await busy(scene, objects);
    if (names.length > 0) throw new Error(names.join(", "));
    return true;
  });
  const before = await tracesOf(scene);
  const turns = await turnNumbers(scene, objects);
  await resyncAll(scene, objects);
  await eventually("each object has had its turn", async () => {
    const now = await turnNumbers(scene, objects);
    return now.every((turn, at) => turn === undefined || turn > (turns[at] ?? 0));
  });
  await idle(scene);
  expect(await tracesOf(scene), "one more resync of a stack at rest writes nothing").toEqual(before);
  expect(await waitedForTwice(scene), "each object waits for one message at most").toEqual([]);
};

const turnNumbers = async (scene: Scene, objects: readonly ObjectKey[]): Promise<readonly (number | undefined)[]> => {
  const turns: (number | undefined)[] = [];
  for (const object of objects) turns.push((await rowOf(scene, object))?.turn);
  return turns;
};
