import { describe, expect, it } from "vitest";
import type { ObjectKey } from "../../src/core/types.ts";
import { drift } from "../../src/engine/drift.ts";

import type { Arm } from "../../src/ports.ts";
import { runBy } from "../support/turns.ts";
import { applyDefaultCluster, conditionsOf, createWorld, type World } from "../support/world.ts";

const minute = 60_000;
const hour = 60 * minute;

/** Entra ID refuses the old secret: no request gets beyond it. */
const withExpiredSecret = (
  world: World,
  good: () => boolean,
): { readonly deps: World["deps"]; readonly asked: number[] } => {
  const asked: number[] = [];
  const refused = (): Promise<{
    readonly ok: false;
    readonly error: { readonly kind: "auth"; readonly code: string; readonly message: string; readonly status: number };
  }> => {
    asked.push(world.clock.nowMs());
    const error = {
      kind: "auth",
      code: "AADSTS7000222",
      message: "Entra ID refused the identity: AADSTS7000222",
      status: 401,
    } as const;
    return Promise.resolve({ ok: false, error });
  };
  const dead: Arm = { send: refused, poll: refused, list: refused };
  const deps: World["deps"] = {
    ...world.deps,
    azure: {
      connect: (spec) => {
        const isGood = good() || (spec.kind === "clientSecret" && spec.clientSecret === "fresh");
        return isGood ? world.deps.azure.connect(spec) : Promise.resolve({ ok: true, value: dead });
      },
    },
  };
  return { deps, asked };
};

const many = (world: World, count: number): readonly ObjectKey[] =>
  Array.from({ length: count }, (_, at) => applyDefaultCluster(world, `c${at}`));

const readyOf = (world: World, key: ObjectKey) => conditionsOf(world.objects.find(key))["Ready"];

describe("an identity whose secret has expired, used by 50 objects", () => {
  it("A83: is probed by one while the others wait with the same condition; all go on when the secret is renewed", async () => {
    const world = createWorld();
    const keys = many(world, 50);
    const { deps, asked } = withExpiredSecret(world, () => false);
    await runBy(world, deps, hour);
    // 30 s, 1, 2, 4, 8, 16, 32 min: eight, and not fifty for every one of them.
    expect(asked.length).toBeGreaterThanOrEqual(4);
    expect(asked.length).toBeLessThanOrEqual(10);
    for (const key of keys) {
      const said = Object.values(conditionsOf(world.objects.find(key))).map(({ message }) => message ?? "");
      expect(said.join(" "), key.name).toContain("AADSTS7000222");
      expect(said.join(" "), key.name).toContain("AzureClusterIdentity default/sp");
      expect(readyOf(world, key)?.status, key.name).toBe("False");
    }
    const before = asked.length;
    world.objects.putSecret("default", "sp-secret", { clientSecret: "fresh" });
    await runBy(world, deps, 11 * minute);
    for (const key of keys) expect(readyOf(world, key), key.name).toMatchObject({ status: "True" });
    expect(asked.length - before).toBeLessThanOrEqual(1);
  }, 120_000);

  it("goes on for all when a probe finds it good again, and leaves no wait behind", async () => {
    const world = createWorld();
    const keys = many(world, 12);
    let isGood = false;
    const { deps } = withExpiredSecret(world, () => isGood);
    await runBy(world, deps, 10 * minute);
    isGood = true;
    await runBy(world, deps, 20 * minute);
    for (const key of keys) expect(readyOf(world, key), key.name).toMatchObject({ status: "True" });
    expect(world.tables.rows("shared").filter(({ row }) => row.startsWith("auth~"))).toEqual([]);
  });

  it("leaves the wait for a secret that was renewed in the table for a day after it ended, and no longer", async () => {
    const world = createWorld();
    const [key] = many(world, 1);
    const { deps } = withExpiredSecret(world, () => false);
    await runBy(world, deps, 10 * minute);
    world.objects.putSecret("default", "sp-secret", { clientSecret: "fresh" });
    await runBy(world, deps, 12 * hour);
    expect(readyOf(world, key!)).toMatchObject({ status: "True" });
    const waits = () => world.tables.rows("shared").filter(({ row }) => row.startsWith("auth~"));
    expect(waits()).toHaveLength(1);
    // The daily look comes before and after that.
    await runBy(world, deps, 48 * hour);
    expect(waits()).toEqual([]);
  });

  it("is not asked with by the drift timer at each tick, and at none while the objects wait", async () => {
    const world = createWorld();
    const [key] = many(world, 1);
    await world.run(hour);
    const { deps, asked } = withExpiredSecret(world, () => false);
    world.objects.edit(key!, (object) => ({ ...object, spec: { ...object.spec, additionalTags: { team: "blue" } } }));
    await runBy(world, deps, minute);
    const before = asked.length;
    expect(before).toBeGreaterThan(0);
    expect(await drift(world.clock.nowMs(), deps)).toMatchObject([{ objects: 0, failure: "AADSTS7000222" }]);
    expect(asked).toHaveLength(before);
    for (let tick = 0; tick < 48; tick += 1) {
      world.clock.advanceTo(world.clock.nowMs() + 10 * minute);
      expect(await drift(world.clock.nowMs(), deps)).toMatchObject([{ objects: 0, failure: "AADSTS7000222" }]);
    }
    // 1, 2, 4, … 32 min and then once an hour; not 48 times in these 8 hours.
    expect(asked.length - before).toBeGreaterThanOrEqual(8);
    expect(asked.length - before).toBeLessThanOrEqual(16);
  });

  it("costs only retries when the shared waits are lost or cannot be kept", async () => {
    const world = createWorld();
    const keys = many(world, 5);
    let isGood = false;
    const { deps, asked } = withExpiredSecret(world, () => isGood);
    const forgetful: World["deps"] = {
      ...deps,
      tables: {
        ...deps.tables,
        list: (table, partition) =>
          table === "shared" ? Promise.resolve({ ok: true, value: [] }) : deps.tables.list(table, partition),
        commit: (table, partition, actions) =>
          table === "shared"
            ? Promise.resolve({ ok: false, error: { kind: "transient", code: "OutcomeUnknown", message: "no answer" } })
            : deps.tables.commit(table, partition, actions),
        nowMs: () => deps.tables.nowMs(),
      },
    };
    await runBy(world, forgetful, hour);
    // Each for itself, as slowly as its class: 30 s, 1, 2, 4, 8, 16, 32 min.
    expect(asked.length).toBeLessThanOrEqual(5 * 9);
    isGood = true;
    await runBy(world, forgetful, 2 * hour);
    for (const key of keys) expect(readyOf(world, key), key.name).toMatchObject({ status: "True" });
  });

  it("A39: keeps the finalizer of what is being deleted, says which ids remain and why, and goes on by itself", async () => {
    const world = createWorld();
    const [key] = many(world, 1);
    await world.run(hour);
    expect(readyOf(world, key!)).toMatchObject({ status: "True" });
    let isGood = false;
    const { deps, asked } = withExpiredSecret(world, () => isGood);
    world.objects.remove(key!);
    await runBy(world, deps, hour);
    expect(asked.length).toBeLessThanOrEqual(10);
    const said = conditionsOf(world.objects.find(key!))["NetworkInfrastructureReady"];
    expect(said).toMatchObject({ reason: "DeleteBlocked", message: expect.stringContaining("/resourceGroups/c0") });
    expect(said?.message).toContain("AADSTS7000222");
    isGood = true;
    await runBy(world, deps, 2 * hour);
    expect(world.objects.find(key!)).toBeUndefined();
    expect([...world.arm.resources.keys()]).toEqual([]);
  });
});

describe("a role that is missing", () => {
  it("holds back objects of the same group and kind of resource, and nobody else", async () => {
    const world = createWorld();
    const fault = { kind: "respond", status: 403, code: "AuthorizationFailed", message: "no" } as const;
    const match = { method: "PUT", path: "/resourceGroups/c0/providers/Microsoft.Network/virtualNetworks", times: 999 };
    world.arm.faults.push({ rule: { match, fault }, seen: 0 });
    const [refused, other] = many(world, 2);
    await world.run(hour);
    expect(readyOf(world, other!)).toMatchObject({ status: "True" });
    expect(readyOf(world, refused!)?.message).toContain("AuthorizationFailed");
    expect(world.arm.faults[0]?.seen).toBeLessThanOrEqual(10);
    world.arm.faults = [];
  });
});

describe("a quota of public IP addresses", () => {
  it("A67: is met by one object and waited for by the others of the region; today each asks again for ever", async () => {
    const world = createWorld({ quotas: { publicIps: 4 } });
    const keys = many(world, 20);
    await world.run(3 * hour);
    const refused = world
      .requests()
      .filter(({ path, status }) => /publicIPAddresses/i.test(path) && status >= 400 && status !== 404);
    // One wave of one object may send two at once; afterwards one each hour.
    expect(refused.length).toBeGreaterThanOrEqual(1);
    expect(refused.length).toBeLessThanOrEqual(10);
    const waiting = keys.filter((key) => readyOf(world, key)?.status !== "True");
    expect(waiting.length).toBeGreaterThan(10);
    const said = conditionsOf(world.objects.find(waiting.at(-1)!))["PublicIPsReady"];
    expect(said?.message).toMatch(/CountLimitReached|quota/i);
    world.arm.options = { ...world.arm.options, quotas: {} };
    await world.run(2 * hour);
    for (const key of keys) expect(readyOf(world, key), key.name).toMatchObject({ status: "True" });
    expect(world.tables.rows("shared").filter(({ row }) => row.startsWith("quota~"))).toEqual([]);
  });
});
