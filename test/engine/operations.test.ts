import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { replay } from "../../src/core/chain/messages.ts";
import type { JsonObject, KubeObject } from "../../src/core/types.ts";
import type { PollAnswer } from "../../src/ports.ts";
import { activeFaults } from "../../src/sim/arm/faults.ts";
import { annotate, ids, key, mutate, resources, settledCluster, withSource } from "../support/defaultCluster.ts";
import { type Call, intercept } from "../support/intercept.ts";
import { lookAgain, ready, rowOf, runBy } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;

/** Ids of the resources whose rows hold an operation. */
const operations = (world: World): readonly string[] =>
  world.tables.rows("state").flatMap(({ packed }) => {
    const row = packed["row"] as { readonly id: string; readonly operation?: JsonObject } | undefined;
    return row?.operation === undefined ? [] : [row.id];
  });

const polls = (world: World): readonly Call[] => world.calls.filter(({ name }) => name === "arm poll");

const editRule = (world: World, source: string): void =>
  void world.objects.edit(key, (object) => withSource(object, source));

/** Runs until the resource has a running operation. */
const untilRunning = async (world: World, id: string): Promise<void> => {
  for (let n = 0; n < 200 && !operations(world).includes(id); n += 1)
    if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
  expect(operations(world)).toContain(id);
};

const slowLb = { latency: { types: { "Microsoft.Network/loadBalancers": 40 * minute } } } as const;

describe("how an operation ends", () => {
  it("A26: what is done or refused at the start leaves no operation behind, as a finished poller once did", async () => {
    const world = createWorld({ latency: "sync" });
    applyDefaultCluster(world);
    while (await world.step()) expect(operations(world)).toEqual([]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(polls(world)).toEqual([]);
    world.arm.faults.push(
      ...activeFaults([
        {
          match: { method: "PUT" },
          fault: { kind: "respond", status: 409, code: "AnotherOperationInProgress", message: "x" },
        },
      ]),
    );
    editRule(world, "10.1.0.0/16");
    await world.step();
    expect(operations(world)).toEqual([]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("A27: a failed operation is told once and blocks nothing: the corrected spec is written at once", async () => {
    const world = await settledCluster({ latency: 2_000 });
    world.arm.faults.push(
      ...activeFaults([
        {
          match: { method: "PUT", path: "c1-node-nsg" },
          fault: { kind: "failOperation", code: "QuotaExceeded", message: "no" },
        },
      ]),
    );
    editRule(world, "10.1.0.0/16");
    await world.run(20_000);
    expect(operations(world)).toEqual([]);
    const before = polls(world).length;
    await world.run(5 * minute);
    // The dead operation is never asked for again.
    expect(polls(world).length - before).toBe(0);
    editRule(world, "10.2.0.0/16");
    await world.run(minute);
    const rules = JSON.stringify(world.arm.resources.get(ids.nodeNsg.toLowerCase())?.body);
    expect(rules).toContain("10.2.0.0/16");
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("A27: a deletion outranks a PUT that runs: its DELETE goes out before the PUT has ended", async () => {
    const world = createWorld(slowLb);
    applyDefaultCluster(world);
    await untilRunning(world, ids.lb);
    world.objects.remove(key);
    await world.run(5 * minute);
    expect(world.requests().some(({ method }) => method === "DELETE")).toBe(true);
    await world.run(2 * 60 * minute);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });

  it("A29: an operation is followed to its end and its row cleared although the spec no longer makes a plan", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/loadBalancers": 3 * minute } } });
    applyDefaultCluster(world);
    await untilRunning(world, ids.lb);
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, location: "" } }));
    await world.run(10 * minute);
    expect(ready(world)?.status).toBe("False");
    expect(operations(world)).toEqual([]);
  });

  it("A29: likewise when the spec no longer names the resource", async () => {
    const world = await settledCluster({
      latency: { types: { "Microsoft.Network/networkSecurityGroups": 3 * minute } },
    });
    editRule(world, "10.1.0.0/16");
    await untilRunning(world, ids.nodeNsg);
    world.objects.edit(key, (object) => renamedNsg(object));
    await world.run(20 * minute);
    expect(operations(world)).toEqual([]);
  });

  it("an operation that Azure no longer knows means that the resource is looked at", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/loadBalancers": 10 * minute } } });
    applyDefaultCluster(world);
    await untilRunning(world, ids.lb);
    for (const [id, operation] of world.arm.operations)
      if (operation.resource.toLowerCase() === ids.lb.toLowerCase()) world.arm.operations.delete(id);
    const before = world.requests().length;
    await world.run(3 * minute);
    const asked = world.requests().slice(before);
    expect(asked.some(({ method, path }) => method === "GET" && path.toLowerCase() === ids.lb.toLowerCase())).toBe(
      true,
    );
    expect(operations(world)).toEqual([]);
    expect(asked.filter(({ method }) => method === "PUT").map(({ path }) => path)).not.toContain(ids.lb);
  });
});

/** A person wants everything to be looked at. */
const askToLook = async (world: World, request: string): Promise<void> => {
  const address = { cluster: clusterUid, ...key };
  const { item, messageId } = replay({ address, uid: "", request, nowMs: world.clock.nowMs() });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
};

const renamedNsg = (object: KubeObject): KubeObject => {
  const renamed = withSource(object, "10.1.0.0/16");
  return JSON.parse(JSON.stringify(renamed).replaceAll("c1-node-nsg", "c1-other-nsg")) as KubeObject;
};

/** What a poll may bring, by random. */
const pollOutcome = fc.constantFrom(
  "running",
  "guessed",
  "succeeded",
  "failed",
  "unknown",
  "throttled",
  "broken",
  "silent",
);
type Outcome = typeof pollOutcome extends fc.Arbitrary<infer T> ? T : never;
const failure = (status: number | undefined, code: string) =>
  ({ ok: false, error: { kind: "transient", code, message: code, ...(status !== undefined && { status }) } }) as const;

const answerOf = (outcome: Outcome) => {
  const operation = { verb: "PUT", style: "resource", startedMs: 0, notBeforeMs: 0 } as const;
  const ok = (value: PollAnswer) => ({ ok: true, value }) as const;
  switch (outcome) {
    case "running":
      return ok({ kind: "running", operation, retryAfterSeconds: 7 });
    case "guessed":
      return ok({ kind: "running", operation, retryAfterSeconds: 1, guessed: true });
    case "succeeded":
      return ok({ kind: "succeeded", body: null });
    case "failed":
      return ok({ kind: "failed", failure: { kind: "transient", code: "Conflict", message: "no" } });
    case "unknown":
      return ok({ kind: "unknown" });
    case "throttled":
      return failure(429, "TooManyRequests");
    case "broken":
      return failure(500, "InternalServerError");
    case "silent":
      return failure(undefined, "NoAnswer");
  }
};
const isEnd = (outcome: Outcome): boolean => ["succeeded", "failed", "unknown"].includes(outcome);

describe("whatever polls answer", () => {
  it("A29: no row keeps an operation whose end was told, and none loses one that may still run", {
    timeout: 60_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(pollOutcome, { minLength: 1, maxLength: 6 }), async (outcomes) => {
        const world = createWorld(slowLb);
        applyDefaultCluster(world);
        await untilRunning(world, ids.lb);
        const left = [...outcomes];
        let last: Outcome | undefined;
        const deps = intercept(world.deps, async (call, run) => {
          const outcome = call.name === "arm poll" && call.path === ids.lb ? left.shift() : undefined;
          last = outcome ?? last;
          // The one cast: the answer fits the call that was asked.
          return outcome === undefined ? run() : (answerOf(outcome) as Awaited<ReturnType<typeof run>>);
        });
        for (let n = 0; n < 200 && left.length > 0 && (last === undefined || !isEnd(last)); n += 1) {
          if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
          else if (last !== undefined) expect(operations(world).includes(ids.lb)).toBe(!isEnd(last));
        }
        expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(0);
      }),
      { numRuns: 25 },
    );
  });
});

describe("while operations run", () => {
  it("forty minutes without Retry-After take few polls, and the first is soon", async () => {
    const world = createWorld({ ...slowLb, retryAfterSeconds: "none" });
    applyDefaultCluster(world);
    await world.run(60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    const asked = polls(world).filter(({ path }) => path === ids.lb).length;
    expect(asked).toBeGreaterThan(10);
    expect(asked).toBeLessThan(70);
  });

  it("Retry-After is never undercut", async () => {
    const world = createWorld({
      latency: { types: { "Microsoft.Network/loadBalancers": 5 * minute } },
      retryAfterSeconds: 33,
    });
    applyDefaultCluster(world);
    const at: number[] = [];
    const deps = intercept(world.deps, (call, run) => {
      if (call.name === "arm poll" && call.path === ids.lb) at.push(world.clock.nowMs());
      return run();
    });
    await runBy(world, deps, 20 * minute);
    expect(at.length).toBeGreaterThan(5);
    for (const [n, ms] of at.slice(1).entries()) {
      expect(ms - (at[n] ?? 0)).toBeGreaterThanOrEqual(33_000);
      expect(ms - (at[n] ?? 0)).toBeLessThanOrEqual(40_000);
    }
  });

  it("one message is pending for all operations of an object", { timeout: 60_000 }, async () => {
    const slow = ["publicIPAddresses", "networkSecurityGroups", "routeTables"];
    const types = Object.fromEntries(slow.map((type) => [`Microsoft.Network/${type}`, 2 * minute]));
    const world = createWorld({ latency: { types } });
    applyDefaultCluster(world);
    let most = 0;
    for (let n = 0; n < 40; n += 1) {
      if (!(await world.step())) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
      if (world.queue.reconcile.hasReady(world.clock.nowMs())) continue;
      const running = operations(world).length;
      most = Math.max(most, running);
      const { active, scheduled } = world.queue.reconcile.counts(world.clock.nowMs());
      if (running > 0) expect(active + scheduled).toBe(1);
    }
    expect(most).toBeGreaterThanOrEqual(3);
  });

  it("A33: what is known meanwhile is published: services that are done say so while another still works", async () => {
    const world = createWorld(slowLb);
    applyDefaultCluster(world);
    await world.run(10 * minute);
    expect(operations(world)).toEqual([ids.lb]);
    const conditions = conditionsOf(world.objects.find(key));
    expect(conditions["VNetReady"]).toMatchObject({ status: "True" });
    expect(conditions["SecurityGroupsReady"]).toMatchObject({ status: "True" });
    expect(conditions["LoadBalancersReady"]).toMatchObject({ status: "False", reason: "Creating" });
    // A person's look at it shows what others have done meanwhile, too.
    mutate(world, ids.nodeNsg, (body) => ({ ...body, tags: {} }));
    await lookAgain(world);
    expect(operations(world)).toEqual([ids.lb]);
    expect(JSON.stringify(conditionsOf(world.objects.find(key))["SecurityGroupsReady"])).toContain("OwnershipLost");
  });

  it.each([
    { status: 429, code: "TooManyRequests" },
    { status: 500, code: "InternalServerError" },
    { status: 503, code: "ServiceUnavailable" },
  ])("a poll that is answered $status says nothing of the operation: no second PUT", async ({ status, code }) => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/loadBalancers": 3 * minute } } });
    applyDefaultCluster(world);
    await untilRunning(world, ids.lb);
    world.arm.faults.push(
      ...activeFaults([
        {
          match: { method: "GET", path: "/operations/", times: 3 },
          fault: { kind: "respond", status, code, message: "x" },
        },
      ]),
    );
    await world.run(30 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes().filter(({ path }) => path === ids.lb)).toHaveLength(1);
  });
});

describe("a resource on which somebody else is at work", () => {
  /** Another writer's change that Azure is still busy with. */
  const work = (world: World, id: string, state: string): void =>
    mutate(world, id, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), provisioningState: state },
    }));

  it("A30: gets no PUT before its provisioningState is terminal, and few looks", async () => {
    const world = await settledCluster();
    work(world, ids.nodeNsg, "Updating");
    const puts = world.writes().length;
    const before = world.requests().length;
    editRule(world, "10.9.0.0/16");
    await world.run(30 * minute);
    expect(world.writes().length).toBe(puts);
    expect(world.requests().length - before).toBeLessThan(80);
    work(world, ids.nodeNsg, "Succeeded");
    await world.run(5 * minute);
    expect(
      world
        .writes()
        .slice(puts)
        .map(({ path }) => path),
    ).toEqual([ids.nodeNsg]);
    expect(world.requests().filter(({ status }) => status === 409)).toEqual([]);
  });

  it("A13: readiness does not flip when one look finds Azure at work, or does not succeed", async () => {
    const world = await settledCluster();
    const seen: (string | undefined)[] = [];
    world.objects.onChange((after) => {
      if (after?.kind === "AzureCluster") seen.push(conditionsOf(after)["Ready"]?.status);
    });
    for (const disturb of ["Updating", "500"] as const) {
      if (disturb === "Updating") work(world, ids.lb, disturb);
      else
        world.arm.faults.push(
          ...activeFaults([
            {
              match: { method: "GET", path: "c1-public-lb" },
              fault: { kind: "respond", status: 500, code: "InternalServerError", message: "x" },
            },
          ]),
        );
      annotate(world, "capstan.azure/retry", disturb);
      const deps = intercept(world.deps, async (call, run) => {
        const answer = await run();
        if (call.name === "arm GET" && call.path === ids.lb && disturb === "Updating") work(world, ids.lb, "Succeeded");
        return answer;
      });
      const looks = world.requests().length;
      await askToLook(world, disturb);
      await runBy(world, deps, 10 * minute);
      expect(
        world
          .requests()
          .slice(looks)
          .filter(({ path }) => path === ids.lb).length,
      ).toBeGreaterThan(1);
    }
    expect(seen).not.toContain("False");
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("soft consistency", () => {
  it.each([{ latency: 2_000 as const }, { latency: "sync" as const }])(
    "A31, A32: a 404 shortly after a write is no reason to write again, nor a deadlock (latency $latency)",
    async ({ latency }) => {
      const world = createWorld({ consistency: { hiddenAfterPutMs: 20_000 }, latency });
      applyDefaultCluster(world);
      for (const wait of [500, 3_000, 5_000]) {
        await world.run(wait);
        await askToLook(world, `soon-${wait}`);
      }
      await world.run(60 * minute);
      expect(ready(world)).toMatchObject({ status: "True" });
      const puts = world.writes().map(({ path }) => path);
      expect(puts).toHaveLength(new Set(puts).size);
      expect(world.requests().some(({ method, status }) => method === "GET" && status === 404)).toBe(true);
      world.arm.resources.delete(ids.nodeNsg.toLowerCase());
      await lookAgain(world);
      // What is really gone is made again.
      expect(
        world
          .writes()
          .slice(puts.length)
          .map(({ path }) => path),
      ).toContain(ids.nodeNsg);
      expect(rowOf(world, ids.nodeNsg)?.known).toBe("created");
    },
  );
});

describe("children of one parent", () => {
  it("A86: two subnets of one network are never written at once, and nothing is answered by a conflict", async () => {
    const world = createWorld({ latency: { types: { "Microsoft.Network/virtualNetworks/subnets": 30_000 } } });
    applyDefaultCluster(world);
    await world.run(30 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.requests().filter(({ status }) => status === 409 || status === 429)).toEqual([]);
    expect(world.writes().filter(({ path }) => path.includes("/subnets/"))).toHaveLength(2);
  });

  it("A86: another cluster's writer on the network: its conflict is waited for, not failed", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    world.arm.faults.push(
      ...activeFaults([
        {
          match: { method: "PUT", path: "/subnets/", times: 4 },
          fault: {
            kind: "respond",
            status: 429,
            code: "RetryableError",
            message: "x",
            details: [{ code: "ReferencedResourceNotProvisioned", message: "busy" }],
          },
        },
      ]),
    );
    await world.run(5_000);
    expect(JSON.stringify(conditionsOf(world.objects.find(key)))).not.toContain('"severity":"Error"');
    await world.run(30 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
