import { describe, expect, it } from "vitest";
import { ids } from "../support/defaultCluster.ts";
import { arena, askFor, conditionOf, look, setSource, source, writesTo } from "../support/fights.ts";
import type { World } from "../support/world.ts";

const type = "SecurityGroupsReady";
const secondsMs = 1_000;

/** The source is set so often within minutes, each time to something new; what the condition says when writes wait. */
const changedOften = async (times: number, managers: readonly string[]) => {
  const at = await arena();
  const { world } = at;
  const told: NonNullable<ReturnType<typeof conditionOf>>[] = [];
  world.objects.onChange(() => {
    const now = conditionOf(world, type);
    if (now?.status === "False" && now.reason !== "Creating" && JSON.stringify(told.at(-1)) !== JSON.stringify(now))
      told.push(now);
  });
  const before = writesTo(world, ids.nodeNsg);
  for (let round = 0; round < times; round += 1) {
    askFor(world, `10.${round + 1}.0.0/16`, managers[round % managers.length]);
    await world.run(5 * secondsMs);
  }
  return { world, told, wrote: writesTo(world, ids.nodeNsg) - before };
};
const questions = (world: World): number => world.calls.filter(({ name }) => name.includes("ResourceGraph")).length;

describe("a spec that is changed very often", () => {
  it("by one person: waits after twenty writes an hour, blames nobody in Azure, and says how to go on", async () => {
    const { world, told, wrote } = await changedOften(30, ["a-person"]);
    expect(wrote).toBeGreaterThanOrEqual(20);
    expect(wrote).toBeLessThanOrEqual(28);
    expect(told.length).toBeGreaterThan(0);
    for (const { reason, message = "" } of told) {
      expect(reason).toBe("ChangedOften");
      expect(message).toMatch(/written 2\d times within an hour, because the spec was changed so often by a-person/);
      expect(message).toContain("capstan release");
      expect(message).not.toMatch(/somebody else|stayed the same/);
    }
    expect(questions(world)).toBe(0);
    await world.run(3_600 * secondsMs);
    expect(source(world)).toBe("10.30.0.0/16");
    expect(conditionOf(world, type)?.status).toBe("True");
  });

  it("by three in turn: names who it was, and blames nobody in Azure", async () => {
    const { told } = await changedOften(30, ["flux", "argo", "a-person"]);
    expect(told.length).toBeGreaterThan(0);
    const someone = "(flux|argo|a-person)";
    for (const { message = "" } of told)
      expect(message).toMatch(new RegExp(`changed (so often by ${someone}|in turn by ${someone} and ${someone})`));
  });

  it("and is undone in Azure later: says that it was undone", async () => {
    const { world, told } = await changedOften(30, ["a-person"]);
    await world.run(3_600 * secondsMs);
    told.splice(0);
    for (let round = 0; round < 6; round += 1) {
      setSource(world, "Internet");
      await look({ world, deps: world.deps });
    }
    expect(told.at(-1)?.reason).toBe("ReconcileLoop");
    expect(told.at(-1)?.message).toContain("changed each time by another-writer (");
  });
});
