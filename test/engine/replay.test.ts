import { describe, expect, it } from "vitest";
import type { ParkedFilter } from "../../src/core/replayRequest.ts";
import type { Json } from "../../src/core/types.ts";
import { handle } from "../../src/engine/handle.ts";
import { decodeHistory } from "../../src/engine/historyRow.ts";
import type { HeldMessage, Parked } from "../../src/engine/parked.ts";
import { replay } from "../../src/engine/replay.ts";
import { doorbellOfC1 as item } from "../support/doorbellOfC1.ts";
import { clusterUid, createWorld, type World } from "../support/world.ts";

/** The failed queue of a world as the replay sees it. */
const parkedIn = ({ queue, clock }: World): Parked => {
  const seen = ({
    body,
    id,
    enqueuedAtMs,
  }: {
    readonly body: Json;
    readonly id: string;
    readonly enqueuedAtMs: number;
  }) => ({
    messageId: id,
    body,
    reason: "",
    enqueuedAt: new Date(enqueuedAtMs).toISOString(),
  });
  return {
    peek: (_, most) => Promise.resolve({ ok: true, value: queue.failed.peek(clock.nowMs(), 0, most).map(seen) }),
    receive: (_, most) => {
      const held: HeldMessage[] = [];
      for (let left = most; left > 0; left -= 1) {
        const next = queue.failed.receive(clock.nowMs());
        if (next === undefined) break;
        const { message, lockToken } = next;
        held.push({
          ...seen(message),
          complete: async () => void queue.failed.complete(clock.nowMs(), lockToken),
          abandon: async () => void queue.failed.abandon(clock.nowMs(), lockToken),
        });
      }
      return Promise.resolve({ ok: true, value: held });
    },
  };
};

const ask = (world: World, more: Partial<Parameters<typeof replay>[0]> & { readonly filter?: ParkedFilter } = {}) => {
  const { filter = {}, ...others } = more;
  const request = { kind: "queue", queue: "failed", most: 10, filter } as const;
  const asker = { requester: "ada@example.com", requestId: "request-1", reason: "the credential is back" };
  return replay({ request, dryRun: false, ...asker, ...others }, parkedIn(world), world.deps);
};
const active = (world: World): number => world.queue.reconcile.counts(world.clock.nowMs()).active;
const failed = (world: World): number => world.queue.failed.counts(world.clock.nowMs()).active;
/** Puts a copy among the failed ones, as turns do. */
const park = (world: World, reason: string, of: Partial<typeof item> & { readonly name?: string } = {}) =>
  world.deps.queue.send("reconcile-failed", [
    { messageId: `${reason}-${of.name ?? ""}`, body: { item: { ...item, ...of }, reason, message: "" } },
  ]);
const object = "AzureCluster default/c1";

describe("replay of the failed queue", () => {
  it("looks first and takes nothing; then enqueues the object, not the stale body, and takes the message away", async () => {
    const world = createWorld();
    await park(world, "ReconcileDefect");
    expect(await ask(world, { dryRun: true })).toEqual({
      ok: true,
      value: [{ object, reason: "ReconcileDefect", parkedAt: expect.any(String), action: "wouldEnqueue" }],
    });
    expect([active(world), failed(world), world.tables.rows("history").length]).toEqual([0, 1, 0]);
    expect(await ask(world)).toMatchObject({ value: [{ object, action: "enqueued" }] });
    expect([active(world), failed(world)]).toEqual([1, 0]);
    expect(world.queue.reconcile.peek(world.clock.nowMs(), 0, 1)[0]?.body).toMatchObject({
      cause: "replay",
      name: "c1",
      uid: "",
      generation: 0,
    });
  });

  it("says who asked and why, in the log and in the object's history", async () => {
    const world = createWorld();
    await park(world, "ReconcileDefect");
    await ask(world);
    const said = { requester: "ada@example.com", reason: "the credential is back", request: "request-1" };
    expect(world.logs).toContainEqual(
      expect.objectContaining({ level: "info", message: "replay asked for", fields: expect.objectContaining(said) }),
    );
    const rows = world.tables.rows("history").map(decodeHistory);
    expect(rows).toContainEqual(
      expect.objectContaining({ kind: "replay", cause: said.requester, message: said.reason, result: "enqueued" }),
    );
  });

  it("enqueues an object once, however many messages stand for it and however often the request is sent", async () => {
    const world = createWorld();
    await park(world, "ReconcileDefect");
    await park(world, "UnknownCluster");
    await ask(world);
    await ask(world, {
      request: {
        kind: "object",
        item: { cluster: clusterUid, kind: "AzureCluster", namespace: "default", name: "c1" },
      },
    });
    expect([active(world), failed(world)]).toEqual([1, 0]);
    await ask(world, {
      requestId: "request-2",
      request: {
        kind: "object",
        item: { cluster: clusterUid, kind: "AzureCluster", namespace: "default", name: "c1" },
      },
    });
    expect(active(world)).toBe(2);
  });

  it.each([
    { filter: { because: "reconciledefect" }, names: ["a"] },
    { filter: { because: "Reconcile" }, names: [] },
    { filter: { olderThanMs: 60_000 }, names: ["a", "b"] },
    { filter: { newerThanMs: 60_000 }, names: ["c"] },
    { filter: { olderThanMs: 60_000, because: "UnknownCluster" }, names: ["b"] },
    { filter: { name: "c", namespace: "default", kind: "AzureCluster" }, names: ["c"] },
    { filter: { name: "c", namespace: "other" }, names: [] },
  ])("takes only what is asked for: $filter", async ({ filter, names }) => {
    const world = createWorld();
    await park(world, "ReconcileDefect", { name: "a" });
    await park(world, "UnknownCluster", { name: "b" });
    world.clock.advanceTo(world.clock.nowMs() + 90_000);
    await park(world, "UnknownKind", { name: "c" });
    const objects = names.map((name) => expect.objectContaining({ object: `AzureCluster default/${name}` }));
    expect(await ask(world, { filter, dryRun: true })).toEqual({ ok: true, value: objects });
    expect(await ask(world, { filter })).toEqual({ ok: true, value: objects });
    expect([active(world), failed(world)]).toEqual([names.length, 3 - names.length]);
  });

  it("takes no more than it was told to", async () => {
    const world = createWorld();
    for (const name of ["a", "b", "c"]) await park(world, "ReconcileDefect", { name });
    const request = { kind: "queue", queue: "failed", most: 2, filter: {} } as const;
    expect(await ask(world, { request })).toMatchObject({ value: [{ action: "enqueued" }, { action: "enqueued" }] });
    expect([active(world), failed(world)]).toEqual([2, 1]);
  });

  it("leaves what names an object that is not served, until it is", async () => {
    const world = createWorld();
    await handle({ body: { ...item, cluster: "elsewhere" }, messageId: "m1" }, world.deps);
    await handle({ body: { ...item, kind: "AzureThing" }, messageId: "m2" }, world.deps);
    const left = {
      value: [
        { reason: "UnknownCluster", action: "notServed" },
        { reason: "UnknownKind", action: "notServed" },
      ],
    };
    expect(await ask(world, { dryRun: true })).toMatchObject(left);
    expect(await ask(world)).toMatchObject(left);
    expect([active(world), failed(world)]).toEqual([0, 2]);
  });

  it("reads what an older release could not read and parked as text", async () => {
    const world = createWorld();
    const body = { item: JSON.stringify(item), reason: "MessageFromTheFuture", message: "" };
    await world.deps.queue.send("reconcile-failed", [{ messageId: "m1", body }]);
    expect(await ask(world)).toMatchObject({
      value: [{ object, reason: "MessageFromTheFuture", action: "enqueued" }],
    });
  });

  it("leaves what names no object where it is", async () => {
    const world = createWorld();
    await handle({ body: "{ no json", messageId: "m1" }, world.deps);
    expect(await ask(world)).toMatchObject({ value: [{ action: "unreadable" }] });
    expect(failed(world)).toBe(1);
  });

  it("puts everything back when the broker takes nothing", async () => {
    const world = createWorld();
    await park(world, "ReconcileDefect", { name: "a" });
    await park(world, "ReconcileDefect", { name: "b" });
    const silent = {
      send: () =>
        Promise.resolve({ ok: false as const, error: { kind: "transient" as const, code: "NoAnswer", message: "" } }),
    };
    let ms = 0;
    const clock = {
      monotonicMs: () => ms,
      sleep: async (pauseMs: number) => {
        ms += pauseMs;
      },
    };
    const request = { kind: "queue", queue: "failed", most: 10, filter: {} } as const;
    const asked = { request, dryRun: false, requester: "ada", requestId: "request-1", reason: "why" };
    expect(await replay(asked, parkedIn(world), { ...world.deps, queue: silent, clock })).toMatchObject({
      ok: false,
      error: { code: "NoAnswer" },
    });
    expect([active(world), failed(world)]).toEqual([0, 2]);
  });
});

describe("replay of one object", () => {
  it.each([
    { of: { cluster: "elsewhere" }, code: "UnknownCluster" },
    { of: { kind: "AzureThing" }, code: "UnknownKind" },
  ])("is refused where nobody would handle it: $code", async ({ of, code }) => {
    const world = createWorld();
    const address = { cluster: clusterUid, kind: "AzureCluster", namespace: "default", name: "c1", ...of };
    for (const dryRun of [true, false])
      expect(await ask(world, { request: { kind: "object", item: address }, dryRun })).toMatchObject({
        ok: false,
        error: { kind: "badConfiguration", code },
      });
    expect(active(world)).toBe(0);
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
