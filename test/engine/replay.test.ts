import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/types.ts";
import { handle } from "../../src/engine/handle.ts";
import { type HeldMessage, type Parked, replay } from "../../src/engine/replay.ts";
import { clusterUid, createWorld, type World } from "../support/world.ts";

const item = {
  v: 1,
  cluster: clusterUid,
  kind: "AzureCluster",
  namespace: "default",
  name: "c1",
  uid: "u",
  generation: 1,
  inputs: "",
  paused: false,
  deleting: false,
  attempt: 0,
  nonce: "n",
  cause: "change",
  sentAt: "2026-01-01T00:00:00Z",
};

/** The failed queue of a world as the replay sees it. */
const parkedIn = ({ queue, clock }: World): Parked => {
  const seen = (body: Json, messageId: string) => ({ messageId, body, reason: "" });
  return {
    peek: (_, most) =>
      Promise.resolve({
        ok: true,
        value: queue.failed.peek(clock.nowMs(), 0, most).map(({ body, id }) => seen(body, id)),
      }),
    receive: () => {
      const held: HeldMessage[] = [];
      for (
        let next = queue.failed.receive(clock.nowMs());
        next !== undefined;
        next = queue.failed.receive(clock.nowMs())
      ) {
        const { message, lockToken } = next;
        held.push({
          ...seen(message.body, message.id),
          complete: async () => void queue.failed.complete(clock.nowMs(), lockToken),
          abandon: async () => void queue.failed.abandon(clock.nowMs(), lockToken),
        });
      }
      return Promise.resolve({ ok: true, value: held });
    },
  };
};

const failedQueue = { kind: "queue", queue: "failed", most: 10 } as const;

describe("replay of the failed queue", () => {
  it("looks first and takes nothing; then enqueues the object and takes the message away", async () => {
    const world = createWorld();
    await handle({ body: { ...item, cluster: "elsewhere" }, messageId: "m1" }, world.deps);
    const parked = parkedIn(world);
    const object = "AzureCluster default/c1";
    expect(await replay(failedQueue, { requestId: "r1", dryRun: true }, parked, world.deps)).toEqual({
      ok: true,
      value: [{ object, reason: "UnknownCluster", action: "wouldEnqueue" }],
    });
    expect(world.queue.reconcile.counts(world.clock.nowMs()).active).toBe(0);
    expect(await replay(failedQueue, { requestId: "r2", dryRun: false }, parked, world.deps)).toMatchObject({
      value: [{ object, action: "enqueued" }],
    });
    expect(world.queue.reconcile.counts(world.clock.nowMs()).active).toBe(1);
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
  });

  it("reads what an older release could not read and parked as text", async () => {
    const world = createWorld();
    const body = { item: JSON.stringify(item), reason: "MessageFromTheFuture", message: "" };
    await world.deps.queue.send("reconcile-failed", [{ messageId: "m1", body }]);
    expect(await replay(failedQueue, { requestId: "r1", dryRun: false }, parkedIn(world), world.deps)).toMatchObject({
      value: [{ object: "AzureCluster default/c1", reason: "MessageFromTheFuture", action: "enqueued" }],
    });
  });

  it("leaves what names no object where it is", async () => {
    const world = createWorld();
    await handle({ body: "{ no json", messageId: "m1" }, world.deps);
    expect(await replay(failedQueue, { requestId: "r1", dryRun: false }, parkedIn(world), world.deps)).toMatchObject({
      value: [{ action: "unreadable" }],
    });
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(1);
  });
});

describe("a message whose names cannot be names of an object", () => {
  it.each(["../../../api/v1/secrets", "a#?\\/b", "a\0b", "\ud800", "x".repeat(300), "Upper"])(
    "%j is parked",
    async (name) => {
      const world = createWorld();
      await handle({ body: { ...item, name }, messageId: "m1" }, world.deps);
      expect(world.queue.failed.peek(world.clock.nowMs(), 0, 1)).toMatchObject([
        { body: { reason: "UnreadableMessage" } },
      ]);
      expect(world.queue.reconcile.counts(world.clock.nowMs()).scheduled).toBe(0);
    },
  );
});
