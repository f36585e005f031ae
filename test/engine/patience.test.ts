import { describe, expect, it } from "vitest";
import { applyDefaultCluster, conditionsOf, createWorld } from "../support/world.ts";

describe("a cause that nobody announces is found gone after about as long again as it stood", () => {
  it.each([
    { afterMs: 3_000, withinMs: 8_000 },
    { afterMs: 60_000, withinMs: 130_000 },
    { afterMs: 2 * 3_600_000, withinMs: 2 * 3_600_000 + 11 * 60_000 },
  ])("a secret that comes after $afterMs ms", async ({ afterMs, withinMs }) => {
    const world = createWorld();
    const key = applyDefaultCluster(world);
    world.objects.putSecret("default", "sp-secret", {});
    const beganMs = world.clock.nowMs();
    await world.run(afterMs);
    world.clock.advanceTo(beganMs + afterMs);
    expect(world.requests()).toEqual([]);
    world.objects.putSecret("default", "sp-secret", { clientSecret: "late" });
    await world.run(beganMs + withinMs - world.clock.nowMs());
    expect(world.requests()).not.toEqual([]);
    await world.run();
    expect(conditionsOf(world.objects.find(key))["Ready"]).toMatchObject({ status: "True" });
  });
});
