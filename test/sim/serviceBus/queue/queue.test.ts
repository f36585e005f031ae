import { describe, expect, it } from "vitest";
import { aQueue } from "./aQueue.ts";

const message = (body: string, more: { id?: string; scheduledForMs?: number; timeToLiveMs?: number } = {}) => ({
  id: `id of ${body}`,
  body,
  ...more,
});

describe("delivery", () => {
  it("goes in order of acceptance, one receiver at a time", () => {
    const { queue } = aQueue();
    expect(queue.send(0, [message("a"), message("b")])).toEqual([1, 2]);
    expect(queue.receive(0)?.message.body).toBe("a");
    expect(queue.receive(0)?.message.body).toBe("b");
    expect(queue.receive(0)).toBeUndefined();
  });

  it("gives an abandoned message back to its old place, with the failure counted", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a"), message("b")]);
    const first = queue.receive(0)!;
    expect(queue.abandon(1, first.lockToken)).toBe("settled");
    expect(queue.receive(1)?.message).toMatchObject({ body: "a", deliveryCount: 1, sequenceNumber: 1 });
  });

  it("keeps what the receiver changed while abandoning", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a")]);
    queue.abandon(0, queue.receive(0)!.lockToken, "changed");
    expect(queue.receive(0)?.message.body).toBe("changed");
  });

  it("takes a message out for good in receive-and-delete", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a")]);
    expect(queue.receiveAndDelete(0)?.body).toBe("a");
    expect(queue.receiveAndDelete(0)).toBeUndefined();
    expect(queue.counts(0)).toEqual({ active: 0, locked: 0, scheduled: 0, deadLetter: 0 });
  });
});

describe("locks", () => {
  it.each([
    { when: "just before its end", atMs: 59_999, outcome: "settled" },
    { when: "at its end", atMs: 60_000, outcome: "lockLost" },
  ] as const)("a lock settles $when: $outcome", ({ atMs, outcome }) => {
    for (const settle of ["complete", "abandon", "deadLetter"] as const) {
      const { queue } = aQueue();
      queue.send(0, [message("a")]);
      const { lockToken } = queue.receive(0)!;
      expect(settle === "deadLetter" ? queue.deadLetter(atMs, lockToken, {}) : queue[settle](atMs, lockToken)).toBe(
        outcome,
      );
    }
  });

  it("settle once only", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a")]);
    const { lockToken } = queue.receive(0)!;
    expect(queue.complete(0, lockToken)).toBe("settled");
    expect(queue.complete(0, lockToken)).toBe("lockLost");
    expect(queue.renew(0, lockToken)).toBeUndefined();
  });

  it("end in a counted redelivery under another token", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a")]);
    const first = queue.receive(0)!;
    expect(queue.nextDueMs()).toBe(60_000);
    expect(queue.receive(59_999)).toBeUndefined();
    const second = queue.receive(60_000)!;
    expect(second.message.deliveryCount).toBe(1);
    expect(second.lockToken).not.toBe(first.lockToken);
    expect(queue.complete(60_000, first.lockToken)).toBe("lockLost");
    expect(queue.complete(60_000, second.lockToken)).toBe("settled");
  });

  it("last as long as they are renewed", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a"), message("b")]);
    const [a, b] = [queue.receive(0)!, queue.receive(0)!];
    expect(queue.renew(50_000, a.lockToken)).toBe(110_000);
    expect(queue.complete(100_000, b.lockToken)).toBe("lockLost");
    expect(queue.complete(100_000, a.lockToken)).toBe("settled");
  });
});

describe("scheduled messages", () => {
  it("are delivered when due, in order of their time, under a new number", () => {
    const { queue } = aQueue();
    queue.send(0, [message("later", { scheduledForMs: 200 }), message("sooner", { scheduledForMs: 100 })]);
    expect(queue.counts(0)).toMatchObject({ active: 0, scheduled: 2 });
    expect(queue.receive(99)).toBeUndefined();
    expect(queue.nextDueMs()).toBe(100);
    queue.expire(1000);
    expect(queue.counts(1000)).toMatchObject({ active: 2, scheduled: 0 });
    expect(queue.receive(1000)?.message).toMatchObject({
      body: "sooner",
      sequenceNumber: 3,
      enqueuedSequenceNumber: 2,
    });
    expect(queue.receive(1000)?.message).toMatchObject({ body: "later", sequenceNumber: 4, enqueuedSequenceNumber: 1 });
  });

  it("are active at once when their time has passed", () => {
    const { queue } = aQueue();
    queue.send(500, [message("a", { scheduledForMs: 500 })]);
    expect(queue.receive(500)?.message.sequenceNumber).toBe(1);
  });

  it("can be taken back until they are due, all or none", () => {
    const { queue } = aQueue();
    const [a, b] = queue.send(0, [message("a", { scheduledForMs: 100 }), message("b", { scheduledForMs: 100 })]);
    expect(queue.cancel(0, [a!, 99])).toEqual({ missing: 99 });
    expect(queue.cancel(0, [a!])).toEqual({});
    expect(queue.cancel(100, [b!])).toEqual({ missing: b });
    expect(queue.receive(100)?.message.body).toBe("b");
    expect(queue.receive(100)).toBeUndefined();
  });
});

describe("duplicate detection", () => {
  const once = (body: string) => message(body, { id: "same" });

  it("drops what has the id of a message accepted within the window, also in one batch and after completion", () => {
    const { queue } = aQueue({ duplicateDetectionSeconds: 10 });
    expect(queue.send(0, [once("a"), once("b")])).toEqual([1, 0]);
    queue.complete(0, queue.receive(0)!.lockToken);
    expect(queue.send(9_999, [once("c")])).toEqual([0]);
    expect(queue.send(10_000, [once("d")])).toEqual([2]);
  });

  it("counts the window from the accepted message, not from its duplicates", () => {
    const { queue } = aQueue({ duplicateDetectionSeconds: 10 });
    queue.send(0, [once("a")]);
    queue.send(8_000, [once("b")]);
    expect(queue.send(10_000, [once("c")])).toEqual([2]);
  });

  it("covers scheduled messages, cancelled ones too", () => {
    const { queue } = aQueue({ duplicateDetectionSeconds: 10 });
    const [scheduled] = queue.send(0, [{ ...once("a"), scheduledForMs: 5_000 }]);
    expect(queue.send(0, [{ ...once("b"), scheduledForMs: 6_000 }])).toEqual([0]);
    queue.cancel(0, [scheduled!]);
    expect(queue.send(1, [once("c")])).toEqual([0]);
  });

  it("is off unless asked for", () => {
    const { queue } = aQueue();
    expect(queue.send(0, [once("a"), once("b")])).toEqual([1, 2]);
  });
});

describe("the dead-letter sub-queue", () => {
  it("takes a message after its last delivery, by abandoning or by lost lock", () => {
    const { queue } = aQueue({ maxDeliveryCount: 2 });
    queue.send(0, [message("a")]);
    queue.abandon(0, queue.receive(0)!.lockToken);
    queue.receive(0);
    expect(queue.counts(60_000)).toMatchObject({ active: 0, deadLetter: 1 });
    expect(queue.receive(60_000, "deadLetter")?.message).toMatchObject({
      body: "a",
      deliveryCount: 2,
      deadLetter: { reason: "MaxDeliveryCountExceeded" },
    });
  });

  it("keeps the reason, and has no last delivery itself", () => {
    const { queue } = aQueue({ maxDeliveryCount: 1 });
    queue.send(0, [message("a")]);
    queue.deadLetter(0, queue.receive(0)!.lockToken, { reason: "R", description: "D" }, "changed");
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(queue.abandon(0, queue.receive(0, "deadLetter")!.lockToken)).toBe("settled");
    const again = queue.receive(0, "deadLetter")!;
    expect(again.message).toMatchObject({
      body: "changed",
      deliveryCount: 3,
      deadLetter: { reason: "R", description: "D" },
    });
    expect(queue.deadLetter(0, again.lockToken, {})).toBe("notAllowed");
    expect(queue.complete(0, again.lockToken)).toBe("settled");
    expect(queue.counts(0).deadLetter).toBe(0);
  });
});

describe("time to live", () => {
  it.each([
    { deadLetterExpired: false, deadLetter: 0 },
    { deadLetterExpired: true, deadLetter: 1 },
  ])(
    "passes: dead-lettered $deadLetter with deadLetterExpired $deadLetterExpired",
    ({ deadLetterExpired, deadLetter }) => {
      const { queue } = aQueue({ deadLetterExpired });
      queue.send(0, [message("a", { timeToLiveMs: 100 })]);
      expect(queue.counts(99)).toMatchObject({ active: 1 });
      expect(queue.nextDueMs()).toBe(100);
      expect(queue.counts(100)).toMatchObject({ active: 0, deadLetter });
    },
  );

  it("does not take a message from its receiver, but does not give it to another", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a", { timeToLiveMs: 100 }), message("b", { timeToLiveMs: 100 })]);
    const [a, b] = [queue.receive(0)!, queue.receive(0)!];
    expect(queue.complete(200, a.lockToken)).toBe("settled");
    expect(queue.abandon(200, b.lockToken)).toBe("settled");
    expect(queue.counts(200)).toMatchObject({ active: 0, deadLetter: 0 });
  });

  it("of a scheduled message begins when it is due", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a", { scheduledForMs: 1_000, timeToLiveMs: 100 })]);
    expect(queue.counts(1_099)).toMatchObject({ active: 1 });
    expect(queue.counts(1_100)).toMatchObject({ active: 0 });
  });
});

describe("peek", () => {
  it("shows all states from a number on, without locking", () => {
    const { queue } = aQueue();
    queue.send(0, [message("a"), message("b", { scheduledForMs: 100 }), message("c")]);
    queue.receive(0);
    expect(queue.peek(0, 0, 10).map(({ body }) => body)).toEqual(["a", "b", "c"]);
    expect(queue.peek(0, 2, 1).map(({ body }) => body)).toEqual(["b"]);
    expect(queue.counts(0)).toEqual({ active: 2, locked: 1, scheduled: 1, deadLetter: 0 });
  });
});
