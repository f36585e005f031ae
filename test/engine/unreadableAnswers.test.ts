import { describe, expect, it } from "vitest";
import type { Json } from "../../src/core/types.ts";
import type { Deps } from "../../src/engine/deps.ts";
import type { Arm } from "../../src/ports.ts";
import { azureState } from "../support/azureState.ts";
import { ids, key, resources, settledCluster } from "../support/defaultCluster.ts";
import { look } from "../support/fights.ts";
import { withWish } from "../support/scheduleSpec.ts";
import { ready, rowOf, runBy } from "../support/turns.ts";
import type { World } from "../support/world.ts";

const hour = 3_600_000;

/** The function app, to which Azure answers the reads of every resource with something else while `isOn`. */
const readingAs = (world: World, body: Json, isOn: () => boolean): Deps => {
  const around = (arm: Arm): Arm => ({
    ...arm,
    send: async (request) => {
      const answer = await arm.send(request);
      return answer.ok && request.method === "GET" && isOn() ? { ok: true, value: { ...answer.value, body } } : answer;
    },
  });
  const connect: Deps["azure"]["connect"] = async (credential) => {
    const connected = await world.deps.azure.connect(credential);
    return connected.ok ? { ok: true, value: around(connected.value) } : connected;
  };
  return { ...world.deps, azure: { connect } };
};

const answers: readonly (readonly [string, Json])[] = [
  ["nothing", null],
  ["a list", []],
  ["a text", "ok"],
  ["a number", 3],
  ["an empty object", {}],
  ["an error", { error: { code: "InternalServerError", message: "oops" } }],
  ["an id of nothing", { id: "", tags: {}, properties: {} }],
];

describe("a read that Azure answers with 200 and no resource", () => {
  it.each(answers)("%s: says nothing of whose the resource is, nor of its fields", async (_, body) => {
    const world = await settledCluster();
    const undisturbed = await settledCluster();
    for (const one of [world, undisturbed])
      one.objects.edit(key, (object) => withWish(object, { source: "10.1.0.0/16", isWider: false, team: "b" }));
    let isOn = true;
    const deps = readingAs(world, body, () => isOn);
    const before = world.writes().length;
    await runBy(world, deps, hour);
    expect(world.writes().length).toBe(before);
    expect(ready(world)).toMatchObject({ status: "False", message: expect.stringContaining("UnreadableAnswer") });
    expect(rowOf(world, ids.vnet)?.known).toBe("created");
    isOn = false;
    await runBy(world, deps, 2 * hour);
    await undisturbed.run(2 * hour);
    expect(ready(world)).toMatchObject({ status: "True" });
    expect(azureState(world)).toEqual(azureState(undisturbed));
  });

  it.each(answers)("%s: keeps the finalizer of what is being deleted, and deletes nothing", async (_, body) => {
    const world = await settledCluster();
    let isOn = true;
    const deps = readingAs(world, body, () => isOn);
    world.objects.remove(key);
    const before = world.writes().length;
    await runBy(world, deps, hour);
    expect(world.writes().length).toBe(before);
    expect(world.objects.find(key)).toBeDefined();
    isOn = false;
    await runBy(world, deps, 2 * hour);
    expect(world.objects.find(key)).toBeUndefined();
    expect(resources(world)).toEqual([]);
  });

  it("is no loss to what is settled: it stays ready when one look fails", async () => {
    const world = await settledCluster();
    let answered = 0;
    const deps = readingAs(world, null, () => {
      answered += 1;
      return answered === 1;
    });
    await look({ world, deps });
    expect(answered).toBeGreaterThan(1);
    expect(ready(world)).toMatchObject({ status: "True" });
  });
});
