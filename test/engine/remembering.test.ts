import { describe, expect, it } from "vitest";
import { replay } from "../../src/core/chain/messages.ts";
import type { JsonObject } from "../../src/core/types.ts";
import type { TableAction } from "../../src/ports.ts";
import {
  annotate,
  bodyOf,
  group,
  ids,
  key,
  mutate,
  ownerTag,
  seed,
  settledCluster,
  withSource,
  withTag,
} from "../support/defaultCluster.ts";
import { intercept } from "../support/intercept.ts";
import { lookAgain, ready, rowOf, runBy, type StoredRow } from "../support/turns.ts";
import { applyDefaultCluster, clusterUid, conditionsOf, createWorld } from "../support/world.ts";

const minute = 60_000;
const paused = "cluster.x-k8s.io/paused";

describe("what is remembered of a write", () => {
  it("its intent stands in the table before it is sent, with its body and what it changes", async () => {
    const world = createWorld();
    applyDefaultCluster(world);
    const intents: (StoredRow | undefined)[] = [];
    const deps = intercept(world.deps, async (call, run) => {
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

  it("is counted for the loop guard unless Azure refuses it or its operation fails", async () => {
    const world = await settledCluster();
    const counted = (): number | undefined => rowOf(world, ids.nodeNsg)?.writes.length;
    const before = counted() ?? 0;
    const match = { method: "PUT", path: "c1-node-nsg", times: 1 } as const;
    const refused = { kind: "respond", status: 403, code: "RequestDisallowedByPolicy", message: "no" } as const;
    const failing = { kind: "failOperation", code: "InternalServerError", message: "half-way" } as const;
    for (const [at, fault] of [refused, failing].entries()) {
      world.arm.faults.push({ rule: { match, fault }, seen: 0 });
      world.objects.edit(key, (object) => withSource(object, `10.${at + 1}.0.0/16`));
      await world.run(4_000);
      expect(ready(world)).toMatchObject({ status: "False" });
      expect(counted(), fault.kind).toBe(before);
    }
    world.objects.edit(key, (object) => withSource(object, "10.3.0.0/16"));
    await world.run(60_000);
    expect(counted()).toBe(before + 1);
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
        writer: "kubectl-edit",
        creating: false,
        changes: [
          {
            path: expect.stringContaining("sourceAddressPrefix"),
            from: "10.0.0.0/8",
            to: "10.1.0.0/16",
            effect: "inPlace",
          },
        ],
        requests: [
          {
            method: "PUT",
            status: expect.any(Number),
            requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
            correlationId: expect.stringMatching(/./),
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
      severity: "Error",
      reason: "RowTooLarge",
      message: expect.stringMatching(/too large.* Have the spec ask for less in one resource/),
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

describe("many rows", () => {
  it("go in several transactions, the object row's last", async () => {
    const world = createWorld({ latency: "sync" });
    applyDefaultCluster(world);
    const sizes: number[] = [];
    const commit = world.tables.commit.bind(world.tables);
    const subnets = Array.from({ length: 64 }, (_, index) => ({
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
    const stopping = intercept(world.deps, async (call, run) => {
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
