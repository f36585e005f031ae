import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { KubeObject } from "../../src/core/types.ts";
import { armFindings } from "../support/armValidate.ts";
import { applies } from "../support/e2e/applies.ts";
import { expectAtRest } from "../support/e2e/atRest.ts";
import { eventually } from "../support/e2e/eventually.ts";
import {
  blockedBy,
  conditionLines,
  conditionOf,
  editSpec,
  gone,
  rowsOf,
  settled,
  startDeleting,
} from "../support/e2e/objects.ts";
import { idle } from "../support/e2e/queue.ts";
import { rowOf } from "../support/e2e/rows.ts";
import { type Scene, useScene } from "../support/e2e/scene.ts";
import { describeWithShared } from "../support/shared.ts";
import { versions } from "../support/versions.ts";
import { managedElsewhereScenarios } from "./modes/managedElsewhere.ts";
import { alwaysTrue, comparable, type Mode, madeOf } from "./modes/mode.ts";
import { modes } from "./modes/modes.ts";
import { applyModes, azureOf, meaningIn, ownerOf, placeOf, writesIn } from "./modes/onStack.ts";
import { treeScenarios } from "./modes/tree.ts";

const named = modes.map((mode) => [mode.title, mode] as const);
/** All clusters are made at once, and there are many. */
const patienceMs = 300_000;

/** The simulated Azure is one cloud at a time: those of the others have their turns one after another. */
const inPublicCloud = modes.filter(({ management }) => management === undefined);
const elsewhere = modes.filter(({ management }) => management !== undefined);
const inItsCloud = async ({ stack }: Scene, { management }: Mode, run: () => Promise<unknown>): Promise<void> => {
  if (management !== undefined) await stack.azure.configure({ endpoint: management });
  await run();
  await stack.azure.configure({ endpoint: "https://management.azure.com" });
};

const writes = async (scene: Scene) => {
  const counts = await Promise.all(modes.map(async (mode) => (await writesIn(scene, mode)).length));
  return Object.fromEntries(modes.map(({ name }, at) => [name, counts[at]]));
};

/** Everything of every cluster is read again, as a person may ask. */
const lookAtAll = async (scene: Scene): Promise<void> => {
  const { stack } = scene;
  for (const mode of modes) {
    const object = { cluster: stack.cluster, kind: "AzureCluster", ...placeOf(mode) };
    const before = (await rowOf(scene, object))?.turn ?? 0;
    expect((await stack.replay({ object, requestId: randomUUID(), dryRun: false })).status).toBeLessThan(300);
    await eventually("it has been looked at", async () => ((await rowOf(scene, object))?.turn ?? 0) > before);
  }
  await idle(scene);
};

describe("every mode on the full local stack", () => {
  const scene = useScene({ azure: { retryAfterSeconds: 1 }, settings: { CAPSTAN_LOG_LEVEL: "debug" } });
  const before = new Map<Mode, unknown>();
  const objects = new Map<Mode, KubeObject>();
  const objectOf = (mode: Mode): KubeObject => {
    const object = objects.get(mode);
    if (object === undefined) throw new Error(`${mode.name} was never settled`);
    return object;
  };
  const keep = async (mode: Mode): Promise<void> =>
    void objects.set(mode, await settled(scene(), placeOf(mode), patienceMs));

  beforeAll(async () => {
    const theirs = await applyModes(scene(), inPublicCloud);
    for (const [mode, azure] of theirs) before.set(mode, azure);
    for (const mode of inPublicCloud) {
      if (mode.late === undefined) continue;
      await blockedBy(scene(), placeOf(mode), mode.late.reason);
      await editSpec(scene(), placeOf(mode), mode.late.spec);
    }
    for (const mode of inPublicCloud) await keep(mode);
    for (const mode of elsewhere)
      await inItsCloud(scene(), mode, async () => {
        for (const [one, azure] of await applyModes(scene(), [mode])) before.set(one, azure);
        await keep(mode);
      });
  });

  describe.each(named)("%s", (_, mode) => {
    it("has exactly its resources, each made by one PUT", async () => {
      const azure = await azureOf(scene(), mode);
      expect(madeOf(mode, [...azure.keys()])).toEqual(comparable(mode.made));
      for (const [id, part] of Object.entries(mode.bodies ?? {}))
        expect(azure.get(id.toLowerCase()), id).toMatchObject(part);
      expect((await writesIn(scene(), mode)).map(({ method, status }) => `${method} ${status}`)).toEqual(
        mode.made.map(() => expect.stringMatching(/^PUT 20[12]$/)),
      );
    });

    it("tells endpoint, failure domains, conditions and that it is ready", () => {
      const { spec, status, metadata } = objectOf(mode);
      expect(spec["controlPlaneEndpoint"]).toEqual(mode.endpoint);
      expect(metadata.finalizers).toEqual(["azurecluster.infrastructure.cluster.x-k8s.io"]);
      const domains = Object.entries(mode.zones).map(([zone, controlPlane]) => [zone, { controlPlane }]);
      expect(status["ready"]).toBe(true);
      expect(status["failureDomains"] ?? {}).toEqual(Object.fromEntries(domains));
      const types = [...alwaysTrue, ...mode.conditions];
      expect(comparable(conditionLines({ status }))).toEqual(comparable(types.map((type) => `${type} True`)));
      expect(conditionOf({ status }, "NetworkInfrastructureReady")?.["message"] ?? "").toContain(mode.says ?? "");
    });
  });

  describeWithShared("what is sent", () => {
    it("is in Azure's form in every mode", async () =>
      expect(await armFindings(await scene().stack.azure.requests())).toEqual([]));
  });

  it("all are at rest, also when everything in Azure is looked at", async () => {
    const traces = async () => ({
      writes: await writes(scene()),
      versions: await versions(scene().stack.controlPlane.api),
      applies: await applies(scene()),
    });
    await idle(scene());
    const was = await traces();
    await lookAtAll(scene());
    expect(await traces()).toEqual(was);
    await expectAtRest(scene());
  });

  managedElsewhereScenarios(scene);
  treeScenarios(scene);

  describe("in the end", () => {
    beforeAll(async () => {
      for (const mode of inPublicCloud) await startDeleting(scene(), "cluster", ownerOf(mode));
      for (const mode of inPublicCloud) await gone(scene(), "Cluster", ownerOf(mode), patienceMs);
      for (const mode of elsewhere)
        await inItsCloud(scene(), mode, async () => {
          await startDeleting(scene(), "cluster", ownerOf(mode));
          await gone(scene(), "Cluster", ownerOf(mode));
        });
    });

    it.each(named)("%s: goes wholly, and leaves what was there before", async (_, mode) => {
      await gone(scene(), "AzureCluster", placeOf(mode));
      expect(await meaningIn(scene(), mode)).toEqual(before.get(mode));
      await eventually("the tables have forgotten it", async () => (await rowsOf(scene(), placeOf(mode))).length === 0);
    });
  });
});
