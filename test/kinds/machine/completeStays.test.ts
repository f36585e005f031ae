import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkObject } from "../../../src/api/check/checkObject.ts";
import type { AzureMachineSpec } from "../../../src/api/machine/azureMachine.ts";
import type { Json, JsonObject } from "../../../src/core/types.ts";
import type { ComputeFacts } from "../../../src/kinds/machine/facts.ts";
import { completeMachine } from "../../../src/kinds/machineDefaults.ts";

/** Without subnets to choose from: which one a role has is no default that a definition could know. */
const facts: ComputeFacts = { name: "m1", subscription: "s", resourceGroup: "rg", role: "node", subnets: [] };

const optional = <T>(arb: fc.Arbitrary<T>) => fc.option(arb, { nil: undefined });
const someDisk = fc.record(
  {
    nameSuffix: fc.constantFrom("a", "b", "c", "d", "e"),
    diskSizeGB: fc.constantFrom(4, 64),
    lun: fc.integer({ min: 0, max: 6 }),
    cachingType: fc.constantFrom("None", "ReadOnly", "ReadWrite"),
    managedDisk: fc.record({ storageAccountType: fc.constantFrom("Premium_LRS", "UltraSSD_LRS", "PremiumV2_LRS") }),
  },
  { requiredKeys: ["nameSuffix", "diskSizeGB"] },
);
const someInterface = fc.record(
  {
    subnetName: fc.constantFrom("a", "b"),
    privateIPConfigs: fc.integer({ min: 0, max: 3 }),
    acceleratedNetworking: fc.boolean(),
  },
  { requiredKeys: [] },
);
const someSpec = fc
  .record({
    osDisk: fc.record(
      { osType: fc.constantFrom("Linux", "Windows"), diffDiskSettings: fc.constant({ option: "Local" }) },
      { requiredKeys: ["osType"] },
    ),
    dataDisks: optional(fc.uniqueArray(someDisk, { maxLength: 5, selector: ({ nameSuffix }) => nameSuffix })),
    spotVMOptions: optional(
      fc.record(
        { evictionPolicy: fc.constantFrom("Delete", "Deallocate"), maxPrice: fc.constantFrom("1", "40m") },
        { requiredKeys: [] },
      ),
    ),
    diagnostics: optional(
      fc.record(
        { boot: fc.record({ storageAccountType: fc.constantFrom("Managed", "Disabled") }) },
        { requiredKeys: [] },
      ),
    ),
    networkInterfaces: optional(fc.array(someInterface, { maxLength: 3 })),
    subnetName: optional(fc.constantFrom("", "a")),
    acceleratedNetworking: optional(fc.boolean()),
    allocatePublicIP: optional(fc.boolean()),
    disableExtensionOperations: optional(fc.boolean()),
    identity: optional(fc.constantFrom("None")),
  })
  // Left out where it is undefined, as JSON leaves it out.
  .map((spec) => JSON.parse(JSON.stringify({ vmSize: "Standard_D2s_v5", ...spec })) as JsonObject);

const machine = (spec: Json): JsonObject => whole("AzureMachine", spec);
const template = (spec: Json): JsonObject => whole("AzureMachineTemplate", { template: { spec } });
const whole = (kind: string, spec: Json): JsonObject => ({
  apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
  kind,
  metadata: { name: "it", namespace: "default" },
  spec,
});
/** The complete form, without what a template is compared by in the spec's own words: upstream never wrote it. */
const completed = (spec: JsonObject): JsonObject => {
  // The one cast each: the specs are JSON of the shape, or else the check says so.
  const { additionalCapabilities: _, ...rest } = completeMachine(facts, spec as unknown as AzureMachineSpec);
  return rest as unknown as JsonObject;
};

describe.each([
  { kind: "AzureMachine", wrapped: machine },
  { kind: "AzureMachineTemplate", wrapped: template },
])("an $kind", ({ kind, wrapped }) => {
  const findings = (spec: JsonObject, before: JsonObject): readonly string[] =>
    checkObject(kind, wrapped(spec), { before: wrapped(before) }).map(({ path, message }) => `${path}: ${message}`);

  it("may be applied with its defaults written out, and again without them", () =>
    fc.assert(
      fc.property(someSpec, (spec) => {
        fc.pre(checkObject(kind, wrapped(spec)).length === 0);
        const complete = completed(spec);
        expect(findings(complete, spec)).toEqual([]);
        expect(findings(spec, complete)).toEqual([]);
      }),
      { numRuns: 150 },
    ));
});
