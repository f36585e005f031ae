import { setImmediate as tick } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Result } from "../../src/core/types.ts";
import { parseWorkItem, type WorkItem } from "../../src/core/workItem.ts";
import type { QueueMessage } from "../../src/ports.ts";
import type { Ring } from "../../src/watcher/changes.ts";
import { type OutboxLimits, outbox, outboxLimits } from "../../src/watcher/outbox.ts";

const ring = (name: string, generation: number, cause: Ring["cause"] = "change"): Ring => ({
  cause,
  key: { kind: "AzureCluster", namespace: "ns", name },
  news: { uid: name, generation, inputs: "i", paused: false, deleting: false },
  versions: [`${name}@${generation}`],
});
const refusal: Result<void> = { ok: false, error: { kind: "transient", code: "Down", message: "" } };
const done: Result<void> = { ok: true, value: undefined };

interface Send {
  readonly messages: readonly QueueMessage[];
  readonly items: readonly WorkItem[];
  answer(result: Result<void>): void;
}
/** An outbox before a broker that answers when the test says so, on a clock that moves when the test says so. */
const start = (limits: Partial<OutboxLimits> = {}, rest: Ring[] = []) => {
  const sends: Send[] = [];
  let nowMs = 0;
  let sleepers: { readonly atMs: number; readonly wake: () => void }[] = [];
  const logged: string[] = [];
  const box = outbox({
    cluster: "c",
    queue: {
      send: (_queue, messages) =>
        new Promise((answer) => {
          const items = messages.map(({ body }) => {
            const parsed = parseWorkItem(body);
            if (!parsed.ok) throw new Error(parsed.error.message);
            return parsed.value;
          });
          sends.push({ messages, items, answer });
        }),
    },
    clock: {
      monotonicMs: () => nowMs,
      sleep: (ms) => new Promise((wake) => sleepers.push({ atMs: nowMs + ms, wake })),
    },
    nowMs: () => 0,
    random: () => 0.5,
    log: (_level, message) => logged.push(message),
    limits: { ...outboxLimits, ...limits },
    more: (atMost) => rest.splice(0, atMost),
  });
  const pass = async (ms: number): Promise<void> => {
    nowMs += ms;
    for (const { wake } of sleepers.filter(({ atMs }) => atMs <= nowMs)) wake();
    sleepers = sleepers.filter(({ atMs }) => atMs > nowMs);
    await tick();
    await tick();
  };
  const told = (): readonly string[] =>
    sends.map(({ items }) => items.map(({ name, generation }) => `${name}${generation}`).join(" "));
  return { box, sends, pass, told, logged };
};

describe("the outbox", () => {
  it("sends what comes together in batches, so many at once", async () => {
    const { box, sends, pass, told } = start({ batchSize: 2, sendsAtOnce: 2 });
    box.put([ring("a", 1), ring("b", 1)]);
    box.put([ring("c", 1), ring("d", 1), ring("e", 1)]);
    await pass(0);
    expect(told()).toEqual(["a1 b1", "c1 d1"]);
    sends[0]?.answer(done);
    await pass(0);
    expect(told()).toEqual(["a1 b1", "c1 d1", "e1"]);
    expect(box.status()).toMatchObject({ size: 3, sent: 2, failed: 0 });
  });
  it("asks for more as long as it has room", async () => {
    const rest = ["a", "b", "c", "d", "e", "f"].map((name) => ring(name, 1));
    const { box, sends, pass, told } = start({ batchSize: 2, sendsAtOnce: 2 }, rest);
    box.wake();
    await pass(0);
    expect(told()).toEqual(["a1 b1", "c1 d1"]);
    box.put([ring("x", 1)]);
    const drained = box.drain(1_000);
    for (let at = 0; at < sends.length; at += 1) {
      sends[at]?.answer(done);
      await pass(0);
    }
    expect(told().slice(2)).toEqual(["x1 e1", "f1"]);
    expect(await drained).toBe(0);
  });
  it("puts newer news in the place of unsent ones", async () => {
    const { box, pass, told } = start();
    box.put([ring("a", 1), ring("a", 2)]);
    await pass(0);
    expect(told()).toEqual(["a2"]);
  });
  it("keeps newer news when only the older ones are acknowledged", async () => {
    const { box, sends, pass, told } = start();
    box.put([ring("a", 1)]);
    await pass(0);
    box.put([ring("a", 2)]);
    await pass(5);
    expect(told()).toEqual(["a1", "a2"]);
    sends[0]?.answer(done);
    await pass(0);
    expect(box.status()).toMatchObject({ size: 1, oldestMs: 0 });
    sends[1]?.answer(done);
    await pass(0);
    expect(box.status().size).toBe(0);
  });
  it("does not send old news again when newer ones are on their way", async () => {
    const { box, sends, pass, told } = start();
    box.put([ring("a", 1)]);
    await pass(0);
    box.put([ring("a", 2)]);
    await pass(0);
    sends[0]?.answer(refusal);
    sends[1]?.answer(done);
    await pass(60_000);
    expect(told()).toEqual(["a1", "a2"]);
    expect(box.status().size).toBe(0);
  });
  it("lets a person's change stay one under a later dependency's", async () => {
    const { box, sends, pass } = start();
    box.put([ring("a", 1)]);
    box.put([ring("a", 1, "dependency")]);
    await pass(0);
    expect(sends[0]?.items).toMatchObject([{ cause: "change" }]);
  });
  it("tries again for ever, ever slower, one send at a time, under the same ids", async () => {
    const { box, sends, pass, logged } = start({ batchSize: 1, sendsAtOnce: 2 });
    box.put([ring("a", 1), ring("b", 1), ring("c", 1)]);
    await pass(0);
    for (const send of sends) send.answer(refusal);
    await pass(0);
    const ids = new Set<string>();
    for (let attempt = 0; attempt < 20; attempt += 1) {
      const sent = sends.length;
      await pass(outboxLimits.mostBackoffMs);
      expect(sends).toHaveLength(sent + 1);
      for (const { messageId } of sends.at(-1)?.messages ?? []) ids.add(messageId);
      sends.at(-1)?.answer(refusal);
      await pass(0);
    }
    expect(ids.size).toBe(3);
    expect(new Set(logged).size).toBe(1);
    await pass(outboxLimits.mostBackoffMs);
    for (let at = sends.length - 1; at < sends.length; at += 1) {
      sends[at]?.answer(done);
      await pass(0);
    }
    expect(box.status()).toMatchObject({ size: 0, sent: 3, failed: 22 });
  });
  it("gives up a send without an answer and repeats it", async () => {
    const { box, pass, told } = start();
    box.put([ring("a", 1)]);
    await pass(0);
    await pass(outboxLimits.sendMs);
    await pass(outboxLimits.mostBackoffMs);
    expect(told()).toEqual(["a1", "a1"]);
    expect(box.status().answeredMs).toBe(outboxLimits.sendMs);
  });
  it("drains, or tells what is left", async () => {
    const { box, sends, pass } = start({ batchSize: 1 });
    expect(await box.drain(0)).toBe(0);
    box.put([ring("a", 1), ring("b", 1)]);
    const drained = box.drain(1_000);
    await pass(0);
    sends[0]?.answer(done);
    await pass(0);
    await pass(1_000);
    expect(await drained).toBe(1);
    const rest = box.drain(1_000);
    sends[1]?.answer(done);
    expect(await rest).toBe(0);
  });
  it("sends nothing after its end", async () => {
    const { box, sends, pass } = start();
    box.close();
    box.put([ring("a", 1)]);
    await pass(0);
    expect(sends).toHaveLength(0);
  });
  it("ends, whatever the broker does, with the last news of every object acknowledged", async () => {
    const action = fc.oneof(
      fc.record({ kind: fc.constant("put" as const), name: fc.constantFrom("a", "b", "c") }),
      fc.record({ kind: fc.constant("answer" as const), which: fc.nat(9), ok: fc.boolean() }),
      fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(0, 100, 10_000, 40_000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { box, sends, pass } = start({ batchSize: 2, sendsAtOnce: 2 });
        const latest = new Map<string, number>();
        const acknowledged = new Map<string, number>();
        const open = new Set<Send>();
        let seenSends = 0;
        const answer = (send: Send, ok: boolean): void => {
          if (ok)
            for (const { name, generation } of send.items)
              acknowledged.set(name, Math.max(acknowledged.get(name) ?? 0, generation));
          open.delete(send);
          send.answer(ok ? done : refusal);
        };
        const look = (): void => {
          for (const send of sends.slice(seenSends)) open.add(send);
          seenSends = sends.length;
        };
        for (const one of actions) {
          look();
          if (one.kind === "put") {
            latest.set(one.name, (latest.get(one.name) ?? 0) + 1);
            box.put([ring(one.name, latest.get(one.name) ?? 0)]);
          } else if (one.kind === "answer") {
            const send = [...open].at(one.which % Math.max(1, open.size));
            if (send !== undefined) answer(send, one.ok);
          }
          await pass(one.kind === "pass" ? one.ms : 0);
          expect(box.status().size).toBeLessThanOrEqual(3);
        }
        for (let round = 0; round < 10; round += 1) {
          look();
          for (const send of open) answer(send, true);
          await pass(outboxLimits.sendMs);
        }
        expect(box.status().size).toBe(0);
        expect(acknowledged).toEqual(latest);
      }),
      { numRuns: 200 },
    );
  });
});
