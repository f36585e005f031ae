import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { annotations } from "../../../src/core/annotations.ts";
import type { JsonObject } from "../../../src/core/types.ts";
import { requestCount, requestsOf, writesOf } from "../../support/e2e/azureLog.ts";
import { type EndState, endStateOf, expectSameEnd } from "../../support/e2e/endState.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { apply, azureCluster, conditionOf, settled } from "../../support/e2e/objects.ts";
import { doorbellOf, givenUp, hurry, idle, send } from "../../support/e2e/queue.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { allQuiet } from "../../support/e2e/sentinel.ts";
import { resyncRuns, turnsOf } from "../../support/e2e/turns.ts";

const called = (name: string): Place => ({ namespace: `int-${name}`, name });
const groupOf = ({ namespace, name }: Place): string => `${namespace}-${name}`;

const firstWrite = (scene: Scene, place: Place, part = ""): Promise<unknown> =>
  eventually(`Azure gets a write of ${place.name} ${part}`, async () =>
    (await writesOf(scene, groupOf(place))).some(({ path }) => path.includes(part)),
  );

/** What falls over in the middle of the work: the end is always the same, and nothing is made twice. */
export const interruptionScenarios = (scene: () => Scene): void => {
  describe("an interruption", () => {
    let undisturbed: EndState;
    let resyncs = 0;
    let before: Awaited<ReturnType<typeof givenUp>>;
    beforeAll(async () => {
      const place = called("plain");
      await apply(scene(), everything(place));
      undisturbed = await endStateOf(scene(), place);
      expect(undisturbed.resources).toHaveLength(11);
      [resyncs, before] = [await resyncRuns(scene()), await givenUp(scene())];
    });
    afterAll(async () => {
      await idle(scene());
      expect(await resyncRuns(scene())).toBe(resyncs);
      expect(await givenUp(scene())).toEqual(before);
    });

    describe.concurrent("of the function app, killed in the middle of three clusters", () => {
      const [reading, writing, waiting] = [called("reading"), called("writing"), called("waiting")];
      const hang = (method: string, place: Place) => ({
        match: { method, path: `/resourceGroups/${groupOf(place)}` },
        fault: { kind: "delay", ms: 14_000 } as const,
      });
      beforeAll(async () => {
        const { azure, functions } = scene().stack;
        await azure.setFaults([hang("GET", reading), hang("PUT", writing)]);
        await azure.configure({ latency: { types: { "Microsoft.Network/loadBalancers": { put: 20_000 } } } });
        await apply(scene(), everything(waiting));
        await firstWrite(scene(), waiting, "/loadBalancers/");
        await apply(scene(), [...everything(reading), ...everything(writing)]);
        await firstWrite(scene(), writing);
        await eventually("the request for the other hangs too", async () =>
          (await requestsOf(scene(), groupOf(reading))).some(({ method }) => method === "GET"),
        );
        await functions.kill("SIGKILL");
        await functions.start();
        await azure.configure({ latency: 0 });
      });

      it("ends well where a turn had just taken its lease", () => expectSameEnd(scene(), reading, undisturbed));
      it("ends well where an answer was on its way", () => expectSameEnd(scene(), writing, undisturbed));
      it("ends well where an operation was running", () => expectSameEnd(scene(), waiting, undisturbed));

      it("and messages that come twice, all along, change nothing", async () => {
        const place = called("twice");
        await apply(scene(), everything(place));
        let sent = 0;
        await eventually("it is ready in spite of them", async () => {
          const bodies = Array.from({ length: 3 }, () => doorbellOf(scene(), place));
          await send(scene(), "reconcile", [...bodies, ...bodies]);
          sent += 6;
          return conditionOf(await azureCluster(scene(), place), "Ready")?.["status"] === "True";
        });
        await expectSameEnd(scene(), place, undisturbed);
        expect((await turnsOf(scene(), place)).length).toBeGreaterThanOrEqual(sent);
      });

      it("and a pause, taken back and asked for again, stops everything until it ends", async () => {
        const place = called("paused");
        const pause = async (paused: boolean): Promise<void> => {
          const patch = JSON.stringify({ spec: { paused } });
          await scene().stack.kubectl([
            "patch",
            "-n",
            place.namespace,
            "cluster",
            place.name,
            "--type=merge",
            "-p",
            patch,
          ]);
        };
        const pausedCondition = async (): Promise<JsonObject | undefined> =>
          conditionOf(await azureCluster(scene(), place), "Paused");
        await apply(scene(), everything(place));
        await firstWrite(scene(), place);
        await pause(true);
        await pause(false);
        await pause(true);
        await eventually("it says that it is paused", async () => (await pausedCondition())?.["status"] === "True");
        await eventually(
          "it may be moved",
          async () => !(annotations.blockMove in (await azureCluster(scene(), place)).metadata.annotations),
        );
        // What was said of the pauses before may still be on its way.
        await allQuiet(scene(), "pauses");
        const requests = await requestCount(scene());
        await hurry(scene(), "followUp");
        await allQuiet(scene(), "pause");
        expect(await requestsOf(scene(), groupOf(place), requests)).toEqual([]);
        await pause(false);
        await settled(scene(), place);
        expect((await pausedCondition())?.["status"] ?? "False").toBe("False");
        expect((await azureCluster(scene(), place)).metadata.annotations).toHaveProperty([annotations.blockMove]);
      });
    });

    it("of the broker, which dies and comes back, is made good", async () => {
      const place = called("broker");
      const { broker } = scene().stack;
      await apply(scene(), everything(place));
      await firstWrite(scene(), place);
      await broker.kill("SIGKILL");
      await broker.start();
      await expectSameEnd(scene(), place, undisturbed);
    });

    it("of the API server, which is away for a while, is made good", async () => {
      const place = called("outage");
      const { controlPlane } = scene().stack;
      await apply(scene(), everything(place));
      await firstWrite(scene(), place);
      const turns = (await turnsOf(scene(), place)).length;
      await controlPlane.stopApiServer();
      await eventually("turns find nobody", async () => (await turnsOf(scene(), place)).length >= turns + 2);
      await controlPlane.startApiServer();
      await expectSameEnd(scene(), place, undisturbed);
    });
  });
};
