import { describe, expect, it } from "vitest";
import { byDefault, type Marked } from "../../../src/core/marked.ts";
import type { AppliedLeaf, JsonObject } from "../../../src/core/types.ts";
import { applied, changes, id, ledgerOf, sent, type Thing } from "./support/things.ts";

const rule = (name: string, properties: JsonObject): JsonObject => ({ name, properties });

describe("creation", () => {
  const body: Marked<Thing> = {
    location: "westeurope",
    tags: { owner: "us" },
    properties: { size: byDefault(4), password: "hunter2", rules: [{ name: "ssh", properties: { priority: 100 } }] },
  };
  const result = applied({ body, observed: undefined });
  it("sends the whole body, defaults too, unless it exists by then", () =>
    expect(result).toMatchObject({
      kind: "write",
      requests: [
        {
          method: "PUT",
          path: id,
          apiVersion: "2026-01-01",
          ifNoneMatch: "*",
          body: { location: "westeurope", properties: { size: 4, password: "hunter2" } },
        },
      ],
    }));
  it("explains every leaf and every item, without secrets", () =>
    expect(changes(result)).toEqual([
      'location: null -> "westeurope"',
      'tags.owner: null -> "us"',
      "properties.size: null -> 4",
      'properties.password: null -> "***"',
      'properties.rules[ssh]: null -> {"name":"ssh","properties":{"priority":100}}',
    ]));
  it("records the leaves with their marks, without secrets", () =>
    expect(result.applied).toEqual([
      { path: ["location"], value: "westeurope", mark: "asked" },
      { path: ["tags", "owner"], value: "us", mark: "asked" },
      { path: ["properties", "size"], value: 4, mark: "default" },
      { path: ["properties", "password"], value: "***", mark: "asked" },
      { path: ["properties", "rules", "ssh", "name"], value: "ssh", mark: "asked" },
      { path: ["properties", "rules", "ssh", "properties", "priority"], value: 100, mark: "asked" },
    ]));
});

interface Case {
  readonly what: string;
  readonly body: Marked<Thing>;
  readonly observed: JsonObject;
  readonly ledger?: readonly AppliedLeaf[];
}

describe("unchanged", () => {
  it.each<Case>([
    { what: "nothing wanted", body: {}, observed: { location: "x", properties: { size: 3 } } },
    {
      what: "fields that Azure added",
      body: { properties: { size: 1 } },
      observed: { properties: { size: 1, note: "n", provisioningState: "Succeeded" } },
    },
    {
      what: "the case of ids",
      body: { properties: { gateway: { id: "/subscriptions/S/gw" } } },
      observed: { properties: { gateway: { id: "/Subscriptions/s/GW" } } },
    },
    {
      what: "the case and blanks of locations",
      body: { location: "westeurope" },
      observed: { location: "West Europe" },
    },
    {
      what: "the form of addresses",
      body: { properties: { address: "2001:DB8::1" } },
      observed: { properties: { address: "2001:db8:0::1" } },
    },
    {
      what: "bits below a prefix",
      body: { properties: { prefixes: ["10.1.0.0/8"] } },
      observed: { properties: { prefixes: ["10.0.0.0/8"] } },
    },
    { what: "order and repetition in sets", body: { zones: ["1", "2"] }, observed: { zones: ["2", "1", "2"] } },
    { what: "what equals absence", body: { properties: { note: "" } }, observed: { properties: {} } },
    { what: "null for nothing", body: { properties: { note: "" } }, observed: { properties: { note: null } } },
    {
      what: "order of keyed lists, the case of their keys, foreign items",
      body: {
        properties: {
          rules: [
            { name: "a", properties: { priority: 1 } },
            { name: "b", properties: { priority: 2 } },
          ],
        },
      },
      observed: {
        properties: { rules: [rule("x", { priority: 9 }), rule("B", { priority: 2 }), rule("a", { priority: 1 })] },
      },
    },
    {
      what: "items known by id although Azure also names them",
      body: { properties: { pools: [{ id: "/subscriptions/s/p1" }] } },
      observed: {
        properties: {
          pools: [
            { name: "p2", id: "/subscriptions/s/p2" },
            { name: "p1", id: "/SUBSCRIPTIONS/s/P1" },
          ],
        },
      },
    },
    {
      what: "an empty list into which others put something",
      body: { properties: { rules: [] } },
      observed: { properties: { rules: [rule("x", {})] } },
    },
    {
      what: "doubled fields",
      body: { properties: { prefix: "10.0.0.0/16" } },
      observed: { properties: { prefix: "10.0.0.0/16", prefixes: ["10.0.0.0/16"] } },
    },
    {
      what: "one value shown as a list",
      body: { properties: { prefix: "10.0.0.0/16" } },
      observed: { properties: { prefixes: ["10.0.0.0/16"] } },
    },
    {
      what: "a list of one shown as a value",
      body: { properties: { prefixes: ["10.0.0.0/16"] } },
      observed: { properties: { prefix: "10.0.0.0/16", prefixes: [] } },
    },
    {
      what: "the case of a key that the ledger spells otherwise",
      body: { properties: { rules: [{ name: "a", properties: { priority: 1 } }] } },
      observed: { properties: { rules: [rule("A", { priority: 1 })] } },
      ledger: ledgerOf({ properties: { rules: [{ name: "A", properties: { priority: 1 } }] } }),
    },
    {
      what: "what was asked for and equals absence, once it is no longer asked",
      body: {},
      observed: { properties: { note: "" } },
      ledger: ledgerOf({ properties: { note: "" } }),
    },
    { what: "the case of tag names", body: { tags: { Name: "n" } }, observed: { tags: { NAME: "n", other: "o" } } },
    { what: "no tags wanted, none there", body: { tags: {} }, observed: {} },
    {
      what: "a secret that Azure does not show, after a takeover",
      body: { properties: { password: "p" } },
      observed: { properties: {} },
    },
    {
      what: "the same secret",
      body: { properties: { password: "p" } },
      observed: { properties: {} },
      ledger: ledgerOf({ properties: { password: "p" } }),
    },
    {
      what: "the same value that Azure never shows",
      body: { properties: { token: "t" } },
      observed: { properties: {} },
      ledger: ledgerOf({ properties: { token: "t" } }),
    },
    {
      what: "a default that differs, after a takeover",
      body: { properties: { size: byDefault(4) } },
      observed: { properties: { size: 7 } },
    },
    {
      what: "a newer default",
      body: { properties: { size: byDefault(5) } },
      observed: { properties: { size: 4 } },
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
    },
    {
      what: "a new default where nothing is",
      body: { properties: { size: byDefault(5) } },
      observed: { properties: {} },
      ledger: ledgerOf({ location: "x" }),
    },
    {
      what: "a new item that is all default",
      body: { properties: { rules: [byDefault({ name: "a", properties: { priority: 1 } })] } },
      observed: { properties: { rules: [] } },
      ledger: [],
    },
    {
      what: "a former default",
      body: {},
      observed: { properties: { size: 4 } },
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
    },
    {
      what: "a former item that was all default",
      body: {},
      observed: { properties: { rules: [rule("a", { priority: 1 })] } },
      ledger: ledgerOf({ properties: { rules: [byDefault({ name: "a", properties: { priority: 1 } })] } }),
    },
    {
      what: "something formerly asked that is gone already",
      body: {},
      observed: { properties: {} },
      ledger: ledgerOf({ properties: { size: 4 } }),
    },
    {
      what: "something empty formerly asked, filled by others",
      body: {},
      observed: { properties: { rules: [rule("x", {})] } },
      ledger: ledgerOf({ properties: { rules: [] } }),
    },
    {
      what: "an immutable field no longer asked",
      body: {},
      observed: { properties: { address: "10.0.0.1" } },
      ledger: ledgerOf({ properties: { address: "10.0.0.1" } }),
    },
    {
      what: "fields that Azure adds where the shape is open",
      body: { properties: { settings: { a: { b: 1 } } } },
      observed: { properties: { settings: { a: { b: 1, c: 2 } } } },
    },
    {
      what: "read-only fields",
      body: { properties: { size: 1 } },
      observed: { properties: { size: 1, provisioningState: "Updating" } },
    },
  ])("$what", ({ body, observed, ledger }) =>
    expect(applied({ body, observed, ...(ledger && { ledger }) })).toMatchObject({ kind: "unchanged" }),
  );
});

describe("changes of an overlay", () => {
  const full = {
    location: "x",
    tags: { foreign: "f" },
    properties: {
      provisioningState: "Succeeded",
      size: 3,
      note: "theirs",
      children: [{ name: "c" }],
      rules: [rule("x", { priority: 9, direction: "In", provisioningState: "Succeeded" })],
    },
  };
  it.each<Case & { readonly says: readonly string[]; readonly sends: JsonObject }>([
    {
      what: "lays ours over what is there, without read-only and omitted fields",
      body: { tags: { mine: "m" }, properties: { size: 4 } },
      observed: full,
      says: ['tags.mine: null -> "m"', "properties.size: 3 -> 4"],
      sends: {
        location: "x",
        tags: { foreign: "f", mine: "m" },
        properties: { size: 4, note: "theirs", rules: [rule("x", { priority: 9, direction: "In" })] },
      },
    },
    {
      what: "sends an omitted list whole when something of ours stands in it",
      body: { properties: { children: [{ name: "d", properties: { size: 1 } }] } },
      observed: { properties: { children: [{ name: "c", properties: { size: 2 } }] } },
      says: ['properties.children[d]: null -> {"name":"d","properties":{"size":1}}'],
      sends: {
        properties: {
          children: [
            { name: "c", properties: { size: 2 } },
            { name: "d", properties: { size: 1 } },
          ],
        },
      },
    },
    {
      what: "adds an item with all its leaves and changes one in place",
      body: {
        properties: {
          rules: [
            { name: "a", properties: { priority: 1, description: byDefault("d") } },
            { name: "B", properties: { priority: 5 } },
          ],
        },
      },
      observed: { properties: { rules: [rule("b", { priority: 2, description: "kept" })] } },
      says: [
        'properties.rules[a]: null -> {"name":"a","properties":{"priority":1,"description":"d"}}',
        "properties.rules[B].properties.priority: 2 -> 5",
      ],
      sends: {
        properties: {
          rules: [rule("b", { priority: 5, description: "kept" }), rule("a", { priority: 1, description: "d" })],
        },
      },
    },
    {
      what: "takes out what is no longer asked, and the object that held nothing else",
      body: { properties: { size: 1 } },
      observed: {
        properties: { size: 1, note: "n", gateway: { id: "/subscriptions/s/g" }, dns: { label: "l", fqdn: "l.x" } },
      },
      ledger: ledgerOf({ properties: { size: 1, gateway: { id: "/subscriptions/s/g" }, dns: { label: "l" } } }),
      says: ['properties.gateway.id: "/subscriptions/s/g" -> null', 'properties.dns.label: "l" -> null'],
      sends: { properties: { size: 1, note: "n" } },
    },
    {
      what: "takes out items that are no longer wanted and leaves foreign ones",
      body: { properties: { rules: [{ name: "a", properties: { priority: 1 } }] } },
      observed: {
        properties: {
          rules: [rule("a", { priority: 1 }), rule("X", { priority: 9 }), rule("B", { priority: 2, description: "d" })],
        },
      },
      ledger: ledgerOf({
        properties: {
          rules: [
            { name: "a", properties: { priority: 1 } },
            { name: "b", properties: { priority: 2 } },
          ],
        },
      }),
      says: ['properties.rules[b]: {"name":"B","properties":{"priority":2,"description":"d"}} -> null'],
      sends: { properties: { rules: [rule("a", { priority: 1 }), rule("X", { priority: 9 })] } },
    },
    {
      what: "takes out the last item",
      body: { properties: { size: 1 } },
      observed: { properties: { size: 1, rules: [rule("a", { priority: 1 })] } },
      ledger: ledgerOf({ properties: { size: 1, rules: [{ name: "a", properties: { priority: 1 } }] } }),
      says: ['properties.rules[a]: {"name":"a","properties":{"priority":1}} -> null'],
      sends: { properties: { size: 1, rules: [] } },
    },
    {
      what: "restores a default that was applied",
      body: { properties: { size: byDefault(5) } },
      observed: { properties: { size: 9 } },
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
      says: ["properties.size: 9 -> 4"],
      sends: { properties: { size: 4 } },
    },
    {
      what: "goes back to the default when it is no longer asked",
      body: { properties: { size: byDefault(5) } },
      observed: { properties: { size: 9 } },
      ledger: ledgerOf({ properties: { size: 9 } }),
      says: ["properties.size: 9 -> 5"],
      sends: { properties: { size: 5 } },
    },
    {
      what: "restores a default item that was applied, as it was",
      body: { properties: { rules: [byDefault({ name: "a", properties: { priority: 2, description: "new" } })] } },
      observed: { properties: { rules: [] } },
      ledger: ledgerOf({ properties: { rules: [byDefault({ name: "a", properties: { priority: 1 } })] } }),
      says: ['properties.rules[a]: null -> {"name":"a","properties":{"priority":1,"description":"new"}}'],
      sends: { properties: { rules: [rule("a", { priority: 1, description: "new" })] } },
    },
    {
      what: "keeps the observed value of a default of which nothing is known",
      body: { properties: { size: byDefault(5), note: "n" } },
      observed: { properties: { size: 9 } },
      says: ['properties.note: null -> "n"'],
      sends: { properties: { size: 9, note: "n" } },
    },
    {
      what: "sets one alternative and drops the other",
      body: { properties: { prefix: "10.0.0.0/16" } },
      observed: {
        properties: {
          prefixes: ["10.1.0.0/16", "10.2.0.0/16"],
          rules: [rule("x", { prefix: "*", prefixes: [] }), rule("y", { prefix: "", prefixes: ["a"] })],
        },
      },
      says: ['properties.prefix: null -> "10.0.0.0/16"'],
      sends: {
        properties: { prefix: "10.0.0.0/16", rules: [rule("x", { prefix: "*" }), rule("y", { prefixes: ["a"] })] },
      },
    },
    {
      what: "a list that is set to empty is not the same as none",
      body: { properties: { dns: { servers: [] } } },
      observed: { properties: {} },
      says: ["properties.dns.servers: null -> []"],
      sends: { properties: { dns: { servers: [] } } },
    },
    {
      what: "carries what Azure never shows, or the PUT would take it away",
      body: { properties: { size: 2, password: "p", token: "t" } },
      observed: { properties: { size: 1 } },
      ledger: ledgerOf({ properties: { size: 1, password: "p", token: "t" } }),
      says: ["properties.size: 1 -> 2"],
      sends: { properties: { size: 2, password: "p", token: "t" } },
    },
    {
      what: "writes a secret that was asked for since",
      body: { properties: { password: "p" } },
      observed: { properties: {} },
      ledger: ledgerOf({ location: "x" }),
      says: ['properties.password: null -> "***"'],
      sends: { properties: { password: "p" } },
    },
    {
      what: "writes another value of what Azure never shows",
      body: { properties: { token: "u" } },
      observed: { properties: {} },
      ledger: ledgerOf({ properties: { token: "t" } }),
      says: ['properties.token: "t" -> "u"'],
      sends: { properties: { token: "u" } },
    },
    {
      what: "knows a former item of ours under another name",
      body: { properties: { rules: [{ name: "new", properties: { priority: 1, direction: "In" } }] } },
      observed: {
        properties: {
          rules: [
            rule("renamed", { priority: 1, direction: "In", description: "d" }),
            rule("x", { priority: 2, direction: "In" }),
          ],
        },
      },
      ledger: ledgerOf({ properties: { rules: [{ name: "old", properties: { priority: 1, direction: "In" } }] } }),
      says: [
        'properties.rules[new]: null -> {"name":"new","properties":{"priority":1,"direction":"In"}}',
        'properties.rules[renamed]: {"name":"renamed","properties":{"priority":1,"direction":"In","description":"d"}} -> null',
      ],
      sends: {
        properties: {
          rules: [rule("x", { priority: 2, direction: "In" }), rule("new", { priority: 1, direction: "In" })],
        },
      },
    },
    {
      what: "gives a priority to a new item in the write that takes the old one out",
      body: { properties: { rules: [{ name: "new", properties: { priority: 1, direction: "In" } }] } },
      observed: { properties: { rules: [rule("old", { priority: 1, direction: "In" })] } },
      ledger: ledgerOf({ properties: { rules: [{ name: "old", properties: { priority: 1, direction: "In" } }] } }),
      says: [
        'properties.rules[new]: null -> {"name":"new","properties":{"priority":1,"direction":"In"}}',
        'properties.rules[old]: {"name":"old","properties":{"priority":1,"direction":"In"}} -> null',
      ],
      sends: { properties: { rules: [rule("new", { priority: 1, direction: "In" })] } },
    },
  ])("$what", ({ body, observed, ledger, says, sends }) => {
    const result = applied({ body, observed, ...(ledger && { ledger }), tagsAtScope: false });
    expect(changes(result)).toEqual(says);
    expect(sent(result)).toEqual(sends);
    expect(result).toMatchObject({
      kind: "write",
      requests: [{ method: "PUT", path: id, ifMatch: "e1" }],
      refusals: [],
    });
  });
  it("says what a change does to what runs", () =>
    expect(applied({ body: { properties: { size: 4 } }, observed: full })).toMatchObject({
      requests: [{ changes: [{ path: "properties.size", effect: "model" }] }],
    }));
  it("clears with the declared value, once", () => {
    const rules = { clear: { "properties.gateway": {} } };
    const ledger = ledgerOf({ properties: { gateway: { id: "/subscriptions/s/g" } } });
    const body = { properties: { size: 1 } };
    const result = applied({
      body,
      observed: { properties: { size: 1, gateway: { id: "/subscriptions/s/g" } } },
      ledger,
      rules,
    });
    expect(sent(result)).toEqual({ properties: { size: 1, gateway: {} } });
    expect(applied({ body, observed: { properties: { size: 1, gateway: {} } }, ledger, rules }).kind).toBe("unchanged");
  });
});

describe("marks", () => {
  it.each<{
    what: string;
    body: Marked<Thing>;
    ledger: readonly AppliedLeaf[] | undefined;
    expected: readonly AppliedLeaf[];
  }>([
    {
      what: "asked, formerly default",
      body: { properties: { size: 4 } },
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
      expected: [{ path: ["properties", "size"], value: 4, mark: "asked" }],
    },
    {
      what: "default, formerly asked",
      body: { properties: { size: byDefault(4) } },
      ledger: ledgerOf({ properties: { size: 4 } }),
      expected: [{ path: ["properties", "size"], value: 4, mark: "default" }],
    },
    {
      what: "no longer wanted default",
      body: {},
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
      expected: [],
    },
    {
      what: "a newer default leaves the applied one",
      body: { properties: { size: byDefault(5) } },
      ledger: ledgerOf({ properties: { size: byDefault(4) } }),
      expected: [{ path: ["properties", "size"], value: 4, mark: "default" }],
    },
    {
      what: "a takeover records a default that agrees",
      body: { properties: { size: byDefault(4) } },
      ledger: undefined,
      expected: [{ path: ["properties", "size"], value: 4, mark: "default" }],
    },
    {
      what: "a takeover does not record one that differs",
      body: { properties: { size: byDefault(5) } },
      ledger: undefined,
      expected: [],
    },
    {
      what: "a default that is new to the ledger stays Azure's",
      body: { properties: { size: byDefault(4) } },
      ledger: [],
      expected: [],
    },
  ])("follow the spec though nothing is written: $what", ({ body, ledger, expected }) =>
    expect(applied({ body, observed: { properties: { size: 4 } }, ...(ledger && { ledger }) })).toEqual({
      kind: "unchanged",
      applied: expected,
    }),
  );
});
