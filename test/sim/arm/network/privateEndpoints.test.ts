import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../../../../src/sim/arm/json.ts";
import { mutateResource } from "../../../../src/sim/arm/otherWriter.ts";
import { aNetwork, group, network, subnetId } from "../aWorld.ts";

const endpoint = `${network}/privateEndpoints/pe`;
const site = `${group}/providers/Microsoft.Web/sites/a`;
const offered = `${network}/privateLinkServices/ours`;

const connection = (target = site, part: JsonObject = {}): JsonObject => ({
  name: "conn",
  properties: { privateLinkServiceId: target, groupIds: target === site ? ["sites"] : [], ...part },
});
const body = (properties: JsonObject = { privateLinkServiceConnections: [connection()] }): Json => ({
  location: "eastus",
  properties: { subnet: { id: subnetId }, ...properties },
});
const answer = ({ status, code }: { readonly status: number; readonly code: string }) => `${status} ${code}`.trim();

describe("a private endpoint", () => {
  it.each([
    { what: "another target", properties: { privateLinkServiceConnections: [connection(`${site}2`)] } },
    {
      what: "another sub-resource",
      properties: { privateLinkServiceConnections: [connection(site, { groupIds: ["x"] })] },
    },
    { what: "another kind of approval", properties: { manualPrivateLinkServiceConnections: [connection()] } },
    { what: "no connection", properties: {} },
  ])("takes $what only when it is made", ({ properties }) => {
    const world = aNetwork();
    expect(answer(world.put(endpoint, body()))).toBe("201");
    expect(answer(world.put(endpoint, body(properties)))).toBe(
      "400 CannotChangePrivateLinkConnectionOnPrivateEndpoint",
    );
    expect(answer(world.put(endpoint, body()))).toBe("200");
  });

  it.each([
    { what: "the address alone", target: site, address: {}, gives: "400" },
    {
      what: "the address with its member",
      target: site,
      address: { groupId: "sites", memberName: "sites" },
      gives: "201",
    },
    { what: "the address alone at a private link service", target: offered, address: {}, gives: "201" },
  ])("with $what is answered $gives", ({ target, address, gives }) => {
    const ipConfigurations = [{ name: "a", properties: { privateIPAddress: "10.1.0.9", ...address } }];
    const asked = body({ privateLinkServiceConnections: [connection(target)], ipConfigurations });
    const { status, code } = aNetwork().put(endpoint, asked);
    expect(String(status)).toBe(gives);
    if (gives === "400") expect(code).toBe("PrivateEndpointIpConfigurationMissingMemberNamesRequiredByFps");
  });

  it("can only be deleted once its connection was taken away", () => {
    const world = aNetwork();
    world.put(endpoint, body());
    world.get(endpoint);
    const privateLinkServiceConnectionState = { status: "Disconnected" };
    mutateResource(
      world.state,
      endpoint,
      (before) => ({
        ...before,
        properties: {
          ...(before["properties"] as JsonObject),
          privateLinkServiceConnections: [connection(site, { privateLinkServiceConnectionState })],
        },
      }),
      world.now(),
    );
    expect(answer(world.put(endpoint, body()))).toBe("400 PrivateEndpointCannotBeUpdatedInDisconnectedState");
    expect(world.del(endpoint).status).toBe(202);
  });
});
