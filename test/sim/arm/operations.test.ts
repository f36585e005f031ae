import { describe, expect, it } from "vitest";
import { finishAll } from "../../../src/sim/arm/operations.ts";
import {
  aGroup,
  aNetwork,
  bodies,
  group,
  location,
  network,
  nicId,
  pipId,
  subnetId,
  subscription,
  vmId,
  vnetId,
} from "./aWorld.ts";

const state = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: { provisioningState: string } }).properties.provisioningState;

describe("resource groups", () => {
  it("PUT is synchronous; HEAD says whether there is one", () => {
    const world = aGroup({ latency: 60_000 });
    expect(world.put(group, { location, tags: { a: "1" } })).toMatchObject({
      status: 200,
      body: { tags: { a: "1" }, properties: { provisioningState: "Succeeded" } },
    });
    expect(world.send("HEAD", group).status).toBe(204);
    expect(world.send("HEAD", `${group}x`).status).toBe(404);
  });

  it("DELETE names a Location of its own, shows Deleting, refuses writes, and ends in 404", () => {
    const world = aNetwork({
      latency: { default: 0, types: { "Microsoft.Resources/resourceGroups": { delete: 30_000 } } },
    });
    const accepted = world.del(group);
    expect(accepted).toMatchObject({ status: 202, headers: { "retry-after": "15" } });
    expect(accepted.headers["azure-asyncoperation"]).toBeUndefined();
    expect(accepted.headers["location"]).toMatch(new RegExp(`/subscriptions/${subscription}/operationresults/`));
    expect(state(world.get(group))).toBe("Deleting");
    expect(world.put(pipId, bodies.pip())).toMatchObject({ status: 409, code: "ResourceGroupBeingDeleted" });
    expect(world.put(group, { location })).toMatchObject({ status: 409, code: "ResourceGroupBeingDeleted" });
    expect(world.del(vnetId).status).toBe(202);
    expect(world.poll(accepted).status).toBe(202);
    expect(world.del(group).headers["location"]).toBe(accepted.headers["location"]);
    world.advance(30_000);
    expect(world.poll(accepted).status).toBe(200);
    expect(world.get(group)).toMatchObject({
      status: 404,
      code: "ResourceGroupNotFound",
      headers: { "x-ms-failure-cause": "gateway" },
    });
    expect(world.get(vnetId).code).toBe("ResourceGroupNotFound");
    expect(world.state.resources.size).toBe(0);
  });
});

describe("long-running writes", () => {
  const slow = { latency: 5_000 } as const;

  it("a network PUT shows Updating, names an operation, and its etag changes at the end", () => {
    const world = aGroup(slow);
    const accepted = world.put(vnetId, bodies.vnet());
    expect(accepted).toMatchObject({
      status: 201,
      headers: { "retry-after": "3", "azure-asyncnotification": "Enabled" },
    });
    expect(state(accepted)).toBe("Updating");
    const before = world.get(vnetId);
    expect(world.poll(accepted)).toMatchObject({
      status: 200,
      body: { status: "InProgress" },
      headers: { "retry-after": "3" },
    });
    world.advance(5_000);
    expect(world.poll(accepted).body).toEqual({ status: "Succeeded" });
    const after = world.get(vnetId);
    expect(state(after)).toBe("Succeeded");
    expect(after.headers["etag"]).toMatch(/^W\/"/);
    expect(after.headers["etag"]).not.toBe(before.headers["etag"]);
    expect((after.body as { etag: string }).etag).toBe(after.headers["etag"]);
  });

  it.each([
    { what: "a NIC", path: nicId, body: bodies.nic() },
    { what: "a load balancer", path: `${network}/loadBalancers/l`, body: { location, properties: {} } },
  ])("$what says Succeeded at once, still names an operation, and sends no Retry-After", ({ path, body }) => {
    const accepted = aNetwork(slow).put(path, body);
    expect(state(accepted)).toBe("Succeeded");
    expect(accepted.headers["azure-asyncoperation"]).toBeDefined();
    expect(accepted.headers["retry-after"]).toBeUndefined();
  });

  it("a machine shows Creating and an operation with times and a name", () => {
    const world = aNetwork(slow);
    world.put(nicId, bodies.nic());
    world.advance(5_000);
    const accepted = world.put(vmId, bodies.vm());
    expect(accepted).toMatchObject({ status: 201, headers: { "retry-after": "10" } });
    expect(state(accepted)).toBe("Creating");
    expect(world.poll(accepted).body).toMatchObject({
      status: "InProgress",
      startTime: expect.any(String),
      name: expect.any(String),
    });
    world.advance(5_000);
    expect(world.poll(accepted).body).toMatchObject({ status: "Succeeded", endTime: expect.any(String) });
    expect(state(world.get(vmId))).toBe("Succeeded");
  });

  it("a DELETE names operation and location, ends in 204 there, and joins a second one", () => {
    const world = aNetwork(slow);
    const accepted = world.del(vnetId);
    expect(accepted).toMatchObject({ status: 202, headers: { "retry-after": "10" } });
    expect(accepted.headers["location"]).toContain("/operationResults/");
    expect(world.get(accepted.headers["location"]!).status).toBe(202);
    expect(world.del(vnetId).headers["azure-asyncoperation"]).toBe(accepted.headers["azure-asyncoperation"]);
    world.advance(5_000);
    expect(world.get(accepted.headers["location"]!).status).toBe(204);
    expect(world.get(vnetId)).toMatchObject({ status: 404, code: "NotFound" });
    world.advance(60_000);
    expect(world.get(vnetId)).toMatchObject({ status: 404, code: "ResourceNotFound" });
  });

  it("private DNS accepts with an empty body and keeps its operations in the resource group", () => {
    const world = aGroup(slow);
    const accepted = world.put(`${network}/privateDnsZones/z.io`, { location: "global" });
    expect(accepted).toMatchObject({ status: 202, body: {}, headers: { "retry-after": "30" } });
    expect(accepted.headers["azure-asyncoperation"]).toContain("/privateDnsOperationStatuses/");
    expect(accepted.headers["location"]).toContain("/privateDnsOperationResults/");
    expect(world.poll(accepted).headers["azure-asyncoperation"]).toBe(accepted.headers["azure-asyncoperation"]);
    world.advance(5_000);
    expect(world.get(accepted.headers["location"]!)).toMatchObject({ status: 200, body: { name: "z.io" } });
  });

  it.each([
    { path: `${network}/virtualNetworks/none`, gives: 204 },
    { path: `${network}/virtualNetworks/none/subnets/none`, gives: 404 },
    { path: `${group}-none/providers/Microsoft.Network/virtualNetworks/none`, gives: 404 },
  ])("DELETE of what is not there answers $gives", ({ path, gives }) => expect(aGroup().del(path).status).toBe(gives));

  it("an operation URL is forgotten after its lifetime", () => {
    const world = aGroup({ operationLifetimeMs: 60_000 });
    const accepted = world.put(vnetId, bodies.vnet());
    expect(world.poll(accepted).status).toBe(200);
    world.advance(61_000);
    expect(world.poll(accepted).status).toBe(404);
  });

  it("an operation URL is as long as Azure's when it is signed", () => {
    const url = aGroup({ signedUrls: true }).put(vnetId, bodies.vnet()).headers["azure-asyncoperation"]!;
    expect(url.length).toBeGreaterThan(3_000);
    expect(url.length).toBeLessThan(4_096);
    expect(new URL(url).origin).toBe("https://management.azure.com");
  });

  it.each([
    { latency: "sync", headers: undefined, gives: "Succeeded" },
    { latency: 0, headers: expect.any(String), gives: "Updating" },
    { latency: { types: { "microsoft.network/VIRTUALNETWORKS": "sync" } }, headers: undefined, gives: "Succeeded" },
  ] as const)("latency $latency: $gives in the answer", ({ latency, headers, gives }) => {
    const world = aGroup({ latency });
    const answer = world.put(vnetId, bodies.vnet());
    expect(answer.headers["azure-asyncoperation"]).toEqual(headers);
    expect(state(answer)).toBe(gives);
    expect(state(world.get(vnetId))).toBe("Succeeded");
  });

  it("a synchronous latency also deletes at once", () => {
    const world = aGroup({ latency: "sync" });
    world.put(vnetId, bodies.vnet());
    world.put(subnetId, bodies.subnet());
    expect(world.del(subnetId).status).toBe(200);
    expect(world.del(vnetId).status).toBe(200);
    expect(world.get(vnetId).status).toBe(404);
  });

  it("Retry-After can be set for all, or left out", () => {
    expect(aGroup({ latency: 1, retryAfterSeconds: 1 }).put(vnetId, bodies.vnet()).headers["retry-after"]).toBe("1");
    expect(
      aGroup({ latency: 1, retryAfterSeconds: "none" }).put(vnetId, bodies.vnet()).headers["retry-after"],
    ).toBeUndefined();
  });

  it("finishing all ends what runs", () => {
    const world = aGroup({ latency: 1_000_000 });
    const accepted = world.put(vnetId, bodies.vnet());
    finishAll(world.state);
    expect(world.poll(accepted).body).toEqual({ status: "Succeeded" });
  });

  it("operations end in the order of their times, not of their starts", () => {
    const world = aNetwork({
      latency: {
        types: {
          "Microsoft.Network/virtualNetworks": { delete: 9_000 },
          "Microsoft.Network/publicIPAddresses": { delete: 1_000 },
        },
      },
    });
    world.put(pipId, bodies.pip());
    world.get(pipId);
    world.del(vnetId);
    world.del(pipId);
    world.advance(10_000);
    world.get(group);
    expect(world.state.changes.slice(-2).map(({ id, change }) => [id, change])).toEqual([
      [pipId, "Delete"],
      [vnetId, "Delete"],
    ]);
  });

  it("a PUT that changes nothing keeps the etag and is done at once", () => {
    const world = aNetwork(slow);
    const before = world.get(vnetId);
    const again = world.put(vnetId, bodies.vnet());
    expect(again.status).toBe(200);
    expect(state(again)).toBe("Succeeded");
    expect(world.poll(again).body).toEqual({ status: "Succeeded" });
    expect(world.get(vnetId).headers["etag"]).toBe(before.headers["etag"]);
  });
});

describe("forced styles", () => {
  it.each([
    { how: "location", status: 202, asyncOperation: false, location: true },
    { how: "state", status: 201, asyncOperation: false, location: false },
    { how: "operation", status: 201, asyncOperation: true, location: false },
  ] as const)("$how", ({ how, status, asyncOperation, location: named }) => {
    const world = aGroup({ latency: 5_000, operationStyles: { "microsoft.network/virtualnetworks": how } });
    const accepted = world.put(vnetId, bodies.vnet());
    expect(accepted.status).toBe(status);
    expect(accepted.headers["azure-asyncoperation"] !== undefined).toBe(asyncOperation);
    expect(accepted.headers["location"] !== undefined).toBe(named);
    expect(state(world.get(vnetId))).toBe("Updating");
    if (named) expect(world.poll(accepted).status).toBe(202);
    world.advance(5_000);
    if (named) expect(world.poll(accepted)).toMatchObject({ status: 200, body: { name: "vnet" } });
    expect(state(world.get(vnetId))).toBe("Succeeded");
    const deleted = world.del(vnetId);
    expect(deleted.status).toBe(202);
    expect(deleted.headers["azure-asyncoperation"] !== undefined).toBe(asyncOperation);
    expect(state(world.get(vnetId))).toBe("Deleting");
    world.advance(5_000);
    expect(world.get(vnetId).status).toBe(404);
  });

  it("sync is done in the answer", () => {
    const world = aGroup({ latency: 5_000, operationStyles: { "Microsoft.Network/virtualNetworks": "sync" } });
    expect(state(world.put(vnetId, bodies.vnet()))).toBe("Succeeded");
    expect(world.del(vnetId).status).toBe(200);
  });
});

describe("contention", () => {
  const slow = { latency: 5_000 } as const;

  it("a second write on a network resource, or on a sibling, is told to wait", () => {
    const world = aNetwork(slow);
    world.put(`${vnetId}/subnets/a`, bodies.subnet("10.2.0.0/16"));
    const refused = world.put(`${vnetId}/subnets/b`, bodies.subnet("10.3.0.0/16"));
    expect(refused).toMatchObject({ status: 429, code: "AnotherOperationInProgress" });
    expect(refused.headers["retry-after"]).toBeDefined();
    world.advance(5_000);
    expect(world.put(`${vnetId}/subnets/b`, bodies.subnet("10.3.0.0/16")).status).toBe(201);
  });

  it("a second write on a machine is a conflict, a delete is not", () => {
    const world = aNetwork(slow);
    world.put(nicId, bodies.nic());
    world.advance(5_000);
    world.put(vmId, bodies.vm());
    expect(world.put(vmId, { ...(bodies.vm() as object), tags: { a: "1" } })).toMatchObject({
      status: 409,
      code: "OperationNotAllowed",
    });
    expect(world.del(vmId).status).toBe(202);
  });

  it("a reference to what has not settled is retryable", () => {
    const world = aNetwork(slow);
    world.put(pipId, bodies.pip());
    const refused = world.put(nicId, bodies.nic({ publicIPAddress: { id: pipId } }));
    expect(refused).toMatchObject({
      status: 429,
      code: "RetryableError",
      body: { error: { details: [{ code: "ReferencedResourceNotProvisioned" }] } },
    });
  });

  it("a machine does not take a network interface that is on its way out", () => {
    const world = aNetwork(slow);
    world.put(nicId, bodies.nic());
    world.advance(5_000);
    expect(world.del(nicId).status).toBe(202);
    expect(world.put(vmId, bodies.vm())).toMatchObject({
      status: 429,
      code: "RetryableError",
      body: { error: { details: [{ code: "ReferencedResourceNotProvisioned" }] } },
    });
    world.advance(5_000);
    expect(world.put(vmId, bodies.vm())).toMatchObject({ status: 404, code: "NotFound" });
    expect(world.get(vmId).status).toBe(404);
  });
});

describe("soft consistency", () => {
  it("hides a new resource for a while, and shows a deleted one for a while", () => {
    const world = aGroup({ consistency: { hiddenAfterPutMs: 2_000, visibleAfterDeleteMs: 3_000 } });
    expect(world.put(vnetId, bodies.vnet()).status).toBe(201);
    expect(world.get(vnetId).status).toBe(404);
    expect(world.put(vnetId, bodies.vnet()).status).toBe(200);
    expect(world.put(vnetId, bodies.vnet(), { headers: { "if-none-match": "*" } }).status).toBe(412);
    world.advance(2_000);
    expect(world.get(vnetId).status).toBe(200);
    const gone = world.del(vnetId);
    expect(world.poll(gone).body).toEqual({ status: "Succeeded" });
    expect(world.get(vnetId).status).toBe(200);
    expect(world.get(`${network}/virtualNetworks`).body).toMatchObject({ value: [{ name: "vnet" }] });
    world.advance(3_000);
    expect(world.get(vnetId).status).toBe(404);
  });
});
