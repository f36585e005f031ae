import { describe, expect, it } from "vitest";
import { apply } from "../../../src/core/apply/apply.ts";
import { blanked } from "../../../src/core/apply/blanked.ts";
import { foldIntent } from "../../../src/core/apply/foldIntent.ts";
import { settleApplied } from "../../../src/core/apply/settleApplied.ts";
import { desiredHash } from "../../../src/core/desiredHash.ts";
import { atCreation, fromSecret, type Marked, yielded } from "../../../src/core/marked.ts";
import type { Rules } from "../../../src/core/rules.ts";
import type { AppliedLeaf, JsonObject } from "../../../src/core/types.ts";
import { applied, changes, ledgerOf, rules, schema, sent, shows, type Thing, wanted } from "./support/things.ts";

const canary = "c4n4ry";
const body = (version: string, more: Marked<NonNullable<Thing["properties"]>> = {}): Marked<Thing> => ({
  location: "x",
  properties: { password: fromSecret(`${canary}-${version}`, `uid/${version}/password`), size: 1, ...more },
});
const observed = { location: "x", properties: { size: 1 } };
const ways: readonly Rules["writes"][] = ["overlay", "asked", "patch"];

describe.each(ways)("a value from a Secret, written by %s", (writes) => {
  const by = { writes };
  it("is compared by version: the same one is not written again", () =>
    expect(applied({ body: body("1"), observed, ledger: ledgerOf(body("1")), rules: by }).kind).toBe("unchanged"));
  it("is written when the Secret has another version, and the ledger holds that", () => {
    const result = applied({ body: body("2"), observed, ledger: ledgerOf(body("1")), rules: by });
    expect(changes(result)).toEqual(['properties.password: "***" -> "***"']);
    expect(sent(result)).toMatchObject({ properties: { password: `${canary}-2` } });
    expect(result.applied.find(({ path }) => path.includes("password"))).toEqual({
      path: ["properties", "password"],
      value: "***",
      mark: "asked",
      version: "uid/2/password",
    });
  });
  it("agrees with a ledger of an earlier release, or a lost one: cannot tell is no reason to write", () => {
    const old = ledgerOf(body("1")).map(({ version: _version, ...leaf }): AppliedLeaf => leaf);
    const result = applied({ body: body("2"), observed, ledger: old, rules: by });
    expect(result).toMatchObject({ kind: "unchanged" });
    expect(result.applied).toContainEqual(expect.objectContaining({ version: "uid/2/password" }));
    expect(applied({ body: body("2"), observed, rules: by }).kind).toBe("unchanged");
  });
  it("is written again when nobody knows whether it arrived", () => {
    const folded = foldIntent(schema, { ...rules, ...by }, ledgerOf(body("1")), ledgerOf(body("2")), observed);
    expect(applied({ body: body("2"), observed, ledger: folded, rules: by }).kind).toBe("write");
  });
  it("keeps its version through the first look after a write", () => {
    const ledger = ledgerOf(body("1", { cache: yielded("c") }));
    expect(settleApplied(schema, rules, ledger, observed)).toBe(ledger);
  });
});

describe("a value from a Secret where the schema knows of none", () => {
  const settings = (value: string, version: string): Marked<Thing> => ({
    properties: { note: "n", settings: { open: 1, hidden: fromSecret<string>(value, version) } },
  });
  it("stands in no change, no ledger and no blanked body", () => {
    const creation = applied({ body: settings(canary, "v1"), observed: undefined });
    expect(JSON.stringify([changes(creation), creation.applied])).not.toContain(canary);
    const { schema: by, rules: with_ } = { schema, rules };
    const desired = wanted(settings(canary, "v1"));
    expect(blanked(by, with_, desired, desired.body)).toEqual({
      properties: { note: "n", settings: { open: 1, hidden: "***" } },
    });
  });
  it("stands in no change although Azure shows it, nor once it is no longer wanted", () => {
    const ledger = ledgerOf(settings(canary, "v1"));
    const shown: JsonObject = { properties: { note: "n", settings: { open: 1, hidden: canary } } };
    const other = applied({ body: settings("other", "v2"), observed: shown, ledger });
    const gone = applied({ body: { properties: { note: "n" } }, observed: shown, ledger });
    expect([changes(other), changes(gone)]).toEqual([
      ['properties.settings.hidden: "***" -> "***"'],
      ["properties.settings.open: 1 -> null", 'properties.settings.hidden: "***" -> null'],
    ]);
  });
  it("stands in no refusal: neither what Azure shows nor what is wanted", () => {
    const shown: JsonObject = { properties: { note: "n", settings: { open: 1, hidden: `${canary}-theirs` } } };
    const result = applied({
      body: settings(`${canary}-ours`, "v2"),
      observed: shown,
      ledger: ledgerOf(settings(`${canary}-before`, "v1")),
      rules: { immutable: ["properties.settings.hidden"] },
    });
    expect("refusals" in result && result.refusals).toMatchObject([{ reason: "ImmutableDrift", desired: "***" }]);
    expect(JSON.stringify(result)).not.toContain(canary);
  });
  it("is hidden within an item of a list too", () => {
    const rule = { name: "a", properties: { description: fromSecret<string>(canary, "v") } };
    const result = applied({ body: { properties: { rules: [rule] } }, observed: { properties: {} } });
    expect(changes(result)).toEqual(['properties.rules[a]: null -> {"name":"a","properties":{"description":"***"}}']);
    expect(JSON.stringify(sent(result))).toContain(canary);
    expect(JSON.stringify(result.applied)).not.toContain(canary);
  });
});

describe.each(ways)("a value for creation only, written by %s", (writes) => {
  const by = { writes };
  const made = (value: string, size = 1): Marked<Thing> => ({
    properties: { size, dns: { label: atCreation(value) }, password: atCreation(value) },
  });
  it("is used in the body of the creation, and shown and stored nowhere", () => {
    const creation = applied({ body: made(canary), observed: undefined, rules: by });
    expect(sent(creation)).toMatchObject({ properties: { dns: { label: canary }, password: canary } });
    expect(JSON.stringify([changes(creation), creation.applied])).not.toContain(canary);
    expect(creation.applied.map(({ path }) => path.join("."))).toEqual(["properties.size"]);
  });
  it("is never compared: another one, made up in the next turn, changes nothing", () => {
    const ledger = ledgerOf(made(canary));
    const shown = { properties: { size: 1, dns: { label: canary } } };
    expect(applied({ body: made("another"), observed: shown, ledger, rules: by }).kind).toBe("unchanged");
    expect(applied({ body: made("another"), observed: shown, rules: by }).kind).toBe("unchanged");
  });
  it("is never sent again, whatever else is written", () => {
    const shown = { properties: { size: 1, dns: { label: canary } } };
    const result = applied({ body: made("another", 2), observed: shown, ledger: ledgerOf(made(canary)), rules: by });
    expect(JSON.stringify(sent(result))).not.toContain("another");
  });
  it("is not cleared either when it has been asked for before", () => {
    const before: Marked<Thing> = { properties: { size: 1, dns: { label: "l" } } };
    const shown = { properties: { size: 1, dns: { label: "l" } } };
    expect(applied({ body: made("m"), observed: shown, ledger: ledgerOf(before), rules: by }).kind).toBe("unchanged");
  });
});

describe("what another owner decides in one resource only", () => {
  const scaled = (size: number, note: string): Marked<Thing> => ({ properties: { size: yielded(size), note } });
  it("A23: a count that a scaler moved is no drift and is not sent back to its first value", () => {
    const ledger = ledgerOf(scaled(1, "n"));
    const shown = { properties: { size: 4, note: "n" } };
    expect(applied({ body: scaled(1, "n"), observed: shown, ledger }).kind).toBe("unchanged");
    expect(sent(applied({ body: scaled(1, "m"), observed: shown, ledger }))).toEqual({
      properties: { size: 4, note: "m" },
    });
  });
  it("A23: stays as it is when it was ours before", () => {
    const ledger = ledgerOf({ properties: { size: 1, note: "n" } });
    const result = applied({ body: scaled(1, "n"), observed: { properties: { size: 4, note: "n" } }, ledger });
    expect(result).toEqual({ kind: "unchanged", applied: ledger.filter(({ path }) => path.at(-1) === "note") });
  });
  it("is ours again when nobody else decides any more", () =>
    expect(
      changes(
        applied({
          body: { properties: { size: 1, note: "n" } },
          observed: { properties: { size: 4, note: "n" } },
          ledger: ledgerOf(scaled(1, "n")),
        }),
      ),
    ).toEqual(["properties.size: 4 -> 1"]));
});

describe("the hash of what is wanted", () => {
  const hashOf = (of: Marked<Thing>): string => desiredHash(rules, wanted(of));
  const rule = (value: string, version: string): Marked<Thing> => ({
    properties: { rules: [{ name: "R", properties: { description: fromSecret<string>(value, version) } }] },
  });
  it("depends on the version of a Secret, never on its value", () => {
    expect(hashOf(rule("a", "1"))).toBe(hashOf(rule("b", "1")));
    expect(hashOf(rule("a", "1"))).not.toBe(hashOf(rule("a", "2")));
  });
  it("does not depend on values for creation only", () =>
    expect(hashOf({ properties: { password: atCreation("a") } })).toBe(
      hashOf({ properties: { password: atCreation("b") } }),
    ));
  it("depends on who decides", () =>
    expect(hashOf({ properties: { size: yielded(1) } })).not.toBe(hashOf({ properties: { size: 1 } })));
  it("depends on all the rest", () =>
    expect(hashOf({ location: "x", properties: { size: 1 } })).not.toBe(
      hashOf({ location: "x", properties: { size: 2 } }),
    ));
});

describe("a change that would need another resource", () => {
  const replaces = { effects: { "properties.address": "replace", "properties.dns": "replace" } } as const;
  const before = { location: "x", properties: { address: "10.0.0.1", size: 1, dns: { label: "a" } } };
  const after = { location: "x", properties: { address: "10.0.0.2", size: 2, dns: { label: "b" } } };
  it.each(ways)("A45: is refused, written by %s: nothing is deleted or made anew, the rest goes on", (writes) => {
    const result = applied({
      body: after,
      observed: before,
      ledger: ledgerOf(before),
      rules: { ...replaces, immutable: [], writes },
    });
    expect(result).toMatchObject({
      kind: "write",
      refusals: [
        {
          reason: "ImmutableDrift",
          path: "properties.address",
          observed: "10.0.0.1",
          desired: "10.0.0.2",
          message:
            'properties.address changes only with a new resource, which is never made in place of the old one: it is "10.0.0.1", wanted is "10.0.0.2"',
        },
        { path: "properties.dns.label" },
      ],
    });
    expect(changes(result)).toEqual(["properties.size: 1 -> 2"]);
    expect(JSON.stringify(sent(result))).not.toContain("10.0.0.2");
    expect(result.kind === "write" && result.requests.map(({ method }) => method)).not.toContain("DELETE");
  });
  it.each([
    ["westeurope", "West Europe"],
    ["West Europe", "westeurope"],
    ["eastus2", "East US 2"],
  ])("A45: a location written %s is the same as %s", (asked, shown) =>
    expect(
      apply({
        schema,
        rules,
        desired: wanted({ location: asked, properties: {} }),
        observed: shows({ location: shown, properties: {} }),
        applied: undefined,
        tagsAtScope: true,
      }).kind,
    ).toBe("unchanged"),
  );
});
