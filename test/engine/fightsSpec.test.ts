import { describe, expect, it } from "vitest";
import { ids, key, withSource } from "../support/defaultCluster.ts";
import { type Arena, arena, askFor, conditionOf, hour, hourOf, minute, source, writesTo } from "../support/fights.ts";
import type { World } from "../support/world.ts";

const type = "SecurityGroupsReady";
const values = ["Internet", "10.0.0.0/8"] as const;
const managers = ["gitops", "kubectl-edit"] as const;

/** One of two who set the source in turn. */
const flip = (world: World, round: number): void => askFor(world, values[round % 2] ?? "", managers[round % 2] ?? "");

interface Told {
  readonly world: World;
  readonly shown: readonly ReturnType<typeof conditionOf>[];
}

/** What the condition said from the first time that it told of the contest, each change once. */
const changesIn = async (at: Arena, during: () => Promise<void>): Promise<Told> => {
  const { world } = at;
  const shown: ReturnType<typeof conditionOf>[] = [];
  world.objects.onChange(() => {
    const now = conditionOf(world, type);
    if (shown.length === 0 && now?.reason !== "SpecContested") return;
    if (JSON.stringify(shown.at(-1)) !== JSON.stringify(now)) shown.push(now);
  });
  await during();
  return { world, shown };
};

const contested = async (everyMs = minute): Promise<Arena & Told> => {
  const at = await arena();
  return { ...at, ...(await changesIn(at, () => hourOf(at, flip, everyMs))) };
};

describe("two Kubernetes writers who change one field in turn", () => {
  it("A05: show as one steady condition, told anew only when the field was written", async () => {
    const at = await arena();
    const { world } = at;
    const before = { writes: writesTo(world, ids.nodeNsg), calls: world.calls.length };
    const { shown } = await changesIn(at, () => hourOf(at, flip));
    const wrote = writesTo(world, ids.nodeNsg) - before.writes;
    expect(wrote).toBeLessThanOrEqual(8);
    expect(shown.length).toBeGreaterThan(0);
    for (const one of shown) expect(one).toMatchObject({ status: "False", reason: "SpecContested" });
    expect(shown.length).not.toBe(59);
    expect(shown.length).toBeLessThanOrEqual(wrote);
    const applied = world.calls.slice(before.calls).filter(({ name }) => name === "kube apply status");
    expect(applied.length).toBeLessThanOrEqual(2 * wrote + 2);
  });

  it("show as long as the values go to and fro, for hours", async () => {
    const at = await contested();
    const later = await changesIn(at, async () => {
      await hourOf(at, flip);
      await hourOf(at, flip, 7 * minute);
    });
    expect(later.shown.length).toBeGreaterThan(0);
    for (const one of later.shown) expect(one).toMatchObject({ status: "False", reason: "SpecContested" });
  });

  it("no longer show when a person has the last word", async () => {
    const at = await contested();
    askFor(at.world, "192.168.0.0/16", "kubectl-apply");
    await at.world.run(20_000);
    expect(source(at.world)).toBe("192.168.0.0/16");
    expect(conditionOf(at.world, type)).toMatchObject({ status: "True" });
  });

  it("no longer show when a person wants what Azure shows already", async () => {
    const at = await contested();
    const { world } = at;
    const writes = writesTo(world, ids.nodeNsg);
    expect(conditionOf(world, type)).toMatchObject({ reason: "SpecContested" });
    // Whatever Azure shows is asked for by somebody else, in other words first.
    const shown = String(source(world));
    world.objects.edit(key, (object) => withSource(object, shown === "Internet" ? "10.0.0.0/8" : "Internet"), "gitops");
    world.objects.edit(key, (object) => withSource(object, shown), "kubectl-apply");
    await world.run(20_000);
    expect(writesTo(world, ids.nodeNsg)).toBe(writes);
    expect(conditionOf(world, type)).toMatchObject({ status: "True" });
  });

  it("no longer show some time after one of the two has given in", async () => {
    const at = await contested();
    await at.world.run(4 * hour);
    expect(conditionOf(at.world, type)).toMatchObject({ status: "True" });
    expect(conditionOf(at.world, "Ready")).toMatchObject({ status: "True" });
  });
});
