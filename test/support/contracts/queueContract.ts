import { afterEach, describe, expect, it } from "vitest";
import type { Json } from "../../../src/core/types.ts";
import type { WorkQueue } from "../../../src/ports.ts";
import { must } from "./must.ts";

export interface Received {
  readonly messageId: string;
  readonly body: Json;
}

/** A queue with a way to look behind it. */
export interface QueueWorld {
  readonly queue: WorkQueue;
  /** Takes and completes all messages that are there now, oldest first. */
  readonly take: (queue: "reconcile" | "reconcile-failed") => Promise<readonly Received[]>;
  /** Lets so much time pass. */
  readonly pass: (ms: number) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * What every form of the work queue has to do.
 * @param make empty queues `reconcile` and `reconcile-failed` that know message ids for ten minutes
 */
export const queueContract = (make: () => Promise<QueueWorld>): void => {
  const worlds: QueueWorld[] = [];
  const world = async (): Promise<QueueWorld> => {
    const made = await make();
    worlds.push(made);
    return made;
  };
  afterEach(async () => {
    await Promise.all(worlds.splice(0).map((made) => made.stop()));
  });
  const messages = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ messageId: `m${from + index}`, body: { n: from + index } }));

  describe("queue contract", () => {
    it("delivers what was sent, with its id, in order", async () => {
      const { queue, take } = await world();
      const body = { text: "ä😀", list: [1, null, true], nested: { a: 0.5 } };
      must(await queue.send("reconcile", [{ messageId: "one", body }]));
      must(await queue.send("reconcile", messages(3)));
      expect(await take("reconcile")).toEqual([{ messageId: "one", body }, ...messages(3)]);
      expect(await take("reconcile")).toEqual([]);
    });

    it("keeps the queues apart", async () => {
      const { queue, take } = await world();
      must(await queue.send("reconcile-failed", messages(1)));
      expect(await take("reconcile")).toEqual([]);
      expect(await take("reconcile-failed")).toEqual(messages(1));
    });

    it("takes the same id once, even after the message is gone", async () => {
      const { queue, take } = await world();
      must(await queue.send("reconcile", messages(2)));
      must(await queue.send("reconcile", messages(3)));
      expect(await take("reconcile")).toEqual(messages(3));
      must(await queue.send("reconcile", messages(3)));
      expect(await take("reconcile")).toEqual([]);
    });

    it("holds a delayed message back, and no other", async () => {
      const { queue, take, pass } = await world();
      const [late, soon] = messages(2);
      if (late === undefined || soon === undefined) throw new Error("two messages");
      must(
        await queue.send("reconcile", [
          { ...late, delayMs: 1_500 },
          { ...soon, delayMs: 0 },
        ]),
      );
      expect(await take("reconcile")).toEqual([soon]);
      await pass(2_000);
      expect(await take("reconcile")).toEqual([late]);
    });

    it("does nothing when asked for nothing", async () => {
      const { queue, take } = await world();
      must(await queue.send("reconcile", []));
      expect(await take("reconcile")).toEqual([]);
    });

    it("takes more than one batch holds", async () => {
      const { queue, take } = await world();
      const body = { text: "x".repeat(60_000) };
      const many = messages(12).map(({ messageId }) => ({ messageId, body }));
      must(await queue.send("reconcile", many));
      expect((await take("reconcile")).map(({ messageId }) => messageId)).toEqual(
        many.map(({ messageId }) => messageId),
      );
    });
  });
};
