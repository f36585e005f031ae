import { describe, expect, it } from "vitest";
import { azureThrottling } from "../../../src/sim/arm/throttle.ts";
import { aGroup, bodies, group, location, subscription, vnetId } from "./aWorld.ts";

const remaining = (kind: string): string => `x-ms-ratelimit-remaining-subscription-${kind}`;

/** Requests until one is refused: how many were not, and the refusal. */
const until429 = (send: () => ReturnType<ReturnType<typeof aGroup>["get"]>) => {
  for (let granted = 0; granted < 1_000; granted += 1) {
    const answer = send();
    if (answer.status === 429) return { granted, answer };
  }
  throw new Error("nothing was refused");
};

describe("limits of a subscription, as Azure has them", () => {
  it.each([
    { kind: "reads", size: 250, perSecond: 25, method: "GET" },
    { kind: "writes", size: 200, perSecond: 10, method: "PATCH" },
    { kind: "deletes", size: 200, perSecond: 10, method: "DELETE" },
  ])(
    "$kind: $size at once, then $perSecond a second; the rest and the wait are told",
    ({ kind, size, perSecond, method }) => {
      const world = aGroup({ throttling: azureThrottling });
      world.advance(60_000);
      const send = () =>
        world.send(
          method,
          `${group}/providers/Microsoft.Network/virtualNetworks/none`,
          method === "PATCH" ? { tags: {} } : undefined,
        );
      expect(send().headers[remaining(kind)]).toBe(String(size - 1));
      const { granted, answer } = until429(send);
      expect(granted).toBe(size - 1);
      expect(answer).toMatchObject({
        code: "SubscriptionRequestsThrottled",
        headers: { "retry-after": "1", [remaining(kind)]: "0" },
      });
      world.advance(1_000);
      expect(until429(send).granted).toBe(perSecond);
    },
  );

  it("count for each subscription, identity and kind of request on its own", () => {
    const bucket = { capacity: 2, perSecond: 0.1 };
    const world = aGroup({ throttling: { reads: bucket, writes: bucket, deletes: bucket } });
    world.advance(60_000);
    const get = (token?: string) => world.get(group, token === undefined ? {} : { token });
    expect(until429(get).granted).toBe(2);
    expect(get("another").status).toBe(200);
    expect(world.put(vnetId, bodies.vnet()).status).toBe(201);
    const other = `/subscriptions/${subscription.replace(/^0/, "1")}/resourceGroups/rg`;
    expect(world.put(other, { location }).status).toBe(201);
    expect(world.get(other).status).toBe(200);
  });

  it("a provider has its own, and names its policy", () => {
    const world = aGroup({
      throttling: { providers: { "Microsoft.Network": { policy: "GetNetwork", capacity: 3, perSecond: 0.5 } } },
    });
    const read = () => world.get(vnetId);
    expect(read().headers["x-ms-ratelimit-remaining-resource"]).toBe("Microsoft.Network/GetNetwork;2");
    const { granted, answer } = until429(read);
    expect(granted).toBe(2);
    expect(answer).toMatchObject({
      code: "TooManyRequests",
      headers: { "retry-after": "2", [remaining("reads")]: "11999" },
    });
    expect(world.get(group).status).toBe(200);
  });
});
