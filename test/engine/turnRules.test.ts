import { describe, expect, it } from "vitest";
import { replay } from "../../src/core/chain/messages.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { dropOldOrphans } from "../../src/engine/orphans.ts";
import { resync } from "../../src/engine/resync.ts";
import type { TableAction } from "../../src/ports.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  resources,
  seed,
  settledCluster,
  withSource,
  withTag,
} from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const paused = "cluster.x-k8s.io/paused";
const ready = (world: World) => conditionsOf(world.objects.find(key))["Ready"];

const lookAgain = async (world: World): Promise<void> => {
  const request = `look-${world.calls.length}`;
  const { item, messageId } = replay({
    address: { cluster: clusterUid, ...key },
    uid: "",
    request,
    nowMs: world.clock.nowMs(),
  });
  await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
  await world.run(10 * minute);
};

interface StoredRow {
  readonly id: string;
  readonly known: string;
  readonly applied: readonly { readonly path: readonly string[]; readonly value: Json; readonly mark: string }[];
  readonly intent?: JsonObject;
}
const rowOf = (world: World, id: string): StoredRow | undefined =>
  world.tables
    .rows("state")
    .map(({ packed }) => packed["row"] as unknown as StoredRow | undefined)
    .find((row) => row?.id === id);

/** A world whose function app runs through `around`. */
const through = (world: World, around: Parameters<typeof intercept>[1]) => intercept(world.deps, around);

const runBy = async (world: World, deps: World["deps"], horizonMs = 10 * minute): Promise<void> => {
  const endMs = world.clock.nowMs() + horizonMs;
  for (;;) {
    if (await world.step(deps)) continue;
    const next = world.queue.nextDueMs();
    if (next === undefined || next > endMs) return;
    world.clock.advanceTo(next);
  }
};

describe("a stop in the middle of a wave", () => {
  it.each([
    { when: "a pause", act: (world: World) => annotate(world, paused, "") },
    { when: "a deletion", act: (world: World) => world.objects.remove(key) },
  ])("$when: the wave under way ends, the next one is not begun", async ({ act }) => {
    const world = createWorld();
    applyDefaultCluster(world);
    let announced = false;
    let puts = 0;
    let after = 0;
    const deps = through(world, async (call, run) => {
      if (call.name === "arm PUT") puts += 1;
      if (call.name === "arm PUT" && announced) after += 1;
      const answer = await run();
      if (call.name === "arm PUT" && !announced) {
        announced = true;
        act(world);
        // Another instance of the app handles the doorbell: it meets the lease.
        while (await world.step());
      }
      return answer;
    });
    await world.step(deps);
    // The group stands alone in its wave.
    expect({ puts, after }).toEqual({ puts: 1, after: 0 });
    await world.run();
    if (world.objects.find(key) === undefined) return expect(resources(world)).toEqual([]);
    expect(world.writes()).toHaveLength(1);
    annotate(world, paused, undefined);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("a turn that takes too long", () => {
  it("starts no request to Azure after 30 s, no write to the API server after 40 s, and the next turn goes on", async () => {
    const world = createWorld({ latency: "sync" });
    applyDefaultCluster(world);
    let startedMs = 0;
    const late: string[] = [];
    const deps = through(world, async (call, run) => {
      if (call.name === "tables get state" && startedMs === 0) startedMs = world.clock.nowMs();
      const ageMs = world.clock.nowMs() - startedMs;
      if (call.port === "arm" && ageMs >= 30_000) late.push(`${call.name} ${ageMs}`);
      if (call.name.startsWith("kube apply") && ageMs >= 40_000) late.push(`${call.name} ${ageMs}`);
      const answer = await run();
      if (call.port === "arm") world.clock.advanceTo(world.clock.nowMs() + 7_000);
      return answer;
    });
    for (let turn = 0; turn < 60 && ready(world)?.status !== "True"; turn += 1) {
      startedMs = 0;
      if (!(await world.step(deps))) world.clock.advanceTo(world.queue.nextDueMs() ?? world.clock.nowMs());
    }
    expect(late).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("what is remembered of a write", () => {
  it("its intent stands in the table before it is sent, with its body and what it changes", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const intents: (StoredRow | undefined)[] = [];
    const deps = through(world, async (call, run) => {
      if (call.name === "arm PUT") intents.push(rowOf(world, call.path));
      return run();
    });
    await runBy(world, deps);
    expect(intents).toHaveLength(11);
    for (const row of intents)
      expect(row?.intent).toMatchObject({
        method: "PUT",
        creating: true,
        body: expect.any(Object),
        changes: expect.any(Array),
      });
    expect(rowOf(world, ids.lb)?.intent).toBeUndefined();
  });

  it("a default that Azure shows otherwise leaves the ledger at the first look; what was asked for stays", async () => {
    const world = await settledCluster();
    const name = ["tags", "Name"];
    const applied = (): readonly (readonly string[])[] => rowOf(world, ids.routeTable)!.applied.map(({ path }) => path);
    expect(applied()).toContainEqual(name);
    mutate(world, ids.routeTable, (body) => withTag(body, "Name", "azure-says"));
    const writes = world.writes().length;
    await lookAgain(world);
    expect(applied()).not.toContainEqual(name);
    expect(world.writes().length).toBe(writes);
    // Once settled the same difference is drift: what we applied is restored.
    const other = await settledCluster();
    await lookAgain(other);
    mutate(other, ids.routeTable, (body) => withTag(body, "Name", "somebody-says"));
    await lookAgain(other);
    expect(bodyOf(other, ids.routeTable)["tags"]).toMatchObject({ Name: "c1-node-routetable" });
  });

  it("history explains every write", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.0.0.0/8"));
    await world.run();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    const newest = world.tables.rows("history").toSorted((one, other) => (one.row < other.row ? -1 : 1))[0];
    expect(newest?.packed["writes"]).toEqual([
      {
        id: ids.nodeNsg,
        method: "PUT",
        cause: "change",
        creating: false,
        changes: [
          {
            path: expect.stringContaining("sourceAddressPrefix"),
            from: "10.0.0.0/8",
            to: "10.1.0.0/16",
            effect: "inPlace",
          },
        ],
      },
    ]);
  });

  it("what does not fit into a row is refused before it is written; the others go on", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const commit = world.tables.commit.bind(world.tables);
    const tooLarge = (actions: readonly TableAction[]): boolean =>
      JSON.stringify(actions).includes('c1-node-nsg","serv');
    const deps = {
      ...world.deps,
      tables: {
        ...world.deps.tables,
        commit: (...[table, partition, actions]: Parameters<typeof commit>): ReturnType<typeof commit> => {
          const large = tooLarge(actions) && JSON.stringify(actions).includes('"intent"');
          const error = { kind: "badConfiguration", code: "RowTooLarge", message: "row is too large" } as const;
          return large ? Promise.resolve({ ok: false, error }) : commit(table, partition, actions);
        },
      },
    };
    await runBy(world, deps);
    expect(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]).toMatchObject({
      status: "False",
      message: expect.stringContaining("too large"),
    });
    const puts = world.writes().map(({ path }) => path);
    expect(puts).not.toContain(ids.nodeNsg);
    expect(puts).toContain(ids.routeTable);
  });
});

describe("ownership", () => {
  it("a tag that was taken off: the resource is kept as it is, and the object says so as long as it lasts", async () => {
    const world = await settledCluster();
    mutate(world, ids.nodeNsg, (body) => withTag(body, ownerTag, undefined));
    await lookAgain(world);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    annotate(world, "capstan.azure/retry", "1");
    await world.run();
    expect(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]).toMatchObject({ reason: "OwnershipLost" });
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toEqual([]);
    mutate(world, ids.nodeNsg, (body) => withTag(body, ownerTag, "owned"));
    await lookAgain(world);
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("a resource that stood there untagged before we came is used and never written, also when it is tagged later", async () => {
    const world = createWorld();
    seed(
      world,
      { id: group, location: "eastus" },
      { id: ids.routeTable, location: "eastus", properties: { routes: [] } },
    );
    applyDefaultCluster(world);
    await world.run();
    mutate(world, ids.routeTable, (body) => withTag(body, ownerTag, "owned"));
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await world.run();
    await lookAgain(world);
    expect(world.writes().filter(({ path }) => path.startsWith(ids.routeTable))).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("one that carries our tag without a ledger is ours, and keeps its values", async () => {
    const world = await settledCluster();
    world.tables.clear();
    mutate(world, ids.routeTable, (body) => withTag(body, "Name", "renamed"));
    const writes = world.writes().length;
    await lookAgain(world);
    expect(world.writes().length).toBe(writes);
    expect(rowOf(world, ids.routeTable)).toMatchObject({ known: "adopted" });
  });

  it("an immutable field that differs is refused, stays refused to the eye, and the rest is written", async () => {
    const world = await settledCluster();
    mutate(world, ids.nodeNsg, (body) => ({ ...body, location: "westus" }));
    await lookAgain(world);
    const says = () => conditionsOf(world.objects.find(key))["SecurityGroupsReady"];
    expect(says()).toMatchObject({ reason: "ImmutableDrift" });
    annotate(world, "capstan.azure/retry", "1");
    await world.run();
    expect(says()).toMatchObject({ reason: "ImmutableDrift" });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    annotate(world, "capstan.azure/retry", "2");
    await world.run();
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
    expect(says()).toMatchObject({ reason: "ImmutableDrift" });
  });
});

describe("an object that is gone", () => {
  const vanish = async (world: World): Promise<void> => {
    world.objects.edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
    world.objects.remove(key);
    await world.run();
  };

  it("leaves its resources as orphans, listed for 90 days", async () => {
    const world = await settledCluster();
    await vanish(world);
    expect(world.writes()).toHaveLength(11);
    const rows = world.tables.rows("orphans");
    expect(rows).toHaveLength(11);
    expect(rows[0]?.values).toMatchObject({ kind: "AzureCluster", namespace: "default", name: "c1", moved: false });
    expect(world.tables.rows("state")).toEqual([]);
    world.clock.advanceTo(world.clock.nowMs() + 89 * day);
    await resync(world.clock.nowMs(), world.deps);
    expect(world.tables.rows("orphans")).toHaveLength(11);
    world.clock.advanceTo(world.clock.nowMs() + 2 * day);
    await dropOldOrphans(clusterUid, world.clock.nowMs(), world.deps);
    expect(world.tables.rows("orphans")).toEqual([]);
  });

  it("was moved when it was last seen paused and free to move", async () => {
    const world = await settledCluster();
    annotate(world, paused, "");
    await world.run();
    await vanish(world);
    expect(world.tables.rows("orphans").map(({ values }) => values["moved"])).toEqual(
      Array.from({ length: 11 }, () => true),
    );
  });

  it("was not moved when it had been taken up again", async () => {
    const world = await settledCluster();
    annotate(world, paused, "");
    await world.run();
    annotate(world, paused, undefined);
    await world.run();
    await vanish(world);
    expect(world.tables.rows("orphans").map(({ values }) => values["moved"])).toContain(false);
  });

  it("another one under its name starts without the old back-offs and with the old resources", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 5 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(8 * minute);
    expect(ready(world)).toMatchObject({ status: "False" });
    const tries = world.writes().length;
    world.objects.edit(key, (object) => ({ ...object, metadata: { ...object.metadata, finalizers: [] } }));
    world.objects.remove(key);
    world.arm.faults = [];
    applyDefaultCluster(world);
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(5_000);
    expect(
      world
        .writes()
        .slice(tries)
        .map(({ path }) => path),
    ).toEqual([ids.nodeNsg]);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});

describe("a defect of our own", () => {
  it("shows on the object, is copied once, is tried slowly, and is forgotten when it is gone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    let isBroken = true;
    const deps: World["deps"] = {
      ...world.deps,
      schema: (type) =>
        isBroken ? Promise.reject(new TypeError("undefined is not a function")) : world.deps.schema(type),
    };
    await runBy(world, deps, 20 * minute);
    const says = () => conditionsOf(world.objects.find(key))["NetworkInfrastructureReady"];
    expect(says()).toMatchObject({
      status: "False",
      reason: "ReconcileDefect",
      message: expect.stringContaining("undefined is not"),
    });
    expect(world.queue.failed.counts(world.clock.nowMs()).active).toBe(1);
    expect(world.queue.reconcile.counts(world.clock.nowMs()).deadLetter).toBe(0);
    isBroken = false;
    await runBy(world, deps, 60 * minute);
    expect(says()).toMatchObject({ status: "True" });
  });
});

describe("a lost race", () => {
  it("412 is read and planned again in the same turn", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 412, code: "PreconditionFailed", message: "another etag" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 3 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    const atMs = world.clock.nowMs();
    await world.step();
    expect(world.clock.nowMs()).toBe(atMs);
    expect(
      world
        .writes()
        .slice(-4)
        .map(({ status }) => status),
    ).toEqual([412, 412, 412, 200]);
  });

  it("a fourth one waits like any conflict, and ends well", async () => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 412, code: "PreconditionFailed", message: "another etag" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 5 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.step();
    expect(
      world
        .writes()
        .slice(-4)
        .map(({ status }) => status),
    ).toEqual([412, 412, 412, 412]);
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
  });
});

describe("a back-off", () => {
  const refused = async (): Promise<{ readonly world: World; readonly tries: () => number }> => {
    const world = await settledCluster();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT", times: 99 }, fault }, seen: 0 });
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run(1_000);
    return { world, tries: () => world.writes().length - 11 };
  };

  it("is kept by a turn that comes for another reason", async () => {
    const { world, tries } = await refused();
    annotate(world, "capstan.azure/keep-foreign", "true");
    await world.run(1_000);
    expect(tries()).toBe(1);
    expect(conditionsOf(world.objects.find(key))["SecurityGroupsReady"]?.message).toContain("AuthorizationFailed");
  });

  it.each([
    { when: "a person asks by annotation", act: (world: World) => annotate(world, "capstan.azure/retry", "now") },
    { when: "a person asks by replay", act: lookAgain },
    { when: "the spec changes", act: (world: World) => world.objects.edit(key, (it) => withSource(it, "10.2.0.0/16")) },
    {
      when: "the identity changes",
      act: (world: World) =>
        world.objects.edit({ kind: "AzureClusterIdentity", namespace: "default", name: "sp" }, (it) => ({
          ...it,
          spec: { ...it.spec, clientID: "00000000-0000-4000-8000-0000000000cc" },
        })),
    },
  ])("ends when $when", async ({ act }) => {
    const { world, tries } = await refused();
    world.arm.faults = [];
    await act(world);
    await world.run(1_000);
    expect(tries()).toBe(2);
    await world.run(10_000);
    expect(ready(world)).toMatchObject({ status: "True" });
  });

  it("does not make a drift forgotten whose repair was refused", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => withSource(object, "10.1.0.0/16"));
    await world.run();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "PUT" }, fault }, seen: 0 });
    mutate(world, ids.nodeNsg, (body) => ({
      ...body,
      properties: { ...(body["properties"] as JsonObject), securityRules: [] },
    }));
    await lookAgain(world);
    expect((bodyOf(world, ids.nodeNsg)["properties"] as JsonObject)["securityRules"]).toHaveLength(1);
  });

  it("of a poll that fails keeps the operation, and grows", async () => {
    const world = createWorld({ latency: "realistic" });
    applyDefaultCluster(world);
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "GET", path: "/operations/", times: 40 }, fault }, seen: 0 });
    await world.run(30 * minute);
    expect(world.arm.faults[0]?.seen).toBeLessThan(40);
    expect(ready(world)?.message).toContain("AuthorizationFailed");
    world.arm.faults = [];
    await world.run(4 * 60 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("children of one virtual network", () => {
  it("are written one after another", async () => {
    const world = createWorld({ latency: "realistic" });
    applyDefaultCluster(world);
    const busy: (readonly Json[])[] = [];
    const deps = through(world, async (call, run) => {
      const { properties = {} } = bodyOf(world, ids.vnet) as { properties?: { subnets?: readonly JsonObject[] } };
      const states = (properties.subnets ?? []).map(
        (subnet) => (subnet["properties"] as JsonObject)["provisioningState"]!,
      );
      if (call.name === "arm PUT" && call.path.includes("/subnets/"))
        busy.push(states.filter((it) => it !== "Succeeded"));
      return run();
    });
    await runBy(world, deps);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(busy).toEqual([[], []]);
    expect(world.requests().filter(({ status }) => status === 409)).toEqual([]);
  });
});

describe("two at once", () => {
  it("one takes the lease, the other one leaves without looking at the object", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const { promise: inTurn, resolve: begun } = Promise.withResolvers<void>();
    const holder = through(world, async (call, run) => {
      if (call.name === "kube get") {
        begun();
        await released;
      }
      return run();
    });
    const [first] = world.queue.reconcile.peek(world.clock.nowMs(), 0, 1);
    world.queue.reconcile.send(world.clock.nowMs(), [{ id: "copy", body: structuredClone(first!.body) }]);
    let held: Promise<boolean> | undefined;
    const others: string[] = [];
    const other = through(world, async (call, run) => {
      others.push(call.name);
      if (call.name === "tables commit state" && held === undefined) {
        held = world.step(holder);
        await inTurn;
      }
      return run();
    });
    await world.step(other);
    expect(others.filter((name) => !name.startsWith("tables ") && !name.startsWith("queue "))).toEqual([]);
    release();
    await held;
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });

  it("a turn whose lease was taken over changes nothing any more", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const writes: string[] = [];
    let isOver = false;
    const slow = through(world, async (call, run) => {
      if (isOver && call.writes) writes.push(call.name);
      const answer = await run();
      if (call.name === "arm PUT" && !isOver) {
        world.clock.advanceTo(world.clock.nowMs() + minute);
        await world.run();
        isOver = true;
      }
      return answer;
    });
    await world.step(slow);
    expect(world.logs.map(({ message }) => message)).toContain("lease lost");
    expect(writes.filter((name) => name.startsWith("arm ") || name.startsWith("kube "))).toEqual([]);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(world.writes()).toHaveLength(11);
  });
});

describe("what was to be read and could not be", () => {
  it("is read when its time comes", async () => {
    const world = await settledCluster();
    world.objects.edit(key, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await world.run();
    mutate(world, ids.lb, (body) => withTag(body, "team", "red"));
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    world.arm.faults.push({ rule: { match: { method: "GET", path: "publicIPAddresses", times: 2 }, fault }, seen: 0 });
    world.clock.advanceTo(world.clock.nowMs() + minute);
    await lookAgain(world);
    expect(bodyOf(world, ids.lb)["tags"]).toMatchObject({ team: "blue" });
  });
});

describe("many rows", () => {
  it("go in several transactions, the object row's last", async () => {
    const world = createWorld({ latency: "sync" });
    applyDefaultCluster(world);
    const sizes: number[] = [];
    const commit = world.tables.commit.bind(world.tables);
    const subnets = Array.from({ length: 120 }, (_, index) => ({
      name: `s${index}`,
      role: index === 0 ? "control-plane" : "node",
      cidrBlocks: [`10.0.${index}.0/24`],
      securityGroup: { name: "one-nsg" },
      routeTable: { name: "one-rt" },
    }));
    world.objects.edit(key, (object) => ({
      ...object,
      spec: { ...object.spec, networkSpec: { vnet: { name: "c1-vnet" }, subnets } },
    }));
    world.deps.tables.commit = (table, partition, actions) => {
      if (table === "state") sizes.push(actions.length);
      return commit(table, partition, actions);
    };
    await world.run(30 * minute);
    expect(ready(world)).toMatchObject({ status: "True" });
    await lookAgain(world);
    expect(Math.max(...sizes)).toBe(90);
    // A stop in the middle of a commit: what was read is a fact, and all of it is stored.
    world.clock.advanceTo(world.clock.nowMs() + minute);
    const seenMs = world.clock.nowMs();
    let hasStopped = false;
    const stopping = through(world, async (call, run) => {
      if (call.name === "tables commit index" && !hasStopped) {
        hasStopped = true;
        annotate(world, paused, "");
        while (await world.step());
      }
      return run();
    });
    const { item, messageId } = replay({
      address: { cluster: clusterUid, ...key },
      uid: "",
      request: "stop",
      nowMs: seenMs,
    });
    await world.queue.send("reconcile", [{ messageId, body: { ...item } }]);
    await world.step(stopping);
    const rows = world.tables
      .rows("state")
      .flatMap(({ packed }) => packed["row"] as unknown as { observedAtMs: number });
    const old = rows.filter((row) => row !== undefined && row.observedAtMs < seenMs);
    expect(rows.length).toBeGreaterThan(100);
    expect(old).toEqual([]);
    annotate(world, paused, undefined);
    world.objects.remove(key);
    await world.run(60 * minute);
    expect(world.tables.rows("state")).toEqual([]);
  });
});

describe("a message that is lost", () => {
  it("is made up for by the resync, from the index alone", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    await resync(world.clock.nowMs(), world.deps);
    const deps: World["deps"] = {
      ...world.deps,
      queue: { send: () => Promise.resolve({ ok: true, value: undefined }) },
    };
    // Whatever the app sends is lost, and so is the first listing's message.
    await runBy(world, deps, 60 * minute);
    expect(ready(world)?.status).not.toBe("True");
    expect(world.queue.nextDueMs()).toBeUndefined();
    world.clock.advanceTo(world.clock.nowMs() + 3 * minute);
    await world.tables.commit("shared", clusterUid, [
      { kind: "upsert", row: "listed", values: { atMs: world.clock.nowMs() } },
    ]);
    const [report] = await resync(world.clock.nowMs(), world.deps);
    expect(report).toMatchObject({ overdue: 1 });
    expect(report).not.toHaveProperty("listed");
    await world.run();
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
