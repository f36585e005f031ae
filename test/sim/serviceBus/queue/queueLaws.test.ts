import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Queue } from "../../../../src/sim/serviceBus/queue/queue.ts";
import { aQueue } from "./aQueue.ts";

const lockMs = 1000;
const windowMs = 3000;
const maxDeliveryCount = 3;
const options = { lockSeconds: lockMs / 1000, duplicateDetectionSeconds: windowMs / 1000, maxDeliveryCount };

type Step =
  | { readonly kind: "send"; readonly ids: readonly number[]; readonly delayMs: number }
  | { readonly kind: "receive" | "receiveDead" | "receiveAndDelete" }
  | { readonly kind: "complete" | "abandon" | "deadLetter" | "renew"; readonly which: number }
  | { readonly kind: "cancel"; readonly which: number }
  | { readonly kind: "wait"; readonly ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant("send" as const),
    ids: fc.array(fc.nat(12), { minLength: 1, maxLength: 3 }),
    delayMs: fc.constantFrom(0, 0, 200, 1500),
  }),
  fc.record({
    kind: fc.constantFrom("receive" as const, "receive" as const, "receiveDead" as const, "receiveAndDelete" as const),
  }),
  fc.record({
    kind: fc.constantFrom("complete" as const, "abandon" as const, "deadLetter" as const, "renew" as const),
    which: fc.nat(5),
  }),
  fc.record({ kind: fc.constant("cancel" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 1600 }) }),
);
const steps = fc.array(step, { maxLength: 60 });

/** What a user of the queue can know: what was accepted, is held, failed and went away. */
interface Ledger {
  nowMs: number;
  readonly acceptedAtMs: Map<string, number>;
  /** Accepted bodies that nobody took out, with their failed deliveries. */
  readonly alive: Map<string, { failures: number; dueMs: number; dead: boolean }>;
  readonly held: { readonly body: string; readonly token: string; untilMs: number }[];
  readonly scheduled: number[];
  bodies: number;
}

const failed = (ledger: Ledger, body: string): void => {
  const message = ledger.alive.get(body)!;
  message.failures += 1;
  if (message.failures >= maxDeliveryCount) message.dead = true;
};

const pass = (ledger: Ledger, ms: number): void => {
  ledger.nowMs += ms;
  for (const hold of ledger.held.filter(({ untilMs }) => untilMs <= ledger.nowMs)) {
    ledger.held.splice(ledger.held.indexOf(hold), 1);
    failed(ledger, hold.body);
  }
};

const send = (queue: Queue<string>, ledger: Ledger, ids: readonly number[], delayMs: number): void => {
  const messages = ids.map((id) => {
    ledger.bodies += 1;
    const dueMs = ledger.nowMs + delayMs;
    return { id: String(id), body: `body ${ledger.bodies}`, ...(delayMs > 0 && { scheduledForMs: dueMs }) };
  });
  const numbers = queue.send(ledger.nowMs, messages);
  for (const [index, { id, body }] of messages.entries()) {
    const before = ledger.acceptedAtMs.get(id);
    const isDuplicate = before !== undefined && ledger.nowMs - before < windowMs;
    expect(numbers[index] === 0, `duplicate ${id}`).toBe(isDuplicate);
    if (isDuplicate) continue;
    ledger.acceptedAtMs.set(id, ledger.nowMs);
    ledger.alive.set(body, { failures: 0, dueMs: ledger.nowMs + delayMs, dead: false });
    if (delayMs > 0) ledger.scheduled.push(numbers[index]!);
  }
};

const receive = (queue: Queue<string>, ledger: Ledger, dead: boolean): void => {
  const delivery = queue.receive(ledger.nowMs, dead ? "deadLetter" : "main");
  const free = [...ledger.alive].filter(
    ([body, message]) =>
      message.dead === dead && message.dueMs <= ledger.nowMs && !ledger.held.some((hold) => hold.body === body),
  );
  expect(delivery !== undefined, "something is delivered exactly when something is free").toBe(free.length > 0);
  if (!delivery) return;
  const { message, lockToken, lockedUntilMs } = delivery;
  expect(free.map(([body]) => body)).toContain(message.body);
  expect(message.deliveryCount).toBe(ledger.alive.get(message.body)?.failures);
  expect(lockedUntilMs).toBe(ledger.nowMs + lockMs);
  ledger.held.push({ body: message.body, token: lockToken, untilMs: lockedUntilMs });
};

const settle = (
  queue: Queue<string>,
  ledger: Ledger,
  kind: "complete" | "abandon" | "deadLetter" | "renew",
  which: number,
): void => {
  const hold = ledger.held[which];
  if (!hold) return;
  const message = ledger.alive.get(hold.body)!;
  if (kind === "renew") {
    hold.untilMs = ledger.nowMs + lockMs;
    expect(queue.renew(ledger.nowMs, hold.token)).toBe(hold.untilMs);
    return;
  }
  if (kind === "deadLetter" && message.dead) {
    expect(queue.deadLetter(ledger.nowMs, hold.token, {})).toBe("notAllowed");
    return;
  }
  expect(
    kind === "deadLetter" ? queue.deadLetter(ledger.nowMs, hold.token, {}) : queue[kind](ledger.nowMs, hold.token),
  ).toBe("settled");
  ledger.held.splice(which, 1);
  if (kind === "complete") ledger.alive.delete(hold.body);
  else if (kind === "deadLetter") message.dead = true;
  else if (message.dead) message.failures += 1;
  else failed(ledger, hold.body);
};

const cancel = (queue: Queue<string>, ledger: Ledger, which: number): void => {
  const number = ledger.scheduled[which];
  if (number === undefined) return;
  const [before] = queue.peek(ledger.nowMs, number, 1);
  const isThere = before?.sequenceNumber === number && before.scheduledForMs !== undefined;
  expect(queue.cancel(ledger.nowMs, [number])).toEqual(isThere ? {} : { missing: number });
  if (isThere) ledger.alive.delete(before.body);
};

const take = (queue: Queue<string>, ledger: Ledger): void => {
  const message = queue.receiveAndDelete(ledger.nowMs);
  if (!message) return;
  expect(ledger.held.map(({ body }) => body)).not.toContain(message.body);
  expect(ledger.alive.delete(message.body)).toBe(true);
};

const walk = (queue: Queue<string>, ledger: Ledger, one: Step): void => {
  if (one.kind === "send") send(queue, ledger, one.ids, one.delayMs);
  else if (one.kind === "receive") receive(queue, ledger, false);
  else if (one.kind === "receiveDead") receive(queue, ledger, true);
  else if (one.kind === "receiveAndDelete") take(queue, ledger);
  else if (one.kind === "cancel") cancel(queue, ledger, one.which);
  else if (one.kind === "wait") pass(ledger, one.ms);
  else if ("which" in one) settle(queue, ledger, one.kind, one.which);
};

const walkAll = (all: readonly Step[]) => {
  const subject = aQueue(options);
  const ledger: Ledger = {
    nowMs: 1_000_000,
    acceptedAtMs: new Map(),
    alive: new Map(),
    held: [],
    scheduled: [],
    bodies: 0,
  };
  for (const one of all) walk(subject.queue, ledger, one);
  return { ...subject, ledger };
};

const contents = (queue: Queue<string>, nowMs: number) => ({
  main: queue.peek(nowMs, 0, 1000),
  deadLetter: queue.peek(nowMs, 0, 1000, "deadLetter"),
});

describe("laws of a queue, over random walks", () => {
  it("neither loses nor doubles an accepted message, and counts its failed deliveries", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { queue, ledger } = walkAll(all);
        const { main, deadLetter } = contents(queue, ledger.nowMs);
        const seen = [
          ...main.map((message) => ({ message, dead: false })),
          ...deadLetter.map((message) => ({ message, dead: true })),
        ];
        expect(seen.map(({ message }) => message.body).sort()).toEqual([...ledger.alive.keys()].sort());
        for (const { message, dead } of seen)
          expect({ failures: message.deliveryCount, dead }).toEqual({
            failures: ledger.alive.get(message.body)!.failures,
            dead: ledger.alive.get(message.body)!.dead,
          });
        // Locked ones are a part of the active ones, so what is held of the dead letters is not among them.
        const held = ledger.held.filter(({ body }) => !ledger.alive.get(body)!.dead).length;
        const { active, scheduled, locked } = queue.counts(ledger.nowMs);
        expect({ all: active + scheduled, locked }).toEqual({ all: main.length, locked: held });
      }),
      { numRuns: 500 },
    );
  });

  it("is rebuilt by its changes and by its snapshot, with its duplicate history", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { queue, changes, ledger } = walkAll(all);
        // Locks are not durable: the copies are compared with what is there when no lock holds any more.
        queue.expire(ledger.nowMs);
        for (const source of [changes, [...queue.snapshot()]]) {
          const { queue: copy } = aQueue(options);
          for (const change of source) copy.replay(change);
          expect(contents(copy, ledger.nowMs)).toEqual(contents(queue, ledger.nowMs));
          for (const [id, atMs] of ledger.acceptedAtMs)
            expect(copy.send(ledger.nowMs, [{ id, body: "again" }])[0] === 0).toBe(ledger.nowMs - atMs < windowMs);
          expect(new Set(contents(copy, ledger.nowMs).main.map((message) => message.sequenceNumber)).size).toBe(
            contents(copy, ledger.nowMs).main.length,
          );
        }
      }),
      { numRuns: 300 },
    );
  });

  it("delivers scheduled messages in order of their times, whenever it is looked after", () => {
    const times = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(times, fc.array(fc.nat(1000)), (dueMs, looks) => {
        const { queue } = aQueue();
        queue.send(
          0,
          dueMs.map((scheduledForMs, at) => ({ id: String(at), body: String(scheduledForMs), scheduledForMs })),
        );
        const got: number[] = [];
        for (const nowMs of [...looks.toSorted((a, b) => a - b), 1000])
          for (let next = queue.receiveAndDelete(nowMs); next; next = queue.receiveAndDelete(nowMs)) {
            expect(Number(next.body)).toBeLessThanOrEqual(nowMs);
            got.push(Number(next.body));
          }
        expect(got).toEqual(dueMs.toSorted((a, b) => a - b));
      }),
    );
  });

  it("says when it has to be looked after next: never later than something happens", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { queue, changes, ledger } = walkAll(all);
        queue.expire(ledger.nowMs);
        const before = changes.length;
        queue.expire((queue.nextDueMs() ?? ledger.nowMs + 1_000_000) - 1);
        expect(changes.length).toBe(before);
      }),
    );
  });
});
