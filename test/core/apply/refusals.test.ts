import { describe, expect, it } from "vitest";
import { byDefault } from "../../../src/core/marked.ts";
import { applied, changes, ledgerOf, sent, wanted } from "./support/things.ts";

const rule = (name: string, priority: number, direction = "In") => ({ name, properties: { priority, direction } });

describe("an immutable field", () => {
  const observed = { location: "x", properties: { address: "10.0.0.1", size: 1 } };
  const refusals = [
    {
      reason: "ImmutableDrift",
      path: "properties.address",
      observed: "10.0.0.1",
      desired: "10.0.0.2",
      message: 'properties.address cannot change in Azure: it is "10.0.0.1", wanted is "10.0.0.2"',
    },
  ];
  it("keeps its observed value while the other changes are written", () => {
    const result = applied({ body: { properties: { address: "10.0.0.2", size: 2 } }, observed });
    expect(result).toMatchObject({ kind: "write", refusals });
    expect(sent(result)).toEqual({ location: "x", properties: { address: "10.0.0.1", size: 2 } });
    expect(result.applied).toEqual([{ path: ["properties", "size"], value: 2, mark: "asked" }]);
  });
  it("is refused when nothing else changes, and the ledger keeps what it had", () => {
    const ledger = ledgerOf({ properties: { address: "10.0.0.1" } });
    expect(applied({ body: { properties: { address: "10.0.0.2" } }, observed, ledger })).toEqual({
      kind: "refused",
      refusals,
      applied: ledger,
    });
  });
  it("is refused where nothing stands yet", () =>
    expect(applied({ body: { properties: { address: "10.0.0.2" } }, observed: { properties: {} } })).toMatchObject({
      kind: "refused",
      refusals: [{ observed: null }],
    }));
  it("is not refused for a default of ours", () =>
    expect(applied({ body: { properties: { address: byDefault("10.0.0.2") } }, observed, ledger: [] })).toEqual({
      kind: "unchanged",
      applied: [],
    }));
  it("is not refused for a default that we applied once and Azure shows otherwise", () => {
    const body = { properties: { address: byDefault<string>("10.0.0.2") } };
    expect(applied({ body, observed, ledger: ledgerOf(body) })).toEqual({ kind: "unchanged", applied: ledgerOf(body) });
  });
  it("is no obstacle to a new item, unless the list itself is immutable", () => {
    const body = { properties: { rules: [{ name: "a", properties: { priority: 1 } }] } };
    const inItem = applied({ body, observed, rules: { immutable: ["properties.rules[].properties.priority"] } });
    expect(changes(inItem)).toHaveLength(1);
    expect(applied({ body, observed, rules: { immutable: ["properties.rules"] } })).toMatchObject({
      kind: "refused",
      refusals: [{ path: "properties.rules[a]", observed: null }],
    });
  });
});

describe("a foreign item that makes ours impossible", () => {
  const observed = { properties: { size: 1, rules: [rule("theirs", 100)] } };
  it("is not written over; the rest goes on", () => {
    const body = { properties: { size: 2, rules: [rule("mine", 100), rule("other", 100, "Out")] } };
    const result = applied({ body, observed });
    expect(result).toMatchObject({
      kind: "write",
      refusals: [
        {
          reason: "ForeignConflict",
          path: "properties.rules[mine]",
          observed: rule("theirs", 100),
          desired: rule("mine", 100),
          message:
            "properties.rules[mine] is impossible next to properties.rules[theirs], which is not ours: both have the same properties.priority and properties.direction",
        },
      ],
    });
    expect(sent(result)).toEqual({ properties: { size: 2, rules: [rule("theirs", 100), rule("other", 100, "Out")] } });
    expect(result.applied.map(({ path }) => path.join("."))).toEqual([
      "properties.size",
      "properties.rules.other.name",
      "properties.rules.other.properties.priority",
      "properties.rules.other.properties.direction",
    ]);
  });
  it("leaves an item of ours that would move onto it as it is", () => {
    const before = { properties: { rules: [rule("mine", 200)] } };
    const result = applied({
      body: {
        properties: { rules: [{ name: "mine", properties: { priority: 100, direction: "In", description: "d" } }] },
      },
      observed: { properties: { rules: [rule("theirs", 100), rule("mine", 200)] } },
      ledger: ledgerOf(before),
    });
    expect(result).toMatchObject({
      kind: "refused",
      refusals: [{ reason: "ForeignConflict" }],
      applied: ledgerOf(before),
    });
  });
  it("is none without the field", () =>
    expect(
      applied({
        body: { properties: { rules: [{ name: "mine", properties: { prefix: "10.0.1.0/24" } }] } },
        observed: {
          properties: { rules: [{ name: "theirs", properties: { prefixes: ["192.168.0.0/16", "10.0.0.0/16"] } }] },
        },
        rules: { exclusive: { "properties.rules[]": ["properties.prefix"] }, oneOf: [] },
      }).kind,
    ).toBe("write"));
  it("also when its prefix overlaps", () =>
    expect(
      applied({
        body: { properties: { rules: [{ name: "mine", properties: { prefix: "10.0.1.0/24" } }] } },
        observed: { properties: { rules: [{ name: "theirs", properties: { prefix: "10.0.0.0/16" } }] } },
        rules: { exclusive: { "properties.rules[]": ["properties.prefix"] } },
      }),
    ).toMatchObject({ kind: "refused", refusals: [{ reason: "ForeignConflict" }] }));
});

describe("what the schema calls read-only", () => {
  const body = { properties: { size: 1, provisioningState: "Creating" } };
  it("is never compared or written, and stands in no ledger", () => {
    const result = applied({ body, observed: { properties: { size: 1, provisioningState: "Succeeded" } } });
    expect(result).toEqual({ kind: "unchanged", applied: [{ path: ["properties", "size"], value: 1, mark: "asked" }] });
  });
});

describe("what another owner decides", () => {
  const rules = { yields: ["properties.size", "properties.rules"] };
  const body = { properties: { size: 1, note: "n", rules: [rule("a", 1)] } };
  it("is sent with the creation and not remembered", () => {
    const result = applied({ body, observed: undefined, rules });
    expect(sent(result)).toEqual(wanted(body).body);
    expect(result.applied).toEqual([{ path: ["properties", "note"], value: "n", mark: "asked" }]);
  });
  it("is never compared or written afterwards", () => {
    const observed = { properties: { size: 5, note: "n", rules: [rule("b", 2)] } };
    expect(applied({ body, observed, rules }).kind).toBe("unchanged");
    const changed = applied({ body, observed: { properties: { ...observed.properties, note: "m" } }, rules });
    expect(sent(changed)).toEqual(observed);
  });
  it("is not cleared either", () =>
    expect(
      applied({
        body: {},
        observed: { properties: { size: 1, rules: [rule("a", 1)] } },
        ledger: ledgerOf(body),
        rules: { ...rules, absentMeans: {} },
      }).kind,
    ).toBe("unchanged"));
});
