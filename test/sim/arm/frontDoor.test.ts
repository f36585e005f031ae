import { describe, expect, it } from "vitest";
import { aGroup, aWorld, bodies, group, location, network, pipId, subscription, vnetId } from "./aWorld.ts";

const errorOf = (answer: { readonly status: number; readonly code: string }) => ({
  status: answer.status,
  code: answer.code,
});

describe("what is refused before anything is looked at", () => {
  it.each([
    { when: "the token is missing", call: { token: "" }, gives: { status: 401, code: "AuthenticationFailed" } },
    {
      when: "the token is no longer good",
      call: { token: "old" },
      gives: { status: 401, code: "ExpiredAuthenticationToken" },
    },
    {
      when: "the api-version is missing",
      call: { apiVersion: "" },
      gives: { status: 400, code: "MissingApiVersionParameter" },
    },
    {
      when: "the api-version is no date",
      call: { apiVersion: "latest" },
      gives: { status: 400, code: "InvalidApiVersionParameter" },
    },
    {
      when: "the identity is denied",
      call: { token: "stranger" },
      gives: { status: 403, code: "AuthorizationFailed" },
    },
  ])("$when: $gives.status $gives.code", ({ call, gives }) => {
    const world = aWorld({ rejectedTokens: ["old"], denied: [{ identity: "stranger" }] });
    expect(errorOf(world.get(group, call))).toEqual(gives);
  });

  it("a 401 carries the challenge that credentials read", () =>
    expect(aWorld().get(group, { token: "" }).headers["www-authenticate"]).toMatch(/^Bearer /));

  it("a denial holds for its subscription, actions and scope only", () => {
    const world = aWorld({
      denied: [
        { identity: "reader", actions: ["write", "delete"], subscription },
        { identity: "outsider", scope: `${group}/providers/Microsoft.Network` },
      ],
    });
    world.put(group, { location });
    expect(world.put(group, { location }, { token: "reader" }).code).toBe("AuthorizationFailed");
    expect(world.get(group, { token: "reader" }).status).toBe(200);
    expect(world.put("/subscriptions/other/resourceGroups/rg", { location }, { token: "reader" }).status).toBe(201);
    expect(world.get(group, { token: "outsider" }).status).toBe(200);
    expect(world.get(vnetId, { token: "outsider" }).code).toBe("AuthorizationFailed");
  });

  it("an unknown subscription is a 404 of its own", () => {
    const world = aWorld({ subscriptions: [subscription] });
    expect(world.put(group, { location }).status).toBe(201);
    expect(errorOf(world.get("/subscriptions/none/resourceGroups/rg"))).toEqual({
      status: 404,
      code: "SubscriptionNotFound",
    });
  });

  it("a body that is no JSON object is refused", () => {
    const world = aGroup();
    expect(errorOf(world.put(vnetId, ["list"]))).toEqual({ status: 400, code: "InvalidRequestContent" });
    expect(errorOf(world.send("PUT", vnetId))).toEqual({ status: 400, code: "InvalidRequestContent" });
  });

  it("a provider that is not registered refuses writes until it is", () => {
    const world = aGroup({ unregisteredProviders: ["Microsoft.Network"] });
    const provider = `/subscriptions/${subscription}/providers/Microsoft.Network`;
    const refused = world.put(vnetId, bodies.vnet());
    expect(errorOf(refused)).toEqual({ status: 409, code: "MissingSubscriptionRegistration" });
    expect(refused.body).toMatchObject({ error: { details: [{ target: "Microsoft.Network" }] } });
    expect(world.get(provider).body).toMatchObject({ registrationState: "NotRegistered" });
    expect(world.post(`${provider}/register`).body).toMatchObject({ registrationState: "Registered" });
    expect(world.put(vnetId, bodies.vnet()).status).toBe(201);
  });
});

describe("locations and zones", () => {
  it.each([
    { when: "a group has none", path: group, body: {}, gives: { status: 400, code: "LocationRequired" } },
    {
      when: "a group is on the moon",
      path: group,
      body: { location: "moon" },
      gives: { status: 400, code: "LocationNotAvailableForResourceGroup" },
    },
    {
      when: "a resource has none",
      path: pipId,
      body: { properties: {} },
      gives: { status: 400, code: "LocationRequired" },
    },
    {
      when: "a resource is on the moon",
      path: pipId,
      body: { ...(bodies.pip() as object), location: "moon" },
      gives: { status: 400, code: "LocationNotAvailableForResourceType" },
    },
    {
      when: "a zone does not exist",
      path: pipId,
      body: { ...(bodies.pip() as object), location: "westus", zones: ["1"] },
      gives: { status: 400, code: "AvailabilityZoneNotSupported" },
    },
    {
      when: "a DNS zone is not global",
      path: `${network}/privateDnsZones/z`,
      body: { location },
      gives: { status: 400, code: "LocationNotAvailableForResourceType" },
    },
  ])("$when: $gives.code", ({ path, body, gives }) => {
    const world = path === group ? aWorld() : aGroup();
    expect(errorOf(world.put(path, body))).toEqual(gives);
  });

  it("a location is shown in one word, and cannot change", () => {
    const world = aGroup();
    expect(world.put(vnetId, { ...(bodies.vnet() as object), location: "East US" }).body).toMatchObject({
      location: "eastus",
    });
    expect(errorOf(world.put(vnetId, { ...(bodies.vnet() as object), location: "westus" }))).toEqual({
      status: 409,
      code: "InvalidResourceLocation",
    });
    expect(errorOf(world.put(group, { location: "westus" }))).toEqual({
      status: 409,
      code: "InvalidResourceGroupLocation",
    });
  });

  it("zones cannot change", () => {
    const world = aGroup();
    world.put(pipId, { ...(bodies.pip() as object), zones: ["1"] });
    expect(world.put(pipId, { ...(bodies.pip() as object), zones: ["1", "2"] }).code).toBe(
      "ResourceAvailabilityZonesCannotBeModified",
    );
  });

  it("any location is allowed on option", () =>
    expect(aWorld({ locations: "any" }).put(group, { location: "moon" }).status).toBe(201));
});

describe("headers", () => {
  it("echoes the caller's correlation id and gives each request its own id", () => {
    const world = aGroup();
    const first = world.get(group, { headers: { "x-ms-correlation-request-id": "mine" } });
    expect(first.headers["x-ms-correlation-request-id"]).toBe("mine");
    expect(first.headers["x-ms-request-id"]).not.toBe(world.get(group).headers["x-ms-request-id"]);
    expect(world.state.requests.find(({ correlationId }) => correlationId === "mine")).toMatchObject({
      method: "GET",
      status: 200,
    });
  });

  it.each([
    { method: "GET", header: "x-ms-ratelimit-remaining-subscription-reads" },
    { method: "PUT", header: "x-ms-ratelimit-remaining-subscription-writes" },
    { method: "DELETE", header: "x-ms-ratelimit-remaining-subscription-deletes" },
  ])("$method shows $header", ({ method, header }) =>
    expect(Number(aGroup().send(method, group, { location }).headers[header])).toBeGreaterThan(0),
  );
});

describe("throttling", () => {
  it("refuses when the bucket is empty, says when to come back, and refills", () => {
    const world = aGroup({ throttling: { reads: { capacity: 2, perSecond: 0.5 } } });
    expect(world.get(group).headers["x-ms-ratelimit-remaining-subscription-reads"]).toBe("1");
    expect(world.get(group).headers["x-ms-ratelimit-remaining-subscription-reads"]).toBe("0");
    const refused = world.get(group);
    expect(errorOf(refused)).toEqual({ status: 429, code: "SubscriptionRequestsThrottled" });
    expect(refused.headers["retry-after"]).toBe("2");
    expect(world.put(group, { location }).status).toBe(200);
    expect(world.get("/subscriptions/other/resourceGroups/rg").status).toBe(404);
    expect(world.get(group, { token: "somebody else" }).status).toBe(200);
    world.advance(2_000);
    expect(world.get(group).status).toBe(200);
  });
});
