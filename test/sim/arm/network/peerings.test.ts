import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/sim/arm/json.ts";
import { aGroup, bodies, network, type TestWorld, vnetId } from "../aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => `${answer.status} ${answer.code}`;
const properties = (answer: { readonly body: unknown }) =>
  (answer.body as { properties: Record<string, Json> }).properties;

describe("peerings", () => {
  const remote = `${network}/virtualNetworks/hub`;
  const peer = (to: string): Json => ({ properties: { remoteVirtualNetwork: { id: to } } });
  const there = `${vnetId}/virtualNetworkPeerings/to-hub`;
  const back = `${remote}/virtualNetworkPeerings/to-vnet`;
  const peered = (): TestWorld => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet("10.0.0.0/16"));
    world.put(remote, bodies.vnet("10.1.0.0/16"));
    world.put(there, peer(remote));
    return world;
  };
  const stateOf = (world: TestWorld, id: string) => properties(world.get(id))["peeringState"];

  it("is Initiated from one side, Connected from both, Disconnected when one goes", () => {
    const world = peered();
    expect(properties(world.get(there))).toMatchObject({
      peeringState: "Initiated",
      allowVirtualNetworkAccess: true,
      remoteAddressSpace: { addressPrefixes: ["10.1.0.0/16"] },
    });
    world.put(back, peer(vnetId));
    expect([stateOf(world, there), stateOf(world, back)]).toEqual(["Connected", "Connected"]);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("FullyInSync");
    world.del(back);
    world.get(back);
    expect(stateOf(world, there)).toBe("Disconnected");
    expect(errorOf(world.put(back, peer(vnetId)))).toBe("400 RemotePeeringIsDisconnected");
    world.put(there, peer(remote));
    expect(stateOf(world, there)).toBe("Initiated");
    world.put(back, peer(vnetId));
    expect([stateOf(world, there), stateOf(world, back)]).toEqual(["Connected", "Connected"]);
  });

  it("is Disconnected when the other network goes", () => {
    const world = peered();
    world.put(back, peer(vnetId));
    world.get(back);
    world.del(remote);
    world.get(remote);
    expect(stateOf(world, there)).toBe("Disconnected");
  });

  it("a grown address space is out of sync until it is synchronised", () => {
    const world = peered();
    world.put(back, peer(vnetId));
    world.put(remote, bodies.vnet("10.1.0.0/16", "10.2.0.0/16"));
    world.get(remote);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("LocalNotInSync");
    world.put(`${there}?syncRemoteAddressSpace=true`, peer(remote));
    world.get(there);
    expect(properties(world.get(there))["peeringSyncLevel"]).toBe("FullyInSync");
  });

  it("survives a PUT of the network that leaves the list out", () => {
    const world = peered();
    world.put(vnetId, { ...(bodies.vnet("10.0.0.0/16") as object), tags: { a: "1" } });
    expect(world.get(there).status).toBe(200);
  });

  it("is refused between overlapping networks", () => {
    const world = aGroup();
    world.put(vnetId, bodies.vnet("10.0.0.0/8"));
    world.put(remote, bodies.vnet("10.1.0.0/16"));
    expect(errorOf(world.put(there, peer(remote)))).toBe("400 VnetAddressSpacesOverlap");
  });
});
