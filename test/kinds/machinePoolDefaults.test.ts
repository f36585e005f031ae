import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { structural } from "../../src/api/definition/structural.ts";
import {
  type AzureMachinePoolSpec,
  azureMachinePoolSpec,
  parseAzureMachinePool,
} from "../../src/api/machine/azureMachinePool.ts";
import { parseSpec } from "../../src/api/parse.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { poolAsAsked } from "../../src/kinds/machine/asAsked.ts";
import type { ComputeFacts } from "../../src/kinds/machine/facts.ts";
import { completePool } from "../../src/kinds/machinePoolDefaults.ts";
import { specArbitrary } from "../api/specArbitrary.ts";
import { anObject } from "./aCluster.ts";
import { leaves } from "./leaves.ts";

const facts: ComputeFacts = {
  name: "mp-0",
  subscription: "s",
  resourceGroup: "rg",
  role: "node",
  subnets: [{ name: "node-subnet", role: "node" }],
  image: { id: "/image" },
};
const template = { vmSize: "Standard_D2s_v5", osDisk: { osType: "Linux" } };
const least: AzureMachinePoolSpec = { location: "eastus", template };

// Fact sheet, machines, 3.1, 3.5 and 5.6.
describe("the complete form of a pool", () => {
  it("of the least spec", () =>
    expect(completePool(facts, least)).toEqual({
      location: "eastus",
      identity: "None",
      orchestrationMode: "Uniform",
      strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0, deletePolicy: "Oldest" } },
      template: {
        vmSize: "Standard_D2s_v5",
        image: { id: "/image" },
        osDisk: { osType: "Linux", cachingType: "None" },
        diagnostics: { boot: { storageAccountType: "Managed" } },
        networkInterfaces: [{ subnetName: "node-subnet", privateIPConfigs: 1 }],
        disableVMBootstrapExtension: true,
      },
    }));

  it.each<{ readonly when: string; readonly spec: Partial<AzureMachinePoolSpec>; readonly gives: object }>([
    {
      when: "takes Linux for an empty operating system",
      spec: { template: { ...template, osDisk: { osType: "" } } },
      gives: { template: { osDisk: { osType: "Linux" } } },
    },
    {
      when: "keeps a strategy, and completes the rest of it",
      spec: { strategy: { rollingUpdate: { maxSurge: "25%" } } },
      gives: { strategy: { rollingUpdate: { maxSurge: "25%", maxUnavailable: 0, deletePolicy: "Oldest" } } },
    },
    {
      when: "has one fault domain where instances are VMs of their own",
      spec: { orchestrationMode: "Flexible" },
      gives: { platformFaultDomainCount: 1 },
    },
    {
      when: "keeps the number of fault domains",
      spec: { orchestrationMode: "Flexible", platformFaultDomainCount: 5 },
      gives: { platformFaultDomainCount: 5 },
    },
    {
      when: "numbers disks",
      spec: { template: { ...template, dataDisks: ["a", "b"].map((nameSuffix) => ({ nameSuffix, diskSizeGB: 4 })) } },
      gives: { template: { dataDisks: [{ lun: 0 }, { lun: 1 }] } },
    },
    {
      when: "gives an identity a role that is named after the scale set",
      spec: { identity: "SystemAssigned" },
      gives: {
        systemAssignedIdentityRole: { scope: "/subscriptions/s/", name: expect.stringMatching(/^[0-9a-f-]{36}$/) },
      },
    },
  ])("$when", ({ spec, gives }) => expect(completePool(facts, { ...least, ...spec })).toMatchObject(gives));

  it("leaves caching and evictions to Azure", () => {
    const { template: instance } = completePool(facts, {
      ...least,
      template: { ...template, spotVMOptions: {}, dataDisks: [{ nameSuffix: "a", diskSizeGB: 4 }] },
    });
    expect(instance.spotVMOptions).toEqual({});
    expect(instance.dataDisks?.[0]).not.toHaveProperty("cachingType");
    expect(completePool(facts, least)).not.toHaveProperty("platformFaultDomainCount");
  });
});

// The one cast: TypeBox schemas are JSON.
const someSpec = specArbitrary(structural(azureMachinePoolSpec as unknown as Json, "spec") as never).map(
  (spec) => spec as JsonObject,
);
const read = (spec: JsonObject): AzureMachinePoolSpec => {
  const parsed = parseAzureMachinePool(anObject("AzureMachinePool", { spec }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};
const runs = { numRuns: 100 };

describe("the complete form of any pool", () => {
  it("is complete, and a spec", () =>
    fc.assert(
      fc.property(someSpec, (spec) => {
        const complete = completePool(facts, read(spec));
        expect(completePool(facts, complete)).toEqual(complete);
        expect(parseSpec(azureMachinePoolSpec, { spec: complete as unknown as JsonObject })).toEqual({
          ok: true,
          value: complete,
        });
      }),
      runs,
    ));

  it("keeps what the user set", () =>
    fc.assert(
      fc.property(someSpec, (spec) => {
        const asked = poolAsAsked(read(spec));
        const has = new Map(leaves(completePool(facts, read(spec))));
        // A role means nothing without the identity that it is for.
        const counts = ([path]: readonly [string, unknown]): boolean =>
          asked.identity === "SystemAssigned" || !path.startsWith("/systemAssignedIdentityRole");
        for (const [path, value] of leaves(asked).filter(counts)) expect([path, has.get(path)]).toEqual([path, value]);
      }),
      runs,
    ));
});
