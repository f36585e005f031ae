import { beforeAll, describe, expect, it } from "vitest";
import { annotations } from "../../../src/core/annotations.ts";
import { applies } from "../../support/e2e/applies.ts";
import { requestCount, requestsOf, writeLines } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { annotate, apply, azureCluster, settled } from "../../support/e2e/objects.ts";
import { hurry, idle } from "../../support/e2e/queue.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { allQuiet } from "../../support/e2e/sentinel.ts";
import { type TurnLine, turnsOf } from "../../support/e2e/turns.ts";
import { watcherNumbers } from "../../support/e2e/watcherNumbers.ts";

const place: Place = { namespace: "calm", name: "calm" };
const group = "calm-calm";

interface Before {
  readonly requests: number;
  readonly applies: number;
  readonly turns: number;
  readonly resourceVersion: string;
}

/** A settled cluster and what may happen to it without any write. */
export const settledScenarios = (scene: () => Scene): void => {
  describe("a settled cluster", () => {
    beforeAll(async () => {
      await apply(scene(), everything(place));
      await settled(scene(), place);
      await allQuiet(scene(), "settled");
    });

    const look = async (): Promise<Before> => ({
      requests: await requestCount(scene()),
      applies: await applies(scene()),
      turns: (await turnsOf(scene(), place)).length,
      resourceVersion: (await azureCluster(scene(), place)).metadata.resourceVersion,
    });
    const turnsSince = async ({ turns }: Before): Promise<readonly TurnLine[]> =>
      (await turnsOf(scene(), place)).slice(turns);
    const expectNothingWritten = async (before: Before): Promise<void> => {
      expect(await writeLines(scene(), group, before.requests)).toEqual([]);
      expect((await azureCluster(scene(), place)).metadata.resourceVersion).toBe(before.resourceVersion);
      expect(await applies(scene())).toBe(before.applies);
    };

    it("stays as it is when somebody touches a label", async () => {
      await scene().stack.kubectl(["label", "-n", place.namespace, "azurecluster", place.name, "touched=yes"]);
      const before = await look();
      await allQuiet(scene(), "label");
      await expectNothingWritten(before);
      expect(await requestsOf(scene(), group, before.requests)).toEqual([]);
    });

    it("stays as it is when somebody asks for a second reconcile", async () => {
      const { turns } = await look();
      await annotate(scene(), "azurecluster", place, `${annotations.retry}=please`);
      const before = { ...(await look()), turns };
      await allQuiet(scene(), "retry");
      expect(await turnsSince(before)).toContainEqual(
        expect.objectContaining({ cause: "change", result: "settled", wrote: 0 }),
      );
      await expectNothingWritten(before);
    });

    it("stays as it is through the hourly listing and a resync", async () => {
      const before = await look();
      const { functions } = scene().stack;
      expect((await functions.current().invokeAdmin("resync")).status).toBe(202);
      await eventually("the listing is spread over the hour", async () => (await hurry(scene(), "resync")) > 0);
      const listed = await eventually("the listed object has its turn", async () =>
        (await turnsSince(before)).find(({ cause }) => cause === "resync"),
      );
      expect(listed).toMatchObject({ message: "turn finished", result: "settled", wrote: 0 });
      expect((await functions.current().invokeAdmin("resync")).status).toBe(202);
      await idle(scene());
      await expectNothingWritten(before);
      expect(await requestsOf(scene(), group, before.requests)).toEqual([]);
    });

    it("stays as it is when the watcher starts again and announces everything", async () => {
      const before = await look();
      await scene().stack.watcher?.restart();
      const sent = await eventually("everything is announced again", async () => {
        const numbers = await watcherNumbers(scene());
        const isDone =
          numbers.get("ready") === 1 && numbers.get("unannounced") === 0 && numbers.get("outbox_size") === 0;
        return isDone && numbers.get('doorbells_total{result="sent"}');
      });
      expect(sent).toBeGreaterThanOrEqual(2);
      await allQuiet(scene(), "restart");
      // The queue knows the ids of these doorbells still, or else the turn sees that they bring no news.
      expect((await turnsSince(before)).filter(({ message }) => message === "turn finished")).toEqual([]);
      await expectNothingWritten(before);
      expect(await requestsOf(scene(), group, before.requests)).toEqual([]);
    });
  });
};
