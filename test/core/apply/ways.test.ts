import { describe, expect, it } from "vitest";
import { foldIntent } from "../../../src/core/apply/foldIntent.ts";
import { settleApplied } from "../../../src/core/apply/settleApplied.ts";
import { byDefault } from "../../../src/core/marked.ts";
import { applied, changes, id, ledgerOf, rules, schema, sent } from "./support/things.ts";

const rule = (name: string, priority: number) => ({ name, properties: { priority } });

describe("tags alone", () => {
  const path = `${id}/providers/Microsoft.Resources/tags/default`;
  const observed = { location: "x", tags: { Mine: "old", Gone: "g", theirs: "t" }, properties: { size: 1 } };
  const result = applied({
    body: { location: "x", tags: { mine: "new", "a.b": "c" } },
    observed,
    ledger: ledgerOf({ tags: { mine: "old", gone: "g" } }),
  });
  it("are merged and deleted at the scope of the resource", () =>
    expect(result).toMatchObject({
      kind: "write",
      requests: [
        {
          method: "PATCH",
          path,
          apiVersion: "2025-04-01",
          body: { operation: "Merge", properties: { tags: { mine: "new", "a.b": "c" } } },
        },
        { method: "PATCH", path, body: { operation: "Delete", properties: { tags: { gone: "g" } } } },
      ],
    }));
  it("are explained", () =>
    expect(changes(result)).toEqual([
      'tags.mine: "old" -> "new"',
      'tags["a.b"]: null -> "c"',
      'tags.gone: "g" -> null',
    ]));
  it("go with the body when something else changes too", () =>
    expect(sent(applied({ body: { tags: { mine: "new" }, properties: { size: 2 } }, observed }))).toEqual({
      location: "x",
      tags: { Mine: "new", Gone: "g", theirs: "t" },
      properties: { size: 2 },
    }));
});

describe("writes: asked", () => {
  const asked = { writes: "asked", clear: { "properties.note": "" } } as const;
  const observed = {
    location: "x",
    tags: { theirs: "t" },
    properties: {
      provisioningState: "Succeeded",
      size: 1,
      note: "n",
      address: "10.0.0.1",
      labels: { theirs: "l" },
      dns: { label: "theirs" },
      rules: [rule("x", 9)],
    },
  };
  it("sends only our leaves and clear values; lists, maps and tags with what others have in them", () => {
    const result = applied({
      body: {
        location: "x",
        properties: { size: 2, dns: { servers: byDefault(["1.1.1.1"]) }, labels: { ours: "o" }, rules: [rule("a", 1)] },
      },
      observed,
      ledger: ledgerOf({ location: "x", properties: { note: "n" } }),
      rules: asked,
    });
    expect(sent(result)).toEqual({
      location: "x",
      tags: { theirs: "t" },
      properties: {
        size: 2,
        note: "",
        labels: { theirs: "l", ours: "o" },
        rules: [rule("x", 9), rule("a", 1)],
      },
    });
    expect(result).toMatchObject({ requests: [{ method: "PUT", ifMatch: "e1" }] });
  });
  it("sends the list from which the last item of ours goes", () =>
    expect(
      sent(
        applied({
          body: { location: "x" },
          observed: { location: "x", properties: { size: 1, rules: [rule("x", 9), rule("a", 1)] } },
          ledger: ledgerOf({ location: "x", properties: { rules: [rule("a", 1)] } }),
          rules: asked,
        }),
      ),
    ).toEqual({ location: "x", properties: { rules: [rule("x", 9)] } }));
  it("keeps what is immutable at its observed value", () =>
    expect(sent(applied({ body: { properties: { address: "10.0.0.2", size: 2 } }, observed, rules: asked }))).toEqual({
      tags: { theirs: "t" },
      properties: { address: "10.0.0.1", size: 2 },
    }));
});

describe("writes: patch", () => {
  const patch = { writes: "patch" } as const;
  const observed = {
    location: "x",
    tags: { theirs: "t" },
    properties: { size: 1, note: "n", gateway: { id: "/subscriptions/s/g" }, rules: [rule("x", 9), rule("a", 1)] },
  };
  it("sends the changed paths, null for what goes, a list whole", () => {
    const result = applied({
      body: { properties: { size: 2, rules: [rule("a", 2)] } },
      observed,
      ledger: ledgerOf({ properties: { size: 1, gateway: { id: "/subscriptions/s/g" }, rules: [rule("a", 1)] } }),
      rules: patch,
    });
    expect(result).toMatchObject({ requests: [{ method: "PATCH", path: id, ifMatch: "e1" }] });
    expect(sent(result)).toEqual({ properties: { size: 2, gateway: null, rules: [rule("x", 9), rule("a", 2)] } });
  });
  it("sends a list only when an item of ours changes", () =>
    expect(sent(applied({ body: { properties: { size: 2, rules: [rule("A", 1)] } }, observed, rules: patch }))).toEqual(
      {
        properties: { size: 2 },
      },
    ));
  it("sends null for the alternative that another one takes the place of", () =>
    expect(
      sent(
        applied({
          body: { properties: { prefix: "10.0.0.0/16" } },
          observed: { properties: { prefixes: ["10.1.0.0/16", "10.2.0.0/16"] } },
          rules: patch,
        }),
      ),
    ).toEqual({ properties: { prefix: "10.0.0.0/16", prefixes: null } }));
  it("sends tags apart, or all of them where they cannot go apart", () => {
    const input = { body: { tags: { ours: "o" }, properties: { size: 2 } }, observed, rules: patch };
    expect(applied(input)).toMatchObject({
      requests: [
        { body: { properties: { size: 2 } } },
        { body: { operation: "Merge", properties: { tags: { ours: "o" } } } },
      ],
    });
    expect(sent(applied({ ...input, tagsAtScope: false }))).toEqual({
      tags: { theirs: "t", ours: "o" },
      properties: { size: 2 },
    });
  });
  it("does not repeat a secret", () =>
    expect(
      sent(
        applied({
          body: { properties: { size: 2, password: "p" } },
          observed,
          ledger: ledgerOf({ properties: { size: 1, password: "p" } }),
          rules: patch,
        }),
      ),
    ).toEqual({ properties: { size: 2 } }));
});

describe("settleApplied", () => {
  const ledger = ledgerOf({
    location: "x",
    properties: {
      size: byDefault(4),
      note: byDefault(""),
      prefix: byDefault("10.0.0.0/8"),
      token: byDefault("t"),
      dns: { label: byDefault("l") },
    },
  });
  it("drops the defaults that Azure shows otherwise or not at all", () =>
    expect(
      settleApplied(schema, rules, ledger, { location: "y", properties: { size: 5, prefixes: ["10.0.0.0/8"] } }).map(
        ({ path }) => path.at(-1),
      ),
    ).toEqual(["location", "note", "prefix", "token"]));
  it("is the same value when nothing is dropped", () =>
    expect(
      settleApplied(schema, rules, ledger, { properties: { size: 4, prefix: "10.0.0.0/8", dns: { label: "l" } } }),
    ).toBe(ledger));
});

describe("foldIntent", () => {
  const before = ledgerOf({ location: "x", properties: { size: 1, note: "old", password: "p" } });
  const intended = ledgerOf({ location: "x", properties: { size: 2, note: "new", prefix: "10.0.0.0/8", token: "t" } });
  it("takes what Azure shows of an unanswered write, and keeps what was known for the rest", () =>
    expect(
      foldIntent(schema, rules, before, intended, {
        location: "X",
        properties: { size: 2, note: "old", prefixes: ["10.0.0.0/8"] },
      }).map(({ path, value }) => `${path.at(-1)}=${JSON.stringify(value)}`),
    ).toEqual(['note="old"', 'password="***"', 'location="x"', "size=2", 'prefix="10.0.0.0/8"']));
  it("forgets an intent of which nothing arrived", () =>
    expect(
      foldIntent(schema, rules, before, ledgerOf({ properties: { size: 2 } }), { properties: { size: 1 } }),
    ).toEqual(before));
});
