import { describe, expect, it } from "vitest";
import type { Json } from "../../../src/sim/arm/json.ts";
import { aGroup, aMachine, aNetwork, bodies, compute, group, location, nicId, subscription, vmId } from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const disk = `${compute}/disks/vm_OSDisk`;

describe("virtual machines", () => {
  it("make their disk, never show their secrets, and fill what they compute", () => {
    const world = aMachine();
    const got = JSON.stringify(world.get(vmId).body);
    expect(got).not.toContain("c2VjcmV0");
    expect(world.get(vmId).body).toMatchObject({
      etag: expect.stringMatching(/^"\d+"$/),
      properties: {
        vmId: expect.any(String),
        storageProfile: { osDisk: { osType: "Linux", deleteOption: "Detach", managedDisk: { id: disk } } },
        osProfile: { secrets: [], allowExtensionOperations: true },
      },
    });
    expect(world.get(disk).body).toMatchObject({ managedBy: vmId, properties: { diskState: "Attached" } });
    expect(errorOf(world.del(disk))).toBe("409 OperationNotAllowed");
  });

  it.each([
    { deleteOption: "Detach", gives: 200 },
    { deleteOption: "Delete", gives: 404 },
  ])("with deleteOption $deleteOption the disk answers $gives afterwards", ({ deleteOption, gives }) => {
    const world = aNetwork();
    world.put(nicId, bodies.nic());
    world.put(
      vmId,
      bodies.vm({ storageProfile: { osDisk: { name: "vm_OSDisk", createOption: "FromImage", deleteOption } } }),
    );
    world.get(vmId);
    world.del(vmId);
    expect(world.get(disk).status).toBe(gives);
    if (gives === 200) expect(world.get(disk).body).toMatchObject({ properties: { diskState: "Unattached" } });
  });

  it("show an instance view and power on request, and extensions as resources", () => {
    const world = aMachine();
    world.put(`${vmId}/extensions/boot`, {
      location,
      properties: { publisher: "p", type: "t", protectedSettings: { commandToExecute: "secret" } },
    });
    expect(world.post(`${vmId}/deallocate`).status).toBe(202);
    expect(JSON.stringify(world.get(`${vmId}?$expand=instanceView`).body)).toContain("PowerState/deallocated");
    expect(JSON.stringify(world.get(`${vmId}/instanceView`).body)).toContain("PowerState/deallocated");
    expect(JSON.stringify(world.get(vmId).body)).not.toContain("instanceView");
    expect(world.get(vmId).body).toMatchObject({ resources: [{ name: "boot" }] });
    expect(JSON.stringify(world.get(`${vmId}/extensions/boot`).body)).not.toContain("secret");
  });

  it("PATCH merges; what cannot change is refused", () => {
    const world = aMachine();
    expect(world.patch(vmId, { tags: { a: "1" } })).toMatchObject({
      status: 200,
      body: { tags: { a: "1" }, properties: { hardwareProfile: { vmSize: "Standard_D2s_v3" } } },
    });
    expect(errorOf(world.patch(vmId, { properties: { osProfile: { adminUsername: "other" } } }))).toBe(
      "409 PropertyChangeNotAllowed",
    );
    expect(world.patch(vmId, {}, { headers: { "if-match": '"0"' } }).status).toBe(412);
  });

  it.each([
    { shortage: "SkuNotAvailable", gives: "409 SkuNotAvailable", operation: undefined },
    { shortage: "ZonalAllocationFailed", gives: "201 ", operation: "ZonalAllocationFailed" },
  ] as const)("$shortage shows at once or in the operation", ({ shortage, gives, operation }) => {
    const world = aNetwork({ shortages: [{ size: "Standard_D2s_v3", code: shortage }] });
    world.put(nicId, bodies.nic());
    const answer = world.put(vmId, bodies.vm());
    expect(errorOf(answer)).toBe(gives);
    if (operation !== undefined)
      expect(world.poll(answer).body).toMatchObject({ status: "Failed", error: { code: operation } });
  });

  it.each([
    { quotas: { cores: 1 }, text: "Total Regional Cores" },
    { quotas: { families: { standardDSv3Family: 1 } }, text: "standardDSv3Family Cores" },
  ])("the quota message names $text", ({ quotas, text }) => {
    const world = aNetwork({ quotas });
    world.put(nicId, bodies.nic());
    const refused = world.put(vmId, bodies.vm());
    expect(errorOf(refused)).toBe("409 OperationNotAllowed");
    expect(JSON.stringify(refused.body)).toContain(text);
    expect(JSON.stringify(refused.body)).toContain("Current Limit: 1, Current Usage: 0, Additional Required: 2");
  });

  it("an availability set lists its machines and is not deleted with them", () => {
    const world = aNetwork();
    const set = `${compute}/availabilitySets/as`;
    expect(
      world.put(set, { location, sku: { name: "Aligned" }, properties: { platformFaultDomainCount: 3 } }).status,
    ).toBe(200);
    world.put(nicId, bodies.nic());
    world.put(vmId, bodies.vm({ availabilitySet: { id: set } }));
    expect(world.get(set).body).toMatchObject({ properties: { virtualMachines: [{ id: vmId }] } });
    expect(errorOf(world.del(set))).toBe("409 OperationNotAllowed");
    world.del(vmId);
    expect(world.del(set).status).toBe(200);
  });
});

describe("scale sets", () => {
  const set = `${compute}/virtualMachineScaleSets/mp`;
  const body = (capacity: number, more: Record<string, Json> = {}, image = "v1"): Json => ({
    location,
    zones: ["1", "2"],
    sku: { name: "Standard_D2s_v3", capacity },
    properties: {
      ...more,
      virtualMachineProfile: {
        osProfile: { computerNamePrefix: "mp", customData: "c2VjcmV0" },
        storageProfile: { imageReference: { id: image }, osDisk: { createOption: "FromImage" } },
      },
    },
  });
  const instances = (world: ReturnType<typeof aGroup>) =>
    (
      world.get(`${set}/virtualMachines`).body as {
        value: { instanceId: string; zones: string[]; properties: { latestModelApplied: boolean } }[];
      }
    ).value;

  it.each(["Uniform", "Flexible"])("%s: capacity makes and removes instances", (orchestrationMode) => {
    const world = aGroup();
    world.put(set, body(3, { orchestrationMode }));
    expect(instances(world)).toHaveLength(3);
    expect(instances(world).map(({ zones }) => zones[0])).toEqual(["1", "2", "1"]);
    world.patch(set, { sku: { capacity: 1 } });
    expect(instances(world)).toHaveLength(1);
    world.del(set);
    world.get(set);
    expect([...world.state.resources.keys()].filter((key) => key.includes("virtualmachine"))).toEqual([]);
  });

  it("a new image marks instances until they are upgraded; one can be deleted", () => {
    const world = aGroup();
    world.put(set, body(2));
    world.put(set, body(2, {}, "v2"));
    expect(instances(world).map(({ properties }) => properties.latestModelApplied)).toEqual([false, false]);
    world.post(`${set}/manualupgrade`, { instanceIds: ["0"] });
    expect(instances(world).map(({ properties }) => properties.latestModelApplied)).toEqual([true, false]);
    world.post(`${set}/delete`, { instanceIds: ["1"] });
    expect(instances(world).map(({ instanceId }) => instanceId)).toEqual(["0"]);
    expect(world.get(set).body).toMatchObject({ sku: { capacity: 1 } });
    world.del(`${set}/virtualMachines/0`);
    expect(world.get(set).body).toMatchObject({ sku: { capacity: 0 } });
  });

  it("flexible instances are machines that name their set", () => {
    const world = aGroup();
    world.put(set, body(2, { orchestrationMode: "Flexible" }));
    const listed = world.get(`${compute}/virtualMachines?$filter='virtualMachineScaleSet/id' eq '${set}'`);
    expect((listed.body as { value: Json[] }).value).toHaveLength(2);
  });
});

describe("AKS", () => {
  const cluster = `${group}/providers/Microsoft.ContainerService/managedClusters/aks`;
  const body: Json = {
    location,
    identity: { type: "SystemAssigned" },
    properties: {
      dnsPrefix: "aks",
      kubernetesVersion: "1.33.2",
      nodeResourceGroup: "nodes",
      agentPoolProfiles: [{ name: "sys", count: 2, vmSize: "Standard_D2s_v3", mode: "System" }],
    },
  };
  const made = () => {
    const world = aGroup();
    world.put(cluster, body);
    world.get(cluster);
    return world;
  };

  it("spells ids its own way, fills fields, and makes node group, pools and scale sets", () => {
    const world = made();
    expect(world.get(cluster).body).toMatchObject({
      id: cluster.replace("resourceGroups", "resourcegroups"),
      type: "Microsoft.ContainerService/ManagedClusters",
      eTag: expect.any(String),
      identity: { principalId: expect.any(String) },
      properties: {
        fqdn: expect.stringContaining("hcp.eastus.azmk8s.io"),
        networkProfile: { networkPlugin: "kubenet" },
      },
    });
    expect(world.get(`/subscriptions/${subscription}/resourceGroups/nodes`).body).toMatchObject({ managedBy: cluster });
    expect(world.get(`${cluster}/agentPools/sys`).body).toMatchObject({ properties: { count: 2, osType: "Linux" } });
    expect(
      world.get(
        `/subscriptions/${subscription}/resourceGroups/nodes/providers/Microsoft.Compute/virtualMachineScaleSets`,
      ).body,
    ).toMatchObject({ value: [{ sku: { capacity: 2 }, tags: { poolName: "sys" } }] });
  });

  it("shows a pool that was added by its own URL, and keeps the last system pool", () => {
    const world = made();
    world.put(`${cluster}/agentPools/extra`, { properties: { count: 1, vmSize: "Standard_D2s_v3" } });
    world.get(cluster);
    expect(world.get(cluster).body).toMatchObject({
      properties: { agentPoolProfiles: [{ name: "sys" }, { name: "extra", mode: "User" }] },
    });
    expect(errorOf(world.del(`${cluster}/agentPools/sys`))).toBe("400 OperationNotAllowed");
    expect(
      errorOf(world.put(`${cluster}/agentPools/extra`, { properties: { count: 1, vmSize: "Standard_D4s_v3" } })),
    ).toBe("400 PropertyChangeNotAllowed");
    expect(world.del(`${cluster}/agentPools/extra`).status).toBe(202);
    world.get(cluster);
    expect(JSON.stringify(world.get(cluster).body)).not.toContain("extra");
  });

  it("hands out a kubeconfig, and takes everything with it", () => {
    const world = made();
    const answer = world.post(`${cluster}/listClusterAdminCredential`).body as {
      kubeconfigs: { name: string; value: string }[];
    };
    expect(Buffer.from(answer.kubeconfigs[0]!.value, "base64").toString()).toContain("kind: Config");
    world.del(cluster);
    world.get(cluster);
    expect([...world.state.resources.keys()]).toEqual([group.toLowerCase()]);
  });
});

describe("identities and role assignments", () => {
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/id`;
  const role = `${vmId}/providers/Microsoft.Authorization/roleAssignments/11111111-1111-4111-8111-111111111111`;
  const assignment = (principalId: string): Json => ({
    properties: {
      principalId,
      roleDefinitionId: "/subscriptions/s/providers/Microsoft.Authorization/roleDefinitions/b24988ac",
      principalType: "ServicePrincipal",
    },
  });

  it("an identity is made at once and keeps its principals", () => {
    const world = aGroup({ latency: 60_000 });
    const first = world.put(identity, { location });
    expect(first).toMatchObject({
      status: 201,
      body: { id: identity.replace("resourceGroups", "resourcegroups"), tags: {} },
    });
    expect(world.put(identity, { location, tags: { a: "1" } })).toMatchObject({
      status: 200,
      body: { properties: (first.body as { properties: object }).properties },
    });
    expect(world.del(identity).status).toBe(200);
    expect(world.del(identity).status).toBe(204);
  });

  it("a role assignment stands at a scope, once", () => {
    const world = aMachine();
    expect(world.put(role, assignment("p"))).toMatchObject({ status: 201, body: { properties: { scope: vmId } } });
    expect(world.put(role, assignment("p")).status).toBe(200);
    expect(errorOf(world.put(role, assignment("q")))).toBe("400 RoleAssignmentUpdateNotPermitted");
    expect(errorOf(world.put(role.replace("11111111-", "22222222-"), assignment("p")))).toBe(
      "409 RoleAssignmentExists",
    );
    expect(
      world.get(`${vmId}/providers/Microsoft.Authorization/roleAssignments?$filter=principalId eq 'p'`).body,
    ).toMatchObject({ value: [{ properties: { principalId: "p" } }] });
    expect(world.del(role)).toMatchObject({ status: 200, body: { properties: { principalId: "p" } } });
  });
});
