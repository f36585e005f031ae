import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import { handle } from "../../src/engine/handle.ts";
import { settledCluster } from "../support/defaultCluster.ts";
import { doorbellOfC1 as item } from "../support/doorbellOfC1.ts";
import { lookAgain, ready, runBy } from "../support/turns.ts";
import { applyDefaultCluster, createWorld, type World } from "../support/world.ts";

const minute = 60_000;

const failedBodies = (world: World): readonly JsonObject[] =>
  world.queue.failed.peek(world.clock.nowMs(), 0, 100).map(({ body }) => body as JsonObject);
const waiting = (world: World) => world.queue.reconcile.counts(world.clock.nowMs());

/** A function app with a defect of ours in it; `where` names one of several. */
const defective = (world: World, where: () => "first" | "second" | undefined): Deps => {
  const first = (): never => {
    throw new TypeError(`cannot read ${world.clock.nowMs()} of undefined`);
  };
  const second = (): never => {
    throw new TypeError("is no function");
  };
  const kinds = new Map(
    [...world.deps.kinds].map(([name, kind]) => [
      name,
      {
        ...kind,
        read: (input: Parameters<typeof kind.read>[0]) => {
          const at = where();
          if (at === "first") return first();
          return at === "second" ? second() : kind.read(input);
        },
      },
    ]),
  );
  return { ...world.deps, kinds };
};

describe("a defect of ours", () => {
  it("is copied once per object and place, waits 5 min doubling to an hour, and shows until it is gone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    let where: "first" | "second" | undefined = "first";
    const deps = defective(world, () => where);
    await runBy(world, deps, 5 * minute - 1);
    expect(ready(world)).toMatchObject({ status: "False", reason: "ReconcileDefect" });
    expect(failedBodies(world)).toMatchObject([{ reason: "ReconcileDefect", item: { name: "c1" } }]);
    const startMs = world.clock.nowMs();
    const triesMs: number[] = [];
    const timed: Deps = {
      ...deps,
      log: (_, text) => void (text === "defect" && triesMs.push(world.clock.nowMs() - startMs)),
    };
    await runBy(world, timed, 4 * 60 * minute);
    const pauses = triesMs.map((ms, index) => Math.round((ms - (triesMs[index - 1] ?? 0)) / minute));
    expect(pauses.slice(1)).toEqual([10, 20, 40, 60, 60]);
    expect(failedBodies(world)).toHaveLength(1);
    // Another place, in the same row of failures.
    where = "second";
    await runBy(world, deps, 70 * minute);
    expect(failedBodies(world)).toHaveLength(2);
    expect(new Set(failedBodies(world).map((body) => body["stackHash"])).size).toBe(2);
    // It is gone, and comes back: nothing new is to be told.
    where = undefined;
    await runBy(world, deps, 70 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    where = "first";
    await lookAgain(world);
    expect(failedBodies(world)).toHaveLength(2);
  });

  it("that could not be copied is copied at its next failure", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const deps = defective(world, () => "first");
    let down = true;
    const send = world.deps.queue.send.bind(world.deps.queue);
    const choosy: Deps = {
      ...deps,
      queue: {
        send: (queue, messages) =>
          down && queue === "reconcile-failed"
            ? Promise.resolve({ ok: false, error: { kind: "transient", code: "NoAnswer", message: "" } })
            : send(queue, messages),
      },
    };
    await runBy(world, choosy, minute);
    expect(failedBodies(world)).toEqual([]);
    down = false;
    await runBy(world, choosy, 30 * minute);
    expect(failedBodies(world)).toHaveLength(1);
  });
});

describe("a message that nobody can read", () => {
  it.each([
    { body: "{ no json", reason: "UnreadableMessage" },
    { body: { v: 1 }, reason: "UnreadableMessage" },
    { body: { ...item, v: 2 }, reason: "MessageFromTheFuture" },
    { body: null, reason: "UnreadableMessage" },
  ])("$reason is copied and completed, once however often it comes", async ({ body, reason }) => {
    const world = createWorld();
    for (const _ of [1, 2]) await handle({ body, messageId: "m1" }, world.deps);
    expect(failedBodies(world)).toMatchObject([{ reason }]);
    expect(waiting(world)).toMatchObject({ active: 0, scheduled: 0 });
  });

  it("is delivered again only after its copy was tried for 30 s", async () => {
    const world = createWorld();
    world.faults.brokerDown = true;
    let ms = 0;
    const clock: Deps["clock"] = {
      monotonicMs: () => ms,
      sleep: (pauseMs) => {
        ms += pauseMs;
        return Promise.resolve();
      },
    };
    await expect(handle({ body: "{", messageId: "m1" }, { ...world.deps, clock })).rejects.toThrow(/delivered again/);
    expect(ms).toBe(30_000);
  });
});

describe("the broker does not take what a turn owes", () => {
  it("the message comes again, and sends it before anything else", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const waits = () => world.queue.reconcile.peek(world.clock.nowMs(), 0, 1_000);
    const [first] = waits();
    const down: Deps["queue"]["send"] = () =>
      Promise.resolve({ ok: false, error: { kind: "transient", code: "NoAnswer", message: "no broker" } });
    const sleep = (ms: number): Promise<void> => Promise.resolve(world.clock.advanceTo(world.clock.nowMs() + ms));
    await world.step({ ...world.deps, queue: { send: down }, clock: { ...world.deps.clock, sleep } });
    // Completed, its object would wait for nothing any more.
    expect(waits().find(({ id }) => id === first?.id)).toMatchObject({ deliveryCount: 1 });
    const sends: Json[] = [];
    const send: Deps["queue"]["send"] = (queue, messages) => {
      sends.push(...messages.map(({ body }) => body));
      return world.deps.queue.send(queue, messages);
    };
    await world.step({ ...world.deps, queue: { send } });
    expect(sends[0]).toMatchObject({ cause: "followUp", turn: 1 });
    await world.run(60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("the table does not answer", () => {
  const down = { kind: "down" } as const;

  it("a copy comes later, and the message is completed; a resync is dropped", async () => {
    const world = createWorld();
    world.faults.tables = () => down;
    await handle({ body: { ...item, cause: "resync" }, messageId: "r" }, world.deps);
    expect(waiting(world)).toMatchObject({ active: 0, scheduled: 0 });
    await handle({ body: item, messageId: "m" }, world.deps);
    expect(waiting(world)).toMatchObject({ active: 0, scheduled: 1 });
    expect(failedBodies(world)).toEqual([]);
  });

  it("to a process that has never heard its time: the copy comes in seconds, not in decades", async () => {
    const world = createWorld();
    const sent: { readonly body: Json; readonly delayMs?: number }[] = [];
    const deps: Deps = {
      ...world.deps,
      tables: { ...world.deps.tables, nowMs: () => undefined },
      queue: {
        send: (_, messages) => {
          sent.push(...messages);
          return Promise.resolve({ ok: true, value: undefined });
        },
      },
    };
    world.faults.tables = () => down;
    for (let attempt = 0; attempt < 8; attempt += 1) await handle({ body: { ...item, attempt }, messageId: "m" }, deps);
    await handle({ body: { ...item, sentAt: "no time" }, messageId: "m" }, deps);
    expect(sent).toHaveLength(9);
    for (const { delayMs } of sent) {
      expect(delayMs).toBeGreaterThan(0);
      expect(delayMs).toBeLessThanOrEqual(minute);
    }
  });

  it("three minutes long, for an object at work: no message is given up and none is lost", async () => {
    const world = await settledCluster();
    world.objects.edit({ kind: "AzureCluster", namespace: "default", name: "c1" }, (object) => ({
      ...object,
      spec: { ...object.spec, additionalTags: { team: "blue" } },
    }));
    world.faults.tables = () => down;
    await world.run(3 * minute);
    delete world.faults.tables;
    await world.run(5 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(waiting(world)).toMatchObject({ active: 0, deadLetter: 0 });
    expect(failedBodies(world)).toEqual([]);
  });
});
