import { beforeAll, describe, expect, it } from "vitest";
import { objectRow, partitionOf } from "../../../src/engine/ledger.ts";
import { must } from "../../support/contracts/must.ts";
import { requestCount, requestsOf, writeLines } from "../../support/e2e/azureLog.ts";
import { eventually } from "../../support/e2e/eventually.ts";
import { everything, type Place } from "../../support/e2e/manifests.ts";
import { apply, settled } from "../../support/e2e/objects.ts";
import { bodiesIn, deadLetterNext, doorbellOf, emptyFailed, givenUp, idle, send } from "../../support/e2e/queue.ts";
import type { Scene } from "../../support/e2e/scene.ts";
import { turnsOf } from "../../support/e2e/turns.ts";

const place: Place = { namespace: "again", name: "again" };
const group = "again-again";
const object = "AzureCluster again/again";

/** Messages that were given up, and the way back. */
export const replayScenarios = (scene: () => Scene): void => {
  describe("replay", () => {
    beforeAll(async () => {
      await apply(scene(), everything(place));
      await settled(scene(), place);
      await idle(scene());
    });

    const call = async (body: string, headers: Readonly<Record<string, string>>): Promise<[number, string]> => {
      const answer = await scene().stack.functions.current().fetch("/api/replay", { method: "POST", body, headers });
      return [answer.status, await answer.text()];
    };
    const turnCount = async (): Promise<number> => (await turnsOf(scene(), place)).length;
    const replayTurns = async (since: number): Promise<readonly unknown[]> =>
      (await turnsOf(scene(), place)).slice(since).filter(({ cause }) => cause === "replay");

    it("lets nobody in without the key", async () => {
      const [status] = await call(JSON.stringify({ queue: "failed" }), {});
      expect(status).toBe(401);
      expect((await call(JSON.stringify({ queue: "failed" }), { "x-functions-key": "guess" }))[0]).toBe(401);
    });

    it.each(["", "{", "[]", '{"queue":"all"}', '{"queue":"failed","object":{}}', '{"queue":"failed","most":0}'])(
      "answers %j with how it is used",
      async (body) => {
        const key = scene().stack.functions.current().masterKey;
        const [status, text] = await call(body, { "x-functions-key": key });
        expect([status, JSON.parse(text)]).toMatchObject([400, { code: "InvalidReplayRequest" }]);
        expect(text).toContain("dryRun");
      },
    );

    it("shows what nobody can read, and leaves it where it is", async () => {
      await send(scene(), "reconcile", ["no { json", { ...doorbellOf(scene(), place), v: 2 }, { v: 1, kind: 7 }]);
      await eventually("all are given up", async () => (await givenUp(scene())).failed === 3);
      const reasons = (await bodiesIn(scene(), "reconcile-failed")).map(
        (body) => (body as { readonly reason: string }).reason,
      );
      expect(reasons.toSorted((a, b) => a.localeCompare(b))).toEqual([
        "MessageFromTheFuture",
        "UnreadableMessage",
        "UnreadableMessage",
      ]);
      for (const dryRun of [true, false]) {
        const { status, body } = await scene().stack.replay({ queue: "failed", dryRun });
        expect(status).toBe(200);
        expect(body).toMatchObject({ dryRun, messages: Array.from({ length: 3 }, () => ({ action: "unreadable" })) });
        expect((await givenUp(scene())).failed).toBe(3);
      }
      await emptyFailed(scene());
    });

    it("looks again at what was parked, in a dry run first, and writes nothing for it", async () => {
      const parked = { item: doorbellOf(scene(), place), reason: "UnknownCluster", message: "was not registered then" };
      await send(scene(), "reconcile-failed", [parked]);
      const [turns, requests] = [await turnCount(), await requestCount(scene())];
      const messages = [{ object, reason: "UnknownCluster" }];

      expect(await scene().stack.replay({ queue: "failed" })).toMatchObject({
        status: 200,
        body: { dryRun: true, messages: messages.map((one) => ({ ...one, action: "wouldEnqueue" })) },
      });
      expect((await scene().stack.queueCounts("reconcile")).active).toBe(0);
      expect(await givenUp(scene())).toMatchObject({ failed: 1 });
      expect(await turnCount()).toBe(turns);

      expect(await scene().stack.replay({ queue: "failed", dryRun: false })).toMatchObject({
        status: 200,
        body: { dryRun: false, messages: messages.map((one) => ({ ...one, action: "enqueued" })) },
      });
      await eventually("the replay has its turn", async () => (await replayTurns(turns)).length > 0);
      expect(await replayTurns(turns)).toEqual([expect.objectContaining({ result: "settled", wrote: 0 })]);
      expect(await givenUp(scene())).toMatchObject({ failed: 0 });
      expect(await writeLines(scene(), group, requests)).toEqual([]);
      expect((await requestsOf(scene(), group, requests)).length).toBeGreaterThan(0);
    });

    it("looks again at what the broker gave up", async () => {
      const { functions } = scene().stack;
      await functions.stop();
      await send(scene(), "reconcile", [doorbellOf(scene(), place)]);
      await deadLetterNext(scene());
      await functions.start();
      const [turns, requests] = [await turnCount(), await requestCount(scene())];
      expect(await scene().stack.replay({ queue: "deadLetter" })).toMatchObject({
        body: {
          messages: [{ object, reason: expect.stringMatching(/^MaxDeliveryCountExceeded/), action: "wouldEnqueue" }],
        },
      });
      expect(await givenUp(scene())).toMatchObject({ deadLetter: 1 });
      expect(await scene().stack.replay({ queue: "deadLetter", dryRun: false })).toMatchObject({
        body: { messages: [{ object, action: "enqueued" }] },
      });
      await eventually("the replay has its turn", async () => (await replayTurns(turns)).length > 0);
      await idle(scene());
      expect(await givenUp(scene())).toEqual({ deadLetter: 0, failed: 0 });
      expect(await writeLines(scene(), group, requests)).toEqual([]);
    });

    it("waits for a row that a newer release had written, and goes on once it can be read", async () => {
      const newer: Place = { namespace: "newer", name: "newer" };
      const partition = partitionOf(scene().stack.cluster, { kind: "AzureCluster", ...newer });
      const { store } = scene();
      must(await store.commit("state", partition, [{ kind: "insert", row: objectRow, values: { v: 2, hue: "red" } }]));
      await apply(scene(), everything(newer));
      await eventually("its message waits", async () => (await scene().stack.queueCounts("reconcile")).scheduled > 0);
      expect(await givenUp(scene())).toEqual({ deadLetter: 0, failed: 0 });
      expect(must(await store.get("state", partition, objectRow))?.values).toEqual({ v: 2, hue: "red" });
      expect(await requestsOf(scene(), "newer-newer")).toEqual([]);

      must(await store.commit("state", partition, [{ kind: "delete", row: objectRow }]));
      const address = { cluster: scene().stack.cluster, kind: "AzureCluster", ...newer };
      expect((await scene().stack.replay({ object: address, dryRun: false })).status).toBe(200);
      await settled(scene(), newer);
      expect(await givenUp(scene())).toEqual({ deadLetter: 0, failed: 0 });
    });

    it.each([
      { of: { cluster: "elsewhere" }, code: "UnknownCluster" },
      { of: { kind: "AzureThing" }, code: "UnknownKind" },
    ])("refuses an object that nobody would handle: $code", async ({ of, code }) => {
      const address = { cluster: scene().stack.cluster, kind: "AzureCluster", ...place, ...of };
      expect(await scene().stack.replay({ object: address })).toMatchObject({ status: 400, body: { code } });
    });
  });
};
