import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/core/types.ts";
import { removeResource } from "../../src/sim/arm/otherWriter.ts";
import { annotate, bodyOf, group, ids, key, mutate, withTag } from "../support/defaultCluster.ts";
import {
  arena,
  askFor,
  conditionOf,
  hourOf,
  look,
  setSource,
  source,
  unsteady,
  withTeam,
  writesTo,
} from "../support/fights.ts";
import { applyDefaultCluster, conditionsOf, type World } from "../support/world.ts";

const tagsOf = (world: World, id: string): JsonObject => bodyOf(world, id)["tags"] as JsonObject;
const asksForTeam = (world: World): void => void world.objects.edit(key, (object) => withTeam(object, "blue"));
const nothing = (): void => undefined;

describe("a hold", () => {
  it("is kept by the next turn, which does not take the ledger for the truth", async () => {
    const at = await arena();
    const { world } = at;
    await hourOf(at, () => setSource(world, "Internet"));
    const before = { writes: writesTo(world, ids.nodeNsg), shown: conditionOf(world, "SecurityGroupsReady") };
    expect(before.shown).toMatchObject({ reason: "ReconcileLoop" });
    // A turn that is not told to read Azure, and whose plan is the one that the ledger says is applied.
    annotate(world, "capstan.azure/retry", "1");
    await world.run(1_000);
    expect(conditionOf(world, "SecurityGroupsReady")).toEqual(before.shown);
    expect(writesTo(world, ids.nodeNsg)).toBe(before.writes);
    const until =
      /goes on at ([^\s,]+), or at once with `capstan release`$/.exec(before.shown?.message ?? "")?.[1] ?? "";
    await world.run(Date.parse(until) - world.clock.nowMs() + 10_000);
    expect(source(world)).toBe("10.0.0.0/8");
    expect(writesTo(world, ids.nodeNsg)).toBe(before.writes + 1);
  });

  it("does not hold up other resources of the object, which are put right at once", async () => {
    const at = await arena(asksForTeam);
    const { world } = at;
    await hourOf(at, () => setSource(world, "Internet"));
    expect(conditionOf(world, "SecurityGroupsReady")).toMatchObject({ reason: "ReconcileLoop" });
    mutate(world, ids.routeTable, (body) => withTag(body, "team", undefined));
    await look(at);
    expect(tagsOf(world, ids.routeTable)).toMatchObject({ team: "blue" });
    expect(source(world)).toBe("Internet");
  });

  it("does not hold up what comes later in the plan and can do without it", async () => {
    const at = await arena(asksForTeam);
    const { world } = at;
    await hourOf(at, () => void removeResource(world.arm, ids.routeTable, world.clock.nowMs()));
    expect(conditionOf(world, "RouteTablesReady")).toMatchObject({ reason: "ReconcileLoop" });
    expect(bodyOf(world, ids.routeTable)).toEqual({});
    // The load balancer comes after subnets, which come after route tables; it needs neither.
    mutate(world, ids.lb, (body) => withTag(body, "team", undefined));
    askFor(world, "172.16.0.0/12");
    await look(at);
    await world.run(10_000);
    expect(tagsOf(world, ids.lb)).toMatchObject({ team: "blue" });
    expect(source(world)).toBe("172.16.0.0/12");
    expect(bodyOf(world, ids.routeTable)).toEqual({});
  });

  it("does not hold up other objects: another cluster goes on at full speed", async () => {
    const at = await arena();
    const { world } = at;
    const other = applyDefaultCluster(world, "c2");
    await world.run();
    const { length } = world.writes();
    const asked: string[] = [];
    const lateness: string[] = [];
    await hourOf(at, (_, round) => {
      const last = asked.at(-1);
      // What was asked for a minute ago has long been done.
      if (last !== undefined && tagsOf(world, group.replace(/c1$/, "c2"))["team"] !== last) lateness.push(last);
      setSource(world, "Internet");
      if (round % 10 !== 5) return;
      asked.push(`team-${round}`);
      world.objects.edit(other, (object) => withTeam(object, `team-${round}`));
    });
    expect(asked).toHaveLength(6);
    expect(lateness).toEqual([]);
    const toGroup = (path: string): boolean => path.toLowerCase().startsWith(ids.nodeNsg.toLowerCase());
    const fought = world
      .writes()
      .slice(length)
      .filter(({ path }) => toGroup(path));
    expect(fought.length).toBeLessThanOrEqual(8);
    expect(conditionsOf(world.objects.find(other))["Ready"]).toMatchObject({ status: "True" });
  });

  it("A60: over a text that our own annotation holds does not let that annotation start turn after turn", async () => {
    const at = await arena(undefined, { latency: 30_000 });
    const { world } = at;
    let turns = 0;
    const deps = unsteady(
      at.deps,
      () => {
        turns += 1;
        return `made up ${turns}`;
      },
      "description",
    );
    const before = { writes: writesTo(world, ids.nodeNsg), calls: world.calls.length, logs: world.logs.length };
    await hourOf({ world, deps }, nothing);
    const applied = world.calls.slice(before.calls).filter(({ name }) => name === "kube apply metadata").length;
    const wrote = writesTo(world, ids.nodeNsg) - before.writes;
    expect(wrote).toBeLessThanOrEqual(8);
    // What is applied is said, not what is wanted: once a write to Azure.
    expect(applied).toBeLessThanOrEqual(wrote);
    const causes = world.logs.slice(before.logs).flatMap(({ message, fields }) => {
      return message === "turn finished" ? [fields["cause"]] : [];
    });
    // No doorbell of our own annotation starts a turn; what is left are a look a minute and the polls of the writes.
    expect(causes.filter((cause) => cause !== "drift" && cause !== "followUp")).toEqual([]);
    expect(turns).toBeLessThanOrEqual(180);
  });
});
