import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fileObjects } from "../../../src/cli/plan/fileObjects.ts";
import { makePlan, type Planning } from "../../../src/cli/plan/makePlan.ts";
import type { ObjectPlan } from "../../../src/cli/plan/objectPlan.ts";
import { idKey } from "../../../src/core/ids.ts";
import type { JsonObject, KubeObject, Result } from "../../../src/core/types.ts";
import { kinds } from "../../../src/kinds/index.ts";
import { anAzureCluster } from "../../kinds/aCluster.ts";
import { anySpec } from "../../kinds/specArbitrary.ts";
import { canaries, traces } from "../../support/canaries.ts";
import { key } from "../../support/defaultCluster.ts";
import { applyTestThing, testKinds } from "../../support/testServices/testKind.ts";
import { applyDefaultCluster, conditionsOf, createWorld } from "../../support/world.ts";
import { formProblems } from "./planForm.ts";
import { planIn, planningIn, writesIn } from "./planning.ts";

const fromNothing: Planning = { kinds, source: fileObjects([]), settings: {}, progress: () => undefined };

/** The owner is not in any file: what it says is beside the point here. */
const withOwner = (object: KubeObject): Planning => ({
  ...fromNothing,
  source: {
    ...fromNothing.source,
    get: (wanted) =>
      wanted.kind === "Cluster"
        ? Promise.resolve({
            ...object,
            kind: "Cluster",
            metadata: { ...object.metadata, ownerReferences: [] },
            spec: {},
          })
        : fromNothing.source.get(wanted),
  },
});

const planned = (spec: JsonObject, deleting: boolean): Promise<Result<ObjectPlan, readonly string[]>> => {
  const object = anAzureCluster(spec);
  const kind = kinds.get("AzureCluster");
  if (kind === undefined) throw new Error("no kind");
  return makePlan(object, kind, { ...withOwner(object), deleting });
};

describe.each([{ deleting: false }, { deleting: true }])("any plan, deleting: $deleting", ({ deleting }) => {
  it("has the printed form, steps after what they need, and is the same each time", async () => {
    let made = 0;
    await fc.assert(
      fc.asyncProperty(anySpec, async (spec) => {
        const [one, other] = [await planned(spec as never, deleting), await planned(spec as never, deleting)];
        expect(other).toEqual(one);
        if (!one.ok) {
          expect(one.error.length).toBeGreaterThan(0);
          return;
        }
        made += 1;
        const { plan } = one.value;
        expect(formProblems(JSON.stringify(plan))).toEqual([]);
        const ids = plan.steps.map(({ id }) => idKey(id));
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 200, seed: 11 },
    );
    expect(made).toBeGreaterThan(5);
  });
});

/** Azure says itself what the name of an address is: one that is none of Azure's is never as it was asked for. */
const withoutNames = (spec: unknown): JsonObject =>
  JSON.parse(JSON.stringify(spec, (name, value: unknown) => (name === "dnsName" ? undefined : value))) as JsonObject;

describe("a plan after its work is done", () => {
  it("is all `none`, whatever the spec", async () => {
    const specs = fc.sample(anySpec, { numRuns: 150, seed: 5 }).map(withoutNames);
    let stood = 0;
    for (const changes of specs) {
      const world = createWorld();
      world.restless = "specs that cannot work are looked at again and again";
      applyDefaultCluster(world);
      world.objects.edit(key, (object) => ({
        ...object,
        spec: { ...object.spec, ...changes },
      }));
      await world.run(2 * 60 * 60_000);
      if (conditionsOf(world.objects.find(key))["Ready"]?.status !== "True") continue;
      stood += 1;
      const after = await planIn(world);
      expect({ changes, writes: writesIn(after) }).toEqual({ changes, writes: [] });
      expect(after.plan.steps.every(({ action }) => action === "none")).toBe(true);
    }
    expect(stood).toBeGreaterThan(5);
  });
});

describe("secrets", () => {
  it("stand in no plan, whatever it does", async () => {
    const world = createWorld({}, testKinds);
    const { clientSecret, bootstrap } = canaries;
    const key = applyTestThing(world, {
      testScaleSets: {
        t1: {
          body: {
            sku: { name: "Standard_D2s_v3", capacity: 1 },
            properties: {
              virtualMachineProfile: { osProfile: { adminPassword: clientSecret, customData: bootstrap } },
            },
          },
        },
      },
    });
    const object = world.objects.find(key)!;
    const planning = await planningIn(world, { kinds: testKinds });
    const made = await makePlan(object, testKinds.get(key.kind)!, planning);
    const printed = JSON.stringify(made);
    expect(printed).toContain('"***"');
    expect(traces.filter((trace) => printed.includes(trace))).toEqual([]);
    world.restless = "its scale set has no network";
  });
});
