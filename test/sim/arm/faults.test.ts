import { describe, expect, it } from "vitest";
import { activeFaults } from "../../../src/sim/arm/faults.ts";
import { aGroup, bodies, subnetId, vnetId } from "./aWorld.ts";

describe("faults on script", () => {
  it("answers instead, for as many times as asked, from the n-th match on", () => {
    const world = aGroup({
      faults: [
        {
          match: { method: "put", path: "virtualnetworks", nth: 2, times: 2 },
          fault: { kind: "respond", status: 503, code: "ServerBusy", message: "later", retryAfterSeconds: 7 },
        },
      ],
    });
    const statuses = [1, 2, 3, 4].map(() => world.put(vnetId, bodies.vnet()).status);
    expect(statuses).toEqual([201, 503, 503, 200]);
    expect(world.state.requests.at(-2)).toMatchObject({ status: 503, errorCode: "ServerBusy" });
  });

  it("carries Retry-After and details", () => {
    const world = aGroup({
      faults: [
        {
          match: { path: /subnets\/node$/ },
          fault: {
            kind: "respond",
            status: 429,
            code: "RetryableError",
            message: "",
            retryAfterSeconds: 9,
            details: [{ code: "ReferencedResourceNotProvisioned", message: "not yet" }],
          },
        },
      ],
    });
    world.put(vnetId, bodies.vnet());
    expect(world.put(subnetId, bodies.subnet())).toMatchObject({
      status: 429,
      headers: { "retry-after": "9" },
      body: { error: { details: [{ code: "ReferencedResourceNotProvisioned" }] } },
    });
  });

  it.each([
    { when: "before", exists: 404 },
    { when: "after", exists: 200 },
  ] as const)("cuts the connection $when the effect", ({ when, exists }) => {
    const world = aGroup({
      faults: [{ match: { method: "PUT", path: "virtualNetworks" }, fault: { kind: "drop", when } }],
    });
    expect(world.put(vnetId, bodies.vnet()).dropped).toBe(true);
    expect(world.get(vnetId).status).toBe(exists);
  });

  it("says no although the effect happened", () => {
    const world = aGroup({
      faults: [
        {
          match: { method: "PUT", path: "virtualNetworks" },
          fault: { kind: "respond", status: 500, code: "InternalServerError", message: "", afterEffect: true },
        },
      ],
    });
    expect(world.put(vnetId, bodies.vnet()).status).toBe(500);
    expect(world.get(vnetId).status).toBe(200);
  });

  it("delays the answer", () => {
    const world = aGroup({
      faults: [{ match: { path: "resourceGroups", nth: 2 }, fault: { kind: "delay", ms: 250 } }],
    });
    expect(world.get(vnetId).delayMs).toBe(250);
    expect(world.get(vnetId).delayMs).toBe(0);
  });

  it.each(["Failed", "Canceled"] as const)(
    "lets the operation end as %s, with code and details, and shows it on the resource",
    (status) => {
      const world = aGroup({
        faults: [
          {
            match: { method: "PUT", path: "virtualNetworks/vnet" },
            fault: {
              kind: "failOperation",
              status,
              code: "AnotherOperationInProgress",
              message: "taken",
              details: [{ code: "Inner", message: "why" }],
            },
          },
        ],
      });
      const accepted = world.put(vnetId, bodies.vnet());
      expect(accepted.status).toBe(201);
      expect(world.poll(accepted).body).toEqual({
        status,
        error: { code: "AnotherOperationInProgress", message: "taken", details: [{ code: "Inner", message: "why" }] },
      });
      expect(world.get(vnetId).body).toMatchObject({ properties: { provisioningState: status } });
      expect(world.put(vnetId, bodies.vnet()).status).toBe(200);
      expect(world.get(vnetId).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
    },
  );

  it("lets a delete fail and keeps the resource", () => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet());
    world.state.faults = activeFaults([
      { match: { method: "DELETE" }, fault: { kind: "failOperation", code: "InternalServerError", message: "no" } },
    ]);
    const accepted = world.del(vnetId);
    expect(world.poll(accepted).body).toMatchObject({ status: "Failed" });
    expect(world.get(accepted.headers["location"]!)).toMatchObject({ status: 409, code: "InternalServerError" });
    expect(world.get(vnetId).body).toMatchObject({ properties: { provisioningState: "Failed" } });
  });

  it("lets the write of a child fail", () => {
    const world = aGroup({
      faults: [
        {
          match: { method: "PUT", path: "/subnets/" },
          fault: { kind: "failOperation", code: "RetryableError", message: "" },
        },
      ],
    });
    world.put(vnetId, bodies.vnet());
    const accepted = world.put(subnetId, bodies.subnet());
    expect(world.poll(accepted).body).toMatchObject({ status: "Failed" });
    expect(world.get(subnetId).body).toMatchObject({ properties: { provisioningState: "Failed" } });
    world.put(subnetId, bodies.subnet());
    expect(world.get(subnetId).body).toMatchObject({ properties: { provisioningState: "Succeeded" } });
  });
});
