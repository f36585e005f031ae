import { describe, expect, it } from "vitest";
import { AzureFacts } from "../../src/adapters/facts.ts";
import { skuZones } from "../../src/adapters/skuZones.ts";
import type { FactQuery, ZonesQuery } from "../../src/core/kind.ts";
import type { Failure, JsonObject, Result } from "../../src/core/types.ts";
import type { Arm, ArmRequest } from "../../src/ports.ts";

const sku = (zones: readonly string[], more: JsonObject = {}): JsonObject => ({
  resourceType: "virtualMachines",
  locationInfo: [{ location: "WestEurope", zones }],
  ...more,
});

describe("skuZones", () => {
  it.each([
    { when: "several sizes", skus: [sku(["2"]), sku(["3", "1"])], zones: ["1", "2", "3"] },
    { when: "no zone at all", skus: [sku([])], zones: [] },
    { when: "other resources", skus: [sku(["1"], { resourceType: "disks" })], zones: [] },
    {
      when: "another place",
      skus: [{ resourceType: "VirtualMachines", locationInfo: [{ location: "northeurope", zones: ["1"] }] }],
      zones: [],
    },
    {
      when: "A69: a zone in which the subscription may have no size, although Azure lists it for the region",
      skus: [sku(["1", "2"], { restrictions: [{ type: "Zone", restrictionInfo: { zones: ["2"] } }] })],
      zones: ["1"],
    },
    {
      when: "a zone that is barred for one of two sizes",
      skus: [sku(["1", "2"], { restrictions: [{ type: "Zone", restrictionInfo: { zones: ["2"] } }] }), sku(["2"])],
      zones: ["1", "2"],
    },
    { when: "a size barred everywhere", skus: [sku(["1"], { restrictions: [{ type: "Location" }] })], zones: [] },
    {
      when: "nonsense",
      skus: [{}, { resourceType: "virtualMachines", locationInfo: 7, restrictions: "x" }],
      zones: [],
    },
  ])("$when", ({ skus, zones }) => {
    expect(skuZones(skus, "westeurope")).toEqual(zones);
  });
});

describe("AzureFacts", () => {
  const query: ZonesQuery = { kind: "zones", subscription: "s", location: "westeurope" };
  const hour = 3_600_000;

  const world = () => {
    let nowMs = 0;
    let answer: Result<readonly JsonObject[]> = { ok: true, value: [sku(["1"])] };
    const asked: ArmRequest[] = [];
    const refuse = () => Promise.reject(new Error("not asked for"));
    const arm: Arm = {
      send: refuse,
      poll: refuse,
      list: (request) => {
        asked.push(request);
        return Promise.resolve(answer);
      },
    };
    const facts = new AzureFacts(() => nowMs);
    return {
      asked,
      get: (of: FactQuery = query) => facts.get(of, arm),
      pass: (ms: number) => {
        nowMs += ms;
      },
      answers: (next: typeof answer) => {
        answer = next;
      },
    };
  };
  const zones = (...names: string[]) => ({ ok: true, value: { kind: "zones", location: "westeurope", zones: names } });
  const down: Result<never> = { ok: false, error: { kind: "transient", code: "NoAnswer", message: "x" } };

  it("asks once a day for each subscription and location, also when asked twice at once", async () => {
    const { asked, get, pass, answers } = world();
    expect(await Promise.all([get(), get(), get({ ...query, location: "WESTEUROPE" })])).toEqual([
      zones("1"),
      zones("1"),
      zones("1"),
    ]);
    expect(asked).toEqual([
      {
        method: "GET",
        path: "/subscriptions/s/providers/Microsoft.Compute/skus",
        apiVersion: "2021-07-01",
        query: { $filter: "location eq 'westeurope'" },
      },
    ]);
    answers({ ok: true, value: [sku(["2"])] });
    pass(24 * hour - 1);
    expect(await get()).toEqual(zones("1"));
    pass(1);
    expect(await get()).toEqual(zones("2"));
    await get({ ...query, subscription: "other" });
    expect(asked).toHaveLength(3);
  });

  /** Azure as one turn has it: asked once, answering when told to. */
  const asking = () => {
    const answer = Promise.withResolvers<Result<readonly JsonObject[]>>();
    const refuse = () => Promise.reject(new Error("not asked for"));
    let times = 0;
    const list: Arm["list"] = () => {
      times += 1;
      return answer.promise;
    };
    return { arm: { send: refuse, poll: refuse, list } satisfies Arm, answer: answer.resolve, times: () => times };
  };
  const failing = (kind: Failure["kind"], code: string): Result<never> => ({
    ok: false,
    error: { kind, code, message: "x" },
  });

  it.each([
    failing("transient", "TurnTooLong"),
    failing("auth", "AuthorizationFailed"),
    failing("throttled", "HeldBack"),
  ])("asks by itself when the one whose look-up it waited for may not ask: $error.code", async (refused) => {
    const facts = new AzureFacts(() => 0);
    const [one, two] = [asking(), asking()];
    const [first, second] = [facts.get(query, one.arm), facts.get(query, two.arm)];
    one.answer(refused);
    expect(await first).toEqual(refused);
    two.answer({ ok: true, value: [sku(["2"])] });
    expect(await second).toEqual(zones("2"));
    expect([one.times(), two.times()]).toEqual([1, 1]);
  });

  it("shares an answer of Azure's own, a bad one too", async () => {
    const facts = new AzureFacts(() => 0);
    const [one, two] = [asking(), asking()];
    const both = [facts.get(query, one.arm), facts.get(query, two.arm)];
    one.answer(down);
    expect(await Promise.all(both)).toEqual([down, down]);
    expect(two.times()).toBe(0);
  });

  it("gives up when its own time is over, while the look-up goes on for the others", async () => {
    const facts = new AzureFacts(() => 0);
    const one = asking();
    const first = facts.get(query, one.arm, 0);
    const second = facts.get(query, one.arm);
    expect(await first).toMatchObject({ ok: false, error: { kind: "transient", code: "NoAnswer" } });
    one.answer({ ok: true, value: [sku(["3"])] });
    expect(await second).toEqual(zones("3"));
    expect(one.times()).toBe(1);
    expect(await facts.get(query, one.arm, 0)).toEqual(zones("3"));
  });

  it("fails when it has never known, and asks again at once", async () => {
    const { get, answers } = world();
    answers(down);
    expect(await get()).toEqual(down);
    answers({ ok: true, value: [sku(["3"])] });
    expect(await get()).toEqual(zones("3"));
  });

  it("serves what it knew while Azure cannot be asked, and asks again in five minutes", async () => {
    const { asked, get, pass, answers } = world();
    await get();
    pass(24 * hour);
    answers(down);
    expect(await get()).toEqual(zones("1"));
    pass(5 * 60_000 - 1);
    expect(await get()).toEqual(zones("1"));
    expect(asked).toHaveLength(2);
    answers({ ok: true, value: [sku(["1", "2"])] });
    pass(1);
    expect(await get()).toEqual(zones("1", "2"));
  });
});
