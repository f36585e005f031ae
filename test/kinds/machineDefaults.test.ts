import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { structural } from "../../src/api/definition/structural.ts";
import { type AzureMachineSpec, azureMachineSpec, parseAzureMachine } from "../../src/api/machine/azureMachine.ts";
import { parseSpec } from "../../src/api/parse.ts";
import type { Json, JsonObject } from "../../src/core/types.ts";
import { chosen } from "../../src/kinds/asked.ts";
import { machineAsAsked } from "../../src/kinds/machine/asAsked.ts";
import type { ComputeFacts } from "../../src/kinds/machine/facts.ts";
import { completeMachine } from "../../src/kinds/machineDefaults.ts";
import { specArbitrary } from "../api/specArbitrary.ts";
import { anObject } from "./aCluster.ts";
import { leaves } from "./leaves.ts";

const facts: ComputeFacts = {
  name: "m1",
  subscription: "s",
  resourceGroup: "rg",
  role: "node",
  subnets: [
    { name: "control-plane-subnet", role: "control-plane" },
    { name: "node-subnet", role: "node" },
  ],
  image: { computeGallery: { gallery: "g", name: "n", version: "1.31.2" } },
};
const least: AzureMachineSpec = { vmSize: "Standard_D2s_v5", osDisk: { osType: "Linux" } };
const disk = (nameSuffix: string, more: object = {}) => ({ nameSuffix, diskSizeGB: 64, ...more });
const ultra = { managedDisk: { storageAccountType: "UltraSSD_LRS" } };
const uuid = "6f1e5a6c-2b1d-4c57-9a55-0d1f7a0f2b34";
const contributor =
  "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/b24988ac-6180-42a0-ab88-20f7382dd24c";

// Fact sheet, machines, 1.4, 1.10 to 1.14 and 5.2.
describe("the complete form of a machine", () => {
  it("of the least spec", () =>
    expect(completeMachine(facts, least)).toEqual({
      vmSize: "Standard_D2s_v5",
      image: facts.image,
      identity: "None",
      osDisk: { osType: "Linux", cachingType: "None" },
      diagnostics: { boot: { storageAccountType: "Managed" } },
      networkInterfaces: [{ subnetName: "node-subnet", privateIPConfigs: 1 }],
      disableVMBootstrapExtension: true,
      allocatePublicIP: false,
      enableIPForwarding: false,
      disableExtensionOperations: false,
    }));

  it.each<{
    readonly when: string;
    readonly facts?: Partial<ComputeFacts>;
    readonly spec: object;
    readonly gives: object;
  }>([
    {
      when: "numbers disks from the lowest free unit on",
      spec: { dataDisks: [disk("a"), disk("b", { lun: 0 }), disk("c"), disk("d", { lun: 7 })] },
      gives: { dataDisks: [{ lun: 1 }, { lun: 0 }, { lun: 2 }, { lun: 7 }] },
    },
    {
      when: "caches disks that can be cached",
      spec: {
        dataDisks: [
          disk("a"),
          disk("b", ultra),
          disk("c", { managedDisk: { storageAccountType: "PremiumV2_LRS" } }),
          disk("d", { cachingType: "ReadOnly" }),
        ],
      },
      gives: {
        dataDisks: [
          { cachingType: "ReadWrite" },
          { cachingType: "None" },
          { cachingType: "None" },
          { cachingType: "ReadOnly" },
        ],
      },
    },
    {
      when: "enables ultra disks where one is",
      spec: { dataDisks: [disk("a", ultra)] },
      gives: { additionalCapabilities: { ultraSSDEnabled: true } },
    },
    {
      when: "does not enable ultra disks against a wish",
      spec: { dataDisks: [disk("a", ultra)], additionalCapabilities: { ultraSSDEnabled: false } },
      gives: { additionalCapabilities: { ultraSSDEnabled: false } },
    },
    {
      when: "stops a spot VM",
      spec: { spotVMOptions: {} },
      gives: { spotVMOptions: { evictionPolicy: "Deallocate" } },
    },
    {
      when: "deletes a spot VM whose disk cannot be kept",
      spec: { spotVMOptions: {}, osDisk: { osType: "Linux", diffDiskSettings: { option: "Local" } } },
      gives: { spotVMOptions: { evictionPolicy: "Delete" } },
    },
    {
      when: "gives an identity a role that is named after the VM",
      spec: { identity: "SystemAssigned" },
      gives: {
        systemAssignedIdentityRole: {
          name: expect.stringMatching(/^[0-9a-f-]{36}$/),
          definitionID: contributor,
          scope: "/subscriptions/s/",
        },
      },
    },
    {
      when: "takes the name of the role from where it stood before",
      spec: { identity: "SystemAssigned", roleAssignmentName: uuid, systemAssignedIdentityRole: { scope: "/x" } },
      gives: { systemAssignedIdentityRole: { name: uuid, definitionID: contributor, scope: "/x" } },
    },
    {
      when: "takes the interface from where it stood before",
      spec: { subnetName: "mine", acceleratedNetworking: false },
      gives: { networkInterfaces: [{ subnetName: "mine", acceleratedNetworking: false, privateIPConfigs: 1 }] },
    },
    {
      when: "names the subnet of the first interface only",
      spec: { networkInterfaces: [{ privateIPConfigs: 3 }, {}] },
      gives: { networkInterfaces: [{ subnetName: "node-subnet", privateIPConfigs: 3 }, { privateIPConfigs: 1 }] },
    },
    {
      when: "is in the subnet for all machines where its role has none",
      facts: { subnets: [{ name: "all", role: "cluster" }] },
      spec: {},
      gives: { networkInterfaces: [{ subnetName: "all", privateIPConfigs: 1 }] },
    },
    {
      when: "chooses between no subnets",
      facts: { role: "control-plane", subnets: ["a", "b"].map((name) => ({ name, role: "control-plane" })) },
      spec: {},
      gives: { networkInterfaces: [{ privateIPConfigs: 1 }] },
    },
    {
      when: "accelerates interfaces that do not say, where the VM size can",
      facts: { acceleratedNetworking: true },
      spec: { networkInterfaces: [{}, { subnetName: "b", acceleratedNetworking: false }] },
      gives: { networkInterfaces: [{ acceleratedNetworking: true }, { acceleratedNetworking: false }] },
    },
    { when: "keeps its image", spec: { image: { id: "/x" } }, gives: { image: { id: "/x" } } },
    {
      when: "keeps the bootstrap extension that it wants",
      spec: { disableVMBootstrapExtension: false },
      gives: { disableVMBootstrapExtension: false },
    },
  ])("$when", ({ facts: more = {}, spec, gives }) =>
    expect(completeMachine({ ...facts, ...more }, { ...least, ...spec })).toMatchObject(gives),
  );

  it("has no deprecated field and no key", () => {
    const complete = completeMachine(facts, {
      ...least,
      subnetName: "a",
      identity: "SystemAssigned",
      roleAssignmentName: uuid,
    });
    for (const field of ["subnetName", "acceleratedNetworking", "roleAssignmentName", "sshPublicKey"])
      expect(complete).not.toHaveProperty(field);
  });
});

// The one cast: TypeBox schemas are JSON.
const someSpec = specArbitrary(structural(azureMachineSpec as unknown as Json, "spec") as never).map(
  (spec) => spec as JsonObject,
);
const read = (spec: JsonObject): AzureMachineSpec => {
  const parsed = parseAzureMachine(anObject("AzureMachine", { spec }));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value;
};
const runs = { numRuns: 100 };

describe("the complete form of any machine", () => {
  it("is complete, and a spec", () =>
    fc.assert(
      fc.property(someSpec, (spec) => {
        const complete = completeMachine(facts, read(spec));
        expect(completeMachine(facts, complete)).toEqual(complete);
        expect(parseSpec(azureMachineSpec, { spec: complete as unknown as JsonObject })).toEqual({
          ok: true,
          value: complete,
        });
      }),
      runs,
    ));

  it("keeps what the user set", () =>
    fc.assert(
      fc.property(someSpec, (spec) => {
        const asked = machineAsAsked(read(spec));
        const has = new Map(leaves(completeMachine(facts, read(spec))));
        // A role means nothing without the identity that it is for.
        const counts = ([path]: readonly [string, unknown]): boolean =>
          asked.identity === "SystemAssigned" || !path.startsWith("/systemAssignedIdentityRole");
        for (const [path, value] of leaves(asked).filter(counts)) expect([path, has.get(path)]).toEqual([path, value]);
      }),
      runs,
    ));

  it("moves what stands in deprecated fields, and adds nothing", () =>
    expect(
      machineAsAsked({ ...least, subnetName: "a", acceleratedNetworking: true, roleAssignmentName: uuid }),
    ).toEqual({
      ...least,
      networkInterfaces: [{ subnetName: "a", acceleratedNetworking: true }],
      systemAssignedIdentityRole: { name: uuid },
    }));

  it("tells what was asked", () => {
    const spec: AzureMachineSpec = { ...least, subnetName: "mine", dataDisks: [disk("a", { lun: 3 })] };
    const [complete, asked] = [completeMachine(facts, spec), machineAsAsked(spec)];
    expect(chosen(complete.networkInterfaces[0]?.subnetName, asked.networkInterfaces[0]?.subnetName)).toEqual({
      value: "mine",
      asked: true,
    });
    expect(chosen(complete.dataDisks?.[0]?.lun, asked.dataDisks?.[0]?.lun)).toEqual({ value: 3, asked: true });
    expect(chosen(complete.dataDisks?.[0]?.cachingType, asked.dataDisks?.[0]?.cachingType)).toEqual({
      value: "ReadWrite",
      asked: false,
    });
  });
});
