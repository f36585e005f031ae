import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { machineNames, type NamedMachine, scaleSetName, vmName } from "../../../src/kinds/machine/machineNames.ts";
import { roleAssignmentName } from "../../../src/kinds/machine/roleAssignmentName.ts";

// Fact sheet, machines, 1.3 and 3.4.
describe("the name of a VM", () => {
  const long = "my-cluster-md-0-abcde-xyz12";
  it.each<{ readonly of: NamedMachine; readonly is: string }>([
    { of: { name: long, osType: "Linux" }, is: long },
    { of: { name: long, osType: "Windows" }, is: "my-cluste-xyz12" },
    { of: { name: "windows1-md-0-xyz12", osType: "Windows" }, is: "windows1-xyz12" },
    { of: { name: "exactly15-chars", osType: "Windows" }, is: "exactly15-chars" },
    {
      of: { name: long, osType: "Windows", providerID: "azure:///subscriptions/s/resourceGroups/rg/providers/x/y/old" },
      is: "old",
    },
    { of: { name: long, osType: "Linux", providerID: "" }, is: long },
  ])("of $of is $is", ({ of, is }) => expect(vmName(of)).toBe(is));
});

it.each<{ readonly name: string; readonly osType: "Linux" | "Windows"; readonly is: string }>([
  { name: "my-cluster-mp-0", osType: "Linux", is: "my-cluster-mp-0" },
  { name: "my-cluster-mp-0", osType: "Windows", is: "win--mp-0" },
  { name: "pool-0001", osType: "Windows", is: "pool-0001" },
])("the scale set of the $osType pool $name is $is", ({ name, osType, is }) =>
  expect(scaleSetName(name, osType)).toBe(is),
);

it("names what belongs to a machine after it", () =>
  expect([
    machineNames.networkInterface("vm", 0, 1),
    machineNames.networkInterface("vm", 0, 2),
    machineNames.scaleSetNetworkInterface("pool", 0),
    machineNames.osDisk("vm"),
    machineNames.dataDisk("vm", "etcddisk"),
    machineNames.publicIp("vm"),
    machineNames.availabilitySet("c1", "control-plane"),
  ]).toEqual(["vm-nic", "vm-nic-0", "pool-nic-0", "vm_OSDisk", "vm_etcddisk", "pip-vm", "c1_control-plane-as"]));

describe("the name of a role assignment", () => {
  it("is a UUID, one for each holder, role and scope, in any case", () =>
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (holder, role, scope) => {
        const name = roleAssignmentName(holder, role, scope);
        expect(name).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(roleAssignmentName(holder.toUpperCase(), role, scope)).toBe(
          roleAssignmentName(holder.toUpperCase().toLowerCase(), role, scope),
        );
        expect(roleAssignmentName(`${holder}x`, role, scope)).not.toBe(name);
        expect(roleAssignmentName(holder, `${role}x`, scope)).not.toBe(name);
        expect(roleAssignmentName(holder, role, `${scope}x`)).not.toBe(name);
      }),
    ));
  it("does not change from release to release", () =>
    expect(roleAssignmentName("/subscriptions/s/vm", "/role", "/scope")).toBe("883d85de-c563-8ce9-b9cc-08a0ddbf6fbb"));
});
