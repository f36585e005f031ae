import { describe, expect, it } from "vitest";
import { creationPlans, renderPlan } from "../../src/cli/creationPlan.ts";
import { quickstart } from "../../src/cli/demoOptions.ts";
import { parseManifest, readManifest } from "../../src/cli/manifest.ts";
import { kinds } from "../../src/kinds/index.ts";

describe("a plan from nothing", () => {
  it("has one request for each resource of the quickstart, each after what it needs", async () => {
    const [plan, ...more] = await creationPlans(await readManifest(quickstart, {}), kinds);
    expect(more).toEqual([]);
    expect(plan).toMatchObject({ object: "AzureCluster default/quickstart", problems: [] });
    const { steps } = plan!;
    expect(steps.map(({ id }) => id).toSorted()).toEqual([...new Set(steps.map(({ id }) => id))].toSorted());
    expect(steps.every(({ method, apiVersion }) => method === "PUT" && /^\d{4}-\d\d-\d\d/.test(apiVersion))).toBe(true);
    const services = steps.map(({ service }) => service);
    expect(services[0]).toBe("resourceGroups");
    expect(services.lastIndexOf("virtualNetworks")).toBeLessThan(services.indexOf("subnets"));
    expect(services.lastIndexOf("publicIps")).toBeLessThan(services.indexOf("loadBalancers"));
    expect(renderPlan(plan!)).toHaveLength(steps.length + 1);
  });

  it("says why there is none", async () => {
    const text =
      "apiVersion: infrastructure.cluster.x-k8s.io/v1beta1\nkind: AzureCluster\nmetadata: { name: alone }\nspec: { location: westeurope }\n";
    const [plan] = await creationPlans(parseManifest(text, "f"), kinds);
    expect(plan?.steps).toEqual([]);
    expect(renderPlan(plan!)[0]).toBe("AzureCluster default/alone: no plan");
    expect(plan?.problems.join()).toContain("Cluster");
  });
});
